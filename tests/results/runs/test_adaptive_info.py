"""What ``run.json`` says of an adaptive suite is read into typed values."""

from __future__ import annotations

import pytest

from pytest_codereason.core.files.typed_json import Misfit, convert
from pytest_codereason.results.runs.adaptive_info import AdaptiveInfo, CellInfo

CELL = {"model": "m", "where": {"language": "python", "state": "int"}, "asked": 24, "rounds": 3, "ended": "precision"}
RULES = {"over": "steps", "rungs": [0, 1, 2], "precision": 2.0, "budget": 64, "batch": 8, "asking": "adaptive"}


def test_the_rules_and_the_cells_of_a_run_are_read() -> None:
    info = convert(AdaptiveInfo, {**RULES, "version": 1, "unneeded": 96, "cells": [CELL, CELL | {"ended": None}]})
    assert (info.over, info.rungs, info.budget, info.version, info.unneeded) == ("steps", (0, 1, 2), 64, 1, 96)
    first, second = info.cells
    where = {"language": "python", "state": "int"}
    assert first == CellInfo(model="m", where=where, asked=24, rounds=3, ended="precision")
    assert second.ended is None


def test_a_run_that_has_not_ended_has_no_cells() -> None:
    info = convert(AdaptiveInfo, RULES)
    assert (info.version, info.unneeded, info.cells) == (0, 0, ())


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("asked", None, "cells[0].asked cannot be null: a whole number may stand there"),
        ("ended", "tired", 'cells[0].ended cannot be "tired": precision, decided, budget, below, above, cut'),
        ("where", 3, "cells[0].where cannot be 3: an object may stand there"),
    ],
)
def test_a_damaged_cell_is_named(name: str, value: object, complaint: str) -> None:
    with pytest.raises(Misfit) as caught:
        convert(AdaptiveInfo, {**RULES, "cells": [CELL | {name: value}]})
    assert complaint in str(caught.value)
