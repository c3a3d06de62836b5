"""What the figures about faults share, for models whose answers are known."""

from __future__ import annotations

import pytest

from pytest_codereason.results.figures._faults import group_by_setting
from pytest_codereason.results.figures.fault_quarters import FaultQuarters
from pytest_codereason.results.figures.fault_strength import FaultStrength
from pytest_codereason.results.figures.fault_types import FaultTypes
from pytest_codereason.results.figures.faults_lost import FaultsLost
from pytest_codereason.results.runs.run_data import RunData
from tests.results.figures.fault_rows import describe_run
from tests.results.figures.rows import data


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        (["a", "b"], {}),
        (["a(strength=1)"], {}),
        (["a(strength=1)", "a(strength=2)", "a"], {"a": [1, 2]}),
        (["a(strength=10)", "a(strength=2)"], {"a": [2, 10]}),
        (["a(strength=1)+b(strength=1)", "a(strength=2)+b(strength=2)"], {"a+b": [1, 2]}),
        (["a(strength=1)+b(strength=2)", "a(strength=2)+b(strength=1)"], {}),
        (["a(strength=1,place=3)", "a(strength=2,place=3)", "a(strength=2,place=4)"], {"a(place=3)": [1, 2]}),
    ],
)
def test_mutations_that_differ_in_strength_alone_belong_together(
    values: list[str], groups: dict[str, list[int]]
) -> None:
    assert {name: list(group) for name, group in group_by_setting(values, "strength").items()} == groups


def test_other_suites_draw_nothing() -> None:
    of = describe_run({"s": ("call-graph", ())}, ["m"])
    empty = data([], of)
    assert isinstance(empty, RunData)
    for figure in (FaultTypes(), FaultQuarters(), FaultsLost(), FaultStrength()):
        assert not list(figure.pictures(empty))
