"""A language from outside goes through every shipped perturbation, stage and task, or is skipped with a reason."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.cli import main
from pytest_codereason.core import Completion, FaultOperator, Instance, Perturbation, Stage, Task, Verdict
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.builder import Builder
from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources.corpus import Corpus
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.registry import find, language
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow
from tests.toy import SOURCE, Toy, ToySource

NAME = Toy.name
PERTURBATIONS = registry.list_shipped(Perturbation)
#: A toy has no tracer, so nobody asks about its call graphs.
TASKS = [name for name in registry.list_shipped(Task) if "tracer" not in registry.find(Task, name).capabilities]
FAULTS = f"fault = {[*registry.list_shipped(FaultOperator)]}\n"
#: What a suite says for each stage, in its matrix and in a table of its own.
STAGES = {
    "ablation": ("", "[ablation]\nversions = 4\n"),
    "context": ("distractors = [2]\n", ""),
    "fault": (FAULTS, ""),
    "layout": ('layout = ["keys"]\n', ""),
    "perturbation": (f"perturbation = {[*PERTURBATIONS, 'rename+comments']}\n", ""),
}


@pytest.mark.parametrize("name", mostly_slow(ToySource.PROGRAMS, 3))
@pytest.mark.parametrize("perturbation", PERTURBATIONS)
def test_every_perturbation(perturbation: str, name: str, sandbox: Sandbox) -> None:
    program = ToySource().program(NAME, name, {})
    reasons = []
    for seed in range(5):
        try:
            variant = perturb(program, parse(perturbation), seed, "a", "output")
        except Skip as skip:
            reasons.append(str(skip))
            continue
        assert language(NAME).syntax.check(variant.source) == ""
        execution = sandbox.run(Run.from_program(variant))
        assert execution.value == program.facts["output"], (variant.source, execution)
    assert all(reasons)


def test_most_perturbations_change_something() -> None:
    program = ToySource().program(NAME, "double", {})
    changes = {}
    for perturbation in PERTURBATIONS:
        try:
            changes[perturbation] = perturb(program, parse(perturbation), 0, "a", "output").source
        except Skip:
            continue
    assert {"comments", "hint", "prints", "rename", "vanilla"} <= changes.keys()
    assert len(set(changes.values())) == len(changes)


def suite(folder: Path, task: str, stage: str) -> Suite:
    matrix, table = STAGES.get(stage, ("", ""))
    if "fault" in find(Task, task).needs and stage != "fault":
        matrix += FAULTS
    path = folder / "toy.suite.toml"
    path.write_text(
        f'task = "{task}"\nlanguages = ["{NAME}"]\n[source]\nname = "{ToySource.name}"\n'
        f"{table}[matrix]\n{matrix}{'shots = [0, 1]' if 'shots' in find(Task, task).axes else ''}\n"
    )
    return load(path)


def play(task: Task, instance: Instance, sandbox: Sandbox, reply: str) -> Verdict:
    """The verdict when every reply is the same; without one, when every reply is right."""
    steps = task.steps(instance)
    step = next(steps)
    try:
        while True:
            step = steps.send(
                sandbox.run(step) if isinstance(step, Run) else Completion(text=reply or step.truth, prefilled=True)
            )
    except StopIteration as stop:
        verdict: Verdict = stop.value
        return verdict


#: Tasks that ask about few programs, and maybe about none of these.
SELDOM = {"equivalence", "meaning", "twins"}


def test_every_stage_is_tried() -> None:
    assert {*STAGES} == {*registry.list_shipped(Stage)}


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("task", TASKS)
def test_every_task_after_every_stage(task: str, stage: str, tmp_path: Path, sandbox: Sandbox) -> None:
    read = suite(tmp_path, task, stage)

    async def run(wanted: Run) -> Execution:
        return sandbox.run(wanted)

    builder = Builder(run)
    verdicts, reasons = [], []
    for spec in read.specs():
        try:
            instance = asyncio.run(builder.complete(read, spec)).instance
            verdicts += [play(read.task, instance, sandbox, reply).outcome for reply in ("", "nothing of the kind")]
        except Skip as skip:
            reasons.append(str(skip))
    assert all(reasons)
    short = stage == "ablation" and "fault" in read.task.needs  # the one fault that is observed deletes a line
    if short or stage == "context":  # there are no pools of Toy
        assert not verdicts
    elif stage == "perturbation":
        assert verdicts[::2] == ["correct"] * (len(verdicts) // 2)
        assert "correct" not in verdicts[1::2]
    else:
        assert verdicts or task in SELDOM


def test_a_layout_carries_lines_along() -> None:
    laid_out = language(NAME).syntax.normalise(SOURCE)
    line = next(i for i, text in enumerate(SOURCE.splitlines(), 1) if "second]" in text)
    moved = laid_out.line(line)
    assert moved is not None
    assert "second]" in laid_out.text.splitlines()[moved - 1]
    assert "--" not in laid_out.text


def test_a_file_of_programs_names_it(tmp_path: Path) -> None:
    row = {"id": "double", "language": NAME, "code": SOURCE, "call": "double([3, 1])"}
    (tmp_path / "mine.jsonl").write_text(json.dumps(row) + "\n")
    path = tmp_path / "mine.suite.toml"
    source = '[source]\nname = "jsonl"\npath = "mine.jsonl"\n'
    text = f'task = "output-prediction"\n{{}}{source}{{}}[matrix]\nperturbation = ["comments"]\n'
    for languages, defaults in (("", ""), (f'languages = ["{NAME}"]\n', f'defaults = {{language = "{NAME}"}}\n')):
        path.write_text(text.format(languages, defaults))
        read = load(path)
        assert read.languages == (NAME,)
        assert [spec.id for spec in read.specs()] == [f"{NAME}/double[perturbation:comments]"]
    assert main(["export", str(path), "-o", str(tmp_path / "out.jsonl")]) == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["expected"] == "[6, 2]"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tests.toy:Nothing", "tests.nowhere:Toy", "tests.toy:ToySource", "TESTS.toy:Toy"])
def test_a_row_of_a_language_that_is_none_is_left_out(name: str, tmp_path: Path) -> None:
    rows = [{"language": each, "code": SOURCE, "call": "double([3, 1])"} for each in (NAME, name)]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / "mine.suite.toml"
    path.write_text('task = "output-prediction"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n')
    (note,) = load(path).list_left_out()
    assert f"1 left out: language {name!r} " in note


def test_a_folder_of_programs_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / NAME / "double"
    folder.mkdir(parents=True)
    assert Corpus.create({"path": str(tmp_path / "mine")}, seed=0).languages == (NAME,)


def test_a_gate_names_it() -> None:
    quantity = parse_gate(f"small.exact[language={NAME}] >= 50%").quantity
    assert quantity.where == (("language", NAME),)
