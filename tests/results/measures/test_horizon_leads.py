"""Which model reads farthest, and whether that is certain; what a suite that chooses questions has for a headline."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.reports.words.lead_sentences import describe_lead, format_distance, format_rank
from pytest_codereason.results.measures.summary import SuiteSummary, summarise
from pytest_codereason.results.values import AxisPlace
from tests.results.statistics.readers import Reader
from tests.results.synthetic import build_data
from tests.results.synthetic_curves import CHOSEN, make_models

NEAR, FAR = Reader(8, 2.0), Reader(64, 2.0)
BOTH = {"far": {"int": FAR, "list": FAR}, "near": {"int": NEAR, "list": NEAR}, "like": {"int": FAR, "list": FAR}}


def summarise_suite(readers: dict[str, dict[str, Reader]] | None = None, **changes: Any) -> SuiteSummary:
    data = build_data(*make_models(readers or BOTH, **{"adaptive": CHOSEN, **changes}))
    return summarise(data).suites["horizon"]


@pytest.mark.slow
def test_the_headline_is_the_horizon_and_no_share() -> None:
    suite = summarise_suite()
    assert [metric.name for metric in suite.metrics] == ["h50", "lapse"]
    model = suite.models["near"]
    (headline,) = model.headlines
    score = headline.metrics["h50"]
    assert isinstance(score, AxisPlace)
    assert score.low is not None
    assert score.high is not None
    assert score.low < 8 < score.high
    assert (model.sweeps, model.axes) == ((), {}), "shares along an axis say nothing either"
    grid = summarise_suite(adaptive=None)
    assert grid.metrics[0].name == "exact"
    assert grid.models["near"].sweeps
    assert grid.models["near"].horizon is not None


def test_models_are_ranked_by_the_ratios_of_their_horizons() -> None:
    (lead,) = summarise_suite().leads
    assert lead.best in ("far", "like")
    assert format_rank(lead, "near") == "3"
    assert format_rank(lead, "far") == format_rank(lead, "like") == "1–2"
    assert "times as far [" in format_distance(lead, "near")
    assert format_distance(lead, "near").endswith(", clear")
    sentence = describe_lead(lead)
    assert sentence.startswith("Best model: not certain. ")
    assert "can be chance (3 pairs of models looked at together). It is clearly ahead of near (" in sentence


def test_one_model_or_models_without_a_common_cell_have_no_lead() -> None:
    assert summarise_suite({"far": {"int": FAR}}).leads == ()
    assert summarise_suite({"far": {"int": FAR}, "near": {"list": NEAR}}).leads == ()


def test_a_model_that_was_not_asked_has_no_number() -> None:
    suite = summarise_suite({"far": {"int": FAR}, "idle": {}})
    (headline,) = suite.models["idle"].headlines
    assert headline.metrics["h50"].value is None
    assert suite.models["idle"].horizon is None
