"""Cells are asked round by round, whatever the order of the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Model, Record, Request
from pytest_codereason.core.adaptive import Adaptive, Ended, Seen
from pytest_codereason.engine.adaptive import CellJob, CellQueue, list_cells
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.errors import ModelError, Skip
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.tellers import Teller, tell_truth

SUITE = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "ladder"
count = {count}

[adaptive]
over = "level"
top = 8
budget = 8
batch = 2

[sampling]
samples = {samples}
"""


class Script:
    """A chooser that follows a script, and remembers what it was told."""

    def __init__(self, *rounds: list[float], ended: Ended = "budget") -> None:
        self.rounds, self.ended = rounds, ended
        self.told: list[tuple[dict[float, Seen], int]] = []
        self.seeds: list[int] = []

    def choose(
        self, rungs: Mapping[float, Seen], rules: Adaptive, asked: int, draw_seed: Callable[[int], int]
    ) -> list[float] | Ended:
        self.told.append((dict(rungs), asked))
        self.seeds.append(draw_seed(0))
        number = sum(len(each) for each in self.rounds[: len(self.rounds)] if each) and self._count(asked)
        return self.rounds[number] if number < len(self.rounds) else self.ended

    def _count(self, asked: int) -> int:
        """How many rounds of the script make so many questions."""
        total = number = 0
        while total < asked:
            total += len(self.rounds[number])
            number += 1
        return number

    def explain(self, rungs: Mapping[float, Seen], rules: Adaptive, ended: Ended) -> str:
        return f"ended by {ended}"


def make_suite(folder: Path, *, count: int = 3, samples: int = 1) -> Suite:
    path = folder / "small.suite.toml"
    path.write_text(SUITE.format(count=count, samples=samples))
    return load(path)


def ask(folder: Path, suite: Suite, script: Script, say: Any = tell_truth, language: str = "python") -> dict[str, Any]:
    """The records of each question of one cell, or why it was not asked."""
    model: Model = Teller(say)
    jobs = [Job("teller", suite, spec) for spec in suite.specs() if spec.language == language]
    with Engine({"teller": model}, store=folder / "store", executor=Executor("auto")) as engine:
        queue = engine.queue_cells(list_cells(jobs), lambda cell: script)
        return {job.spec.id: queue.records(number) for number, job in enumerate(jobs)}


def list_asked(answers: Mapping[str, Sequence[Record] | str]) -> dict[str, dict[str, int]]:
    return {id: dict(records[0].adaptive) for id, records in answers.items() if not isinstance(records, str)}


def test_a_round_asks_the_next_program_of_each_rung(tmp_path: Path) -> None:
    script = Script([1.0, 4.0], [4.0, 4.0])
    answers = ask(tmp_path, make_suite(tmp_path), script)
    assert list_asked(answers) == {
        "python/0000[level:1]": {"round": 1, "place": 1},
        "python/0000[level:4]": {"round": 1, "place": 2},
        "python/0001[level:4]": {"round": 2, "place": 3},
        "python/0002[level:4]": {"round": 2, "place": 4},
    }
    assert answers["python/0001[level:1]"] == "ended by budget"
    assert [asked for _, asked in script.told] == [0, 2, 4]
    assert script.told[0][0][4.0] == Seen(left=3)
    assert script.told[1][0][4.0] == Seen(1.0, 1.0, 0.0, 2)
    assert script.told[2][0][4.0] == Seen(3.0, 3.0, 0.0, 0)


def test_answers_that_come_in_another_order_change_nothing(tmp_path: Path) -> None:
    """Each of the readers is right and wrong at the same questions, and quick at others."""

    def say(request: Request) -> Completion:
        right = request.instance.axes["level"] == 1
        return Completion(text=request.ask.truth if right else "0", latency_s=0.1)

    suite = make_suite(tmp_path)
    scripts = [Script([1.0, 4.0, 4.0], [4.0, 1.0]) for _ in range(2)]
    folders = [tmp_path / "a", tmp_path / "b"]
    first, second = (
        list_asked(ask(folder, suite, script, say)) for folder, script in zip(folders, scripts, strict=True)
    )
    assert first == second
    assert scripts[0].told == scripts[1].told
    assert scripts[0].seeds == scripts[1].seeds
    assert scripts[0].told[1][0][4.0] == Seen(0.0, 2.0, 0.0, 1)
    assert len(set(scripts[0].seeds)) == 3, "each round draws for itself"


def test_questions_are_asked_again_when_the_cell_has_ended(tmp_path: Path) -> None:
    """A round waits for no second answer, and no answer is paid for twice."""
    asked: list[tuple[str, int]] = []

    def say(request: Request) -> Completion:
        asked.append((request.instance.id, request.repeat))
        return tell_truth(request)

    suite = make_suite(tmp_path)
    jobs = [Job("teller", suite, spec, repeats=1) for spec in suite.specs() if spec.language == "python"]
    model: Model = Teller(say)
    with Engine({"teller": model}, store=tmp_path / "store", executor=Executor("auto")) as engine:
        queue = engine.queue_cells(list_cells(jobs), lambda cell: Script([1.0, 4.0], [4.0]))
        answers = [queue.records(number) for number in range(len(jobs))]
    assert [repeat for _, repeat in asked] == [0, 0, 0, 1, 1, 1]
    assert {name for name, _ in asked[:3]} == {name for name, _ in asked[3:]}
    twice = [records for records in answers if not isinstance(records, str)]
    assert [[record.repeat for record in records] for records in twice] == [[0, 1]] * 3
    assert all(records[0].adaptive == records[1].adaptive for records in twice)


