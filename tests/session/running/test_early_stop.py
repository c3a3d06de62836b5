"""A run that may end as soon as its gates are decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import AxisValue, Record
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.session.running.early_stop import EarlyStop, check_stop, list_planned
from tests.results.synthetic import make_record, make_run, write_run
from tests.session.collected import read_typed
from tests.session.conftest import Project

SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 60

[matrix]
digits = [2]
prompting = ["direct", "cot"]

[sampling.cot]
samples = 3
"""


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    (tmp_path / "small.suite.toml").write_text(SUITE)
    return load(tmp_path / "small.suite.toml")


def test_there_must_be_something_to_decide(project: Project) -> None:
    check_stop(read_typed(project), [])
    stops = read_typed(project, "--eval-stop-when-decided")
    check_stop(stops, [parse_gate("s.exact >= 0.5")])
    with pytest.raises(UsageError, match="--eval-stop-when-decided: there is no gate to decide"):
        check_stop(stops, [])


def test_planned_questions_name_their_program_model_and_samples(suite: Suite) -> None:
    cells = {dict(spec.axes)["prompting"]: spec for spec in suite.specs() if spec.program == "0003"}
    ids = [f"small.suite.toml::n::{cells['cot'].id}", f"small.suite.toml::{cells['direct'].id}"]
    first, second = list_planned([(suite, nodeid) for nodeid in ids], "m")
    assert (first.model, first.id, first.samples) == ("n", cells["cot"].id, 3)
    assert (first.suite, first.plan, first.program) == ("small", suite.plan, "python/0003")
    assert first.axes == {"language": "python", "digits": 2, "prompting": "cot"}
    assert (second.model, second.samples) == ("m", 1)


def make_stop(project: Project, suite: Suite, *gates: str) -> tuple[EarlyStop, list[str]]:
    axes: dict[str, list[Any]] = {"language": ["python"], "prompting": ["direct", "cot"]}
    run = make_run(models=["m"], suites={"small": axes})
    ids = [spec.id for spec in suite.specs() if dict(spec.axes)["prompting"] == "direct"]
    questions = [(suite, f"small.suite.toml::{name}") for name in ids]
    return EarlyStop([parse_gate(gate) for gate in gates], run, questions, read_typed(project, "--eval-seed=1")), ids


def make_answer(name: str) -> Record:
    axes: dict[str, AxisValue] = {"digits": 2, "prompting": "direct"}
    return make_record(suite="small", model="m", id=name, axes=axes, metrics={"exact": 1.0})


def test_a_run_is_decided_by_its_answers(project: Project, suite: Suite) -> None:
    stop, ids = make_stop(project, suite, "small.exact >= 0.2")
    assert stop.list_notes() == []
    for name in ids:
        stop.take(make_answer(name))
    assert stop.is_decided
    told = stop.describe(60, 120, sent=70, requests=240)
    assert (told.asked, told.of, told.sent, told.requests) == (60, 120, 70, 240)
    (gate,) = told.gates
    assert (gate.gate, gate.verdict, gate.of, gate.value) == ("small.exact >= 0.2", "PASS", 60, 1)


def test_a_gate_beside_a_baseline_is_decided_by_the_answers_of_both(
    project: Project, suite: Suite, tmp_path: Path
) -> None:
    gate, axes = parse_gate("small.exact >= baseline - 20%"), {"language": ["python"], "prompting": ["direct", "cot"]}
    run: dict[str, Any] = make_run(models=["m"], suites={"small": axes})
    ids = [spec.id for spec in suite.specs() if dict(spec.axes)["prompting"] == "direct"]
    questions = [(suite, f"small.suite.toml::{name}") for name in ids]
    rows = [make_answer(name).row() for name in ids]
    notes = []
    for many in (60, 59):
        write_run(tmp_path / f"{many}", run, rows[:many])
        stop = EarlyStop([gate], run, questions, read_typed(project, f"--eval-baseline={tmp_path / str(many)}"))
        notes.append(len(stop.list_notes()))
        for name in ids:
            stop.take(make_answer(name))
        assert stop.is_decided is (many == 60)
    assert notes == [0, 1], "a question that the baseline lacks leaves the gate to the end"


def test_a_gate_that_needs_the_end_is_said(project: Project, suite: Suite) -> None:
    stop, ids = make_stop(project, suite, "small.exact >= 0.2", "small.exact == 0.5")
    (note,) = stop.list_notes()
    assert note.startswith("--eval-stop-when-decided: the gate 'small.exact == 0.5' is judged at the end")
    for name in ids:
        stop.take(make_answer(name))
    assert not stop.is_decided


@pytest.mark.parametrize(
    ("gates", "notes"),
    [
        (["ladder.h50[language=php] >= 2"], []),
        (["ladder.h50 >= 2"], ["and ends no cell: it is about several cells; name one value of language"]),
        (["ladder.h50[language=php] >= baseline * 0.8"], ["and ends no cell: it needs the baseline, which no record"]),
        (["grid.h50[language=php] >= 2"], ["and ends no cell: grid asks every question"]),
        (["ladder.h50[language=php] >= 2", "grid.exact >= 2%"], ["ends its cell alone, so it lets no run stop early"]),
    ],
)
def test_what_a_gate_on_a_horizon_ends_is_said(project: Project, gates: list[str], notes: list[str]) -> None:
    """The cell that a gate is about; in a run of adaptive suites alone nothing else can end."""
    rules = {"over": "level", "rungs": [1, 2, 4], "precision": 2.0, "budget": 64, "batch": 8}
    axes: dict[str, list[Any]] = {"language": ["python", "php"], "level": [1, 2, 4]}
    named = {gate.partition(".")[0] for gate in gates} | {"ladder"}
    run: dict[str, Any] = make_run(models=["m"], suites=dict.fromkeys(sorted(named), axes))
    for name in named:
        run["suites"][name] |= {
            "curve": "level",
            "adaptive": {**rules, "asking": "grid" if name == "grid" else "adaptive"},
        }
    stop = EarlyStop([parse_gate(gate) for gate in gates], run, [], read_typed(project))
    told = stop.list_notes()
    assert len(told) == len(notes)
    assert all(text in note for text, note in zip(notes, told, strict=True))
