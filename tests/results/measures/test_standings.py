"""Models are compared where there are several, and not value by value where each was asked other questions."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.measures.leads import Lead
from pytest_codereason.results.measures.setbacks import Setback
from pytest_codereason.results.measures.standings import compare_models
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data
from tests.results.synthetic_curves import CHOSEN, make_models

FAR, NEAR = ({"int": Reader(limit, 2.0)} for limit in (64, 4))


def compare(
    readers: dict[str, dict[str, Reader]], adaptive: dict[str, Any] | None = None
) -> tuple[tuple[Lead, ...], tuple[Setback, ...]]:
    data = build_data(*make_models(readers, adaptive=adaptive))
    return compare_models(data, "horizon", data.suites["horizon"])


def test_several_models_have_leads_and_setbacks() -> None:
    leads, setbacks = compare({"far": FAR, "near": NEAR})
    assert {lead.best for lead in leads} == {"far"}
    assert {(each.worse, each.better) for each in setbacks} == {("near", "far")}


def test_a_suite_that_chooses_its_questions_has_no_setbacks() -> None:
    leads, setbacks = compare({"far": FAR, "near": NEAR}, CHOSEN)
    assert [lead.best for lead in leads] == ["far"]
    assert setbacks == ()


def test_of_one_model_nothing_is_said() -> None:
    assert compare({"far": FAR}) == ((), ())
    assert compare({"far": FAR}, CHOSEN) == ((), ())