def test_draws_are_named_after_the_cell_and_not_after_the_model(tmp_path: Path) -> None:
    suite = make_suite(tmp_path)
    scripts = {language: Script([1.0]) for language in suite.languages}
    for language, script in scripts.items():
        ask(tmp_path, suite, script, language=language)
    assert scripts["python"].seeds[0] != scripts["php"].seeds[0]


def test_the_next_program_takes_the_place_of_a_skipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = make_suite(tmp_path)
    build = type(suite.source).program

    def refuse(source: Any, language: str, name: str, axes: Any) -> Any:
        if name == "0000":
            raise Skip("nothing to ask")
        return build(source, language, name, axes)

    monkeypatch.setattr(type(suite.source), "program", refuse)
    script = Script([1.0, 1.0])
    answers = ask(tmp_path, suite, script)
    assert {id: records[0].outcome for id, records in answers.items() if not isinstance(records, str)} == {
        "python/0000[level:1]": "skipped",
        "python/0001[level:1]": "correct",
        "python/0002[level:1]": "correct",
    }
    assert list_asked(answers)["python/0002[level:1]"] == {"round": 1, "place": 1}
    assert script.told[1] == ({**script.told[0][0], 1.0: Seen(2.0, 2.0, 0.0, 0)}, 2)


def test_an_error_ends_the_cell_after_its_round(tmp_path: Path) -> None:
    def say(request: Request) -> Completion:
        if request.instance.axes["level"] == 4:
            raise ModelError("the server is gone")
        return tell_truth(request)

    script = Script([4.0, 1.0], [1.0])
    answers = ask(tmp_path, make_suite(tmp_path), script, say)
    assert sorted(list_asked(answers)) == ["python/0000[level:1]", "python/0000[level:4]"]
    assert answers["python/0001[level:1]"] == "ended by errors"
    assert len(script.told) == 1


def test_replies_that_are_cut_off_are_counted_apart_and_samples_as_parts(tmp_path: Path) -> None:
    def say(request: Request) -> Completion:
        if request.sample == 0:
            return Completion(text="", finish="length")
        return Completion(text=request.ask.truth if request.sample == 1 else "0")

    script = Script([4.0])
    ask(tmp_path, make_suite(tmp_path, samples=4), script, say)
    assert script.told[1][0][4.0] == Seen(0.25, 0.75, 0.25, 2)


def test_every_language_and_value_is_a_cell_of_its_own(tmp_path: Path) -> None:
    suite = make_suite(tmp_path)
    cells = list_cells([Job(label, suite, spec) for label in ("a", "b") for spec in suite.specs()])
    assert [(cell.model, cell.name) for cell in cells] == [
        ("a", "python[]"),
        ("a", "php[]"),
        ("b", "python[]"),
        ("b", "php[]"),
    ]
    assert [cell.where for cell in cells] == [{"language": "python"}, {"language": "php"}] * 2
    assert [len(cell.questions) for cell in cells] == [18] * 4
    assert list(cells[0].list_waiting()) == [1, 2, 3, 4, 6, 8]


def test_whoever_waits_learns_of_an_exception_in_the_chooser(tmp_path: Path) -> None:
    class Broken(Script):
        def choose(self, *args: Any) -> Any:
            raise ZeroDivisionError("a mistake of ours")

    with pytest.raises(ZeroDivisionError, match="a mistake of ours"):
        ask(tmp_path, make_suite(tmp_path), Broken())


def test_whoever_waits_learns_that_a_cell_has_no_chooser(tmp_path: Path) -> None:
    suite = make_suite(tmp_path)
    jobs = [Job("teller", suite, spec) for spec in suite.specs()]

    def fail(cell: CellJob) -> Script:
        raise ZeroDivisionError(cell.name)

    with Engine({"teller": Teller(tell_truth)}, store=tmp_path / "store", executor=Executor("auto")) as engine:
        queue = engine.queue_cells(list_cells(jobs), fail)
        with pytest.raises(ZeroDivisionError, match="python"):
            queue.records(0)


def test_a_model_begins_at_its_first_question_if_they_are_not_asked_side_by_side(tmp_path: Path) -> None:
    suite = make_suite(tmp_path)
    cells = list_cells([Job(label, suite, spec) for label in ("a", "b") for spec in suite.specs()])
    begun: list[str] = []

    def start(model: str, queue: CellQueue) -> None:
        begun.append(model)
        for cell in cells:
            for question in cell.questions if cell.model == model else ():
                queue._tell(question.number, "not needed")

    queue = CellQueue(cells, start)
    assert queue.records(0) == queue.records(1) == "not needed"
    assert begun == ["a"]
    queue.begin_all()
    assert begun == ["a", "b"]
