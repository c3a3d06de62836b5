"""What speaks for and against a stored run, and what a user may take as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.storage.seals import Chain, write_seal
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.evidence import RunEvidence, examine, list_changes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import read_run
from tests.results.synthetic import make_row, make_run, write_run

WHERE = {"language": "python", "digits": 2, "prompting": "direct"}


@pytest.mark.parametrize(
    ("kinds", "accepted", "said"),
    [
        ({}, {}, None),
        ({"notes": ("r: unsealed",)}, {}, None),
        ({"broken": ("r: gone",)}, {}, ["r: gone", "--eval-report", "--accept-broken"]),
        ({"broken": ("r: gone",)}, {"accept_broken": True}, None),
        ({"unread": ("r: not here",)}, {}, ["r: not here", "--verify", "--accept-unread"]),
        ({"unread": ("r: not here",)}, {"accept_unread": True}, None),
        ({"unread": ("r: not here",), "broken": ("r: gone",)}, {"accept_broken": True}, ["r: not here"]),
        ({"contradictions": ("r: changed",)}, {"accept_broken": True, "accept_unread": True}, ["r: changed"]),
    ],
)
def test_a_run_counts_only_with_what_the_user_accepts(
    kinds: dict[str, Any], accepted: dict[str, bool], said: list[str] | None
) -> None:
    evidence = RunEvidence(**kinds)
    if said is None:
        evidence.require(**accepted)
        return
    with pytest.raises(UsageError) as caught:
        evidence.require(**accepted)
    assert all(words in str(caught.value) for words in said)
    assert ("--accept-broken" in str(caught.value)) is (kinds.keys() == {"broken"}), "a contradiction is no damage"


def write(folder: Path, rows: int = 20, *, seal: bool = True, suite: dict[str, Any] | None = None, **more: Any) -> Path:
    """A run of twenty questions, of which so many have a record. Nobody here knows its task."""
    run = make_run(models=["m"], suites={"own": {name: [value] for name, value in WHERE.items()}}, **more)
    whole = {"task": "nobody:Task", "instances": 20, "selected": 20, "cells": [[20, WHERE]]}
    run["suites"]["own"] |= whole | (suite or {})
    answers = [make_row(suite="own", task="nobody:Task", id=f"python/{n}", family=str(n)) for n in range(rows)]
    records = write_run(folder, run, answers)
    if seal:
        write_seal(folder, Chain(records.read_bytes().splitlines()).seal(run))
    return records


def look(folder: Path, rows: int = 20, **more: Any) -> RunEvidence:
    records = write(folder, rows, **more)
    return examine(RunData.build({"r": (read_run(folder), records)}))


def test_a_whole_sealed_run_is_only_unread_where_its_task_is_not_here(tmp_path: Path) -> None:
    found = look(tmp_path)
    assert (found.broken, found.contradictions, found.notes) == ((), (), ())
    (unread,) = found.unread
    assert unread.startswith("r: the task that judged own is not here in the version of the run")


@pytest.mark.parametrize(
    ("rows", "changes", "broken"),
    [
        (
            19,
            {},
            ["own has 19 of 20 questions at language=python, digits=2, prompting=direct", "1 question has no record"],
        ),
        (17, {"suite": {"cells": []}}, ["3 questions have no record, though the run is complete"]),
        (21, {"suite": {"cells": []}}, ["own has records of 21 questions, but 20 were asked"]),
        (
            20,
            {"suite": {"instances": 30}},
            ["own has 30 questions, but its conditions", "20 questions of own were selected"],
        ),
        (20, {"skipped": {"no loop": 3}}, ["run.json counts other skipped questions than records.jsonl has"]),
        (12, {"selection": "a part", "suite": {"selected": 12}}, []),
        (12, {"complete": False}, []),
        (12, {"stopped_early": {"asked": 12, "of": 20}}, []),
    ],
)
def test_a_complete_run_has_the_questions_that_it_says(
    tmp_path: Path, rows: int, changes: dict[str, Any], broken: list[str]
) -> None:
    found = look(tmp_path, rows, **changes)
    assert len(found.broken) == len(broken)
    assert all(text.startswith(f"r: {words}") for text, words in zip(found.broken, broken, strict=True))


def test_a_run_without_a_seal_says_so_and_a_broken_seal_is_told(tmp_path: Path) -> None:
    assert look(tmp_path / "a", seal=False).notes == (
        "r: nothing seals this run: nobody can tell whether it was changed",
    )
    goes_on = look(tmp_path / "b", seal=False, finished=None, complete=False)
    assert goes_on.notes[0].startswith("r: nothing seals this run, because it has not ended: ")
    records = write(tmp_path / "c")
    run = json.loads((tmp_path / "c/run.json").read_text())
    records.write_text(records.read_text().replace('"latency_s": 0.5', '"latency_s": 0.1', 1))
    (broken,) = examine(RunData.build({"r": (read_run(tmp_path / "c"), records)})).broken
    assert broken.startswith("r: the seal is broken: 1 record is changed, or new (records.jsonl:1 (python/0))")
    assert list_changes(tmp_path / "c") == [broken.replace("r: ", f"{tmp_path / 'c'}: ", 1)]
    (tmp_path / "c/run.json").write_text(json.dumps(run | {"finished": None}))
    assert list_changes(tmp_path / "c") == [], "it goes on"
    assert list_changes(tmp_path / "nowhere") == []
