"""Drafts of questions: nobody is asked, and nothing is run."""

from __future__ import annotations

from pathlib import Path

from pytest_codereason.engine.building.drafts import draft
from tests.engine.building.loaded import ROW, load


def test_a_fact_that_only_an_execution_could_give_is_unknown(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW)
    (spec,) = suite.specs()
    facts = draft(suite, spec).program.facts
    assert facts["output"] is None
    known = draft(load(tmp_path, ROW | {"output": "3"}), spec).program.facts
    assert known["output"] == 3
