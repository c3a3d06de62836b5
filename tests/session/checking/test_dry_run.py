"""What a run would ask and cost, without asking."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_codereason.core import Instance, Model
from pytest_codereason.engine.limits.run_size import RunSize
from pytest_codereason.session.checking.dry_run import _format_size, format_dry_run
from pytest_codereason.session.checking.sizing import Sizing
from tests.engine.tellers import Teller
from tests.session.collected import collect, list_questions
from tests.session.conftest import Project

ONE = ("--codereason-model=baseline:truth",)


def count(project: Project, models: dict[str, Model], *arguments: str) -> list[str]:
    items = collect(project, *arguments)
    suites = {question.suite.name: question.suite for question in list_questions(items)}
    places = [(item.path, item.nodeid) for item in items]
    sizing = Sizing(suites, models, places, repeat=None)
    return format_dry_run(items, {label: sizing.estimate(label) for label in models}, models)


def test_each_suite_on_each_model_is_counted_and_all_together(project: Project) -> None:
    project.suite("one", count=1)
    project.suite("two", count=2)
    model = Teller(label="baseline:truth")
    model.price = (1e6, 0.0)
    lines = count(project, {"baseline:truth": model}, *ONE)
    titles = [line for line in lines if not line.startswith(" ")]
    assert titles[:3] == ["one on baseline:truth", "two on baseline:truth", "in all"]
    questions = [line.split()[-1] for line in lines if line.startswith("  questions")]
    assert questions == ["2", "4", "6"]
    assert titles.index("in all") < len(titles) - 1
    assert sum(line == "in all" for line in count(project, {"baseline:truth": model}, *ONE, "one.suite.toml")) == 0
    assert titles[-1] == "nothing was asked (--eval-dry-run)"
    assert "counted, but not asked: 2 requests equal to another one" in titles
    assert any(line.startswith("  cost") and "$" in line for line in lines)


def test_nothing_is_said_where_no_question_is_collected(project: Project) -> None:
    (project.path / "test_mine.py").write_text("def test_it(): pass\n")
    assert format_dry_run(collect(project, *ONE), {}, {}) == []


def test_questions_that_cannot_be_asked_are_told_with_the_reason(project: Project) -> None:
    row = {"language": "python", "code": "def f(n):\n    return n\n", "call": "f(1)"}
    (project.path / "own.jsonl").write_text("".join(json.dumps(row | {"id": name}) + "\n" for name in "abc"))
    suite = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "own.jsonl"\n[matrix]\n'
    (project.path / "own.suite.toml").write_text(suite + 'perturbation = ["hint", "vanilla"]\n')
    lines = count(project, {"baseline:truth": Teller()}, *ONE)
    (line,) = [line for line in lines if line.startswith("counted, but not asked: 3 questions: ")]
    assert line.endswith("; the run computes the output of the program first, and may then ask the question")


def test_nobody_says_what_is_asked_of_a_program_that_has_to_run_first(project: Project) -> None:
    row = {"language": "python", "code": "def f(n):\n    return n\n", "call": "f(1)"}
    (project.path / "own.jsonl").write_text("".join(json.dumps(row | {"id": name}) + "\n" for name in "abc"))
    (project.path / "own.suite.toml").write_text('task = "moment"\n[source]\nname = "jsonl"\npath = "own.jsonl"\n')
    lines = count(project, {"baseline:truth": Teller()}, *ONE)
    assert "  prompt tokens          unknown  (the programs have to run first)" in lines
    assert "not known: of 3 questions, what is asked; their programs have to run first" in lines
    assert not any(line.startswith("counted, but not asked") for line in lines)


def test_requests_that_follow_only_right_answers_are_told() -> None:
    size = RunSize(questions=2, requests=4, certain=1, prompt=2_000, longest=7, reply=30, varies=True, cost=0.5)
    assert _format_size("s on m", size) == [
        "s on m",
        "  questions                    2",
        "  requests                     4  (at most; 3 of them are asked only after a right answer)",
        "  prompt tokens            2,000  (estimated; the longest measured prompt 7)",
        "  reply tokens                30  (at most about; the limit depends on the program)",
        "  cost            at most about $0.50",
    ]
    assert _format_size("s on m", replace(size, unknown=1))[3] == (
        "  prompt tokens            2,000  (estimated; 1 prompt of unknown length; the longest measured prompt 7)"
    )
    assert _format_size("s on m", replace(size, certain=4, varies=False))[2::2] == [
        "  requests                     4",
        "  reply tokens                30  (at most)",
    ]


def test_the_cost_of_a_writer_is_not_among_it(project: Project) -> None:
    project.suite(count=1, languages=("python",), more='perturbation = ["hint"]\n')
    project.pytester.makepyfile("def test_own(): pass")
    words = "here a rule writes the hints; the cost of the writer is not counted"
    assert words not in count(project, {"baseline:truth": Teller()}, *ONE)
    assert words in count(project, {"baseline:truth": Teller()}, *ONE, "--eval-writer=baseline:chance")


def test_a_part_that_raises_is_told_as_what_it_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=1, languages=("python",))
    items = collect(project, *ONE)
    (question,) = list_questions(items)

    def fail(instance: Instance) -> object:
        raise KeyError("name")

    monkeypatch.setattr(question.suite.task, "steps", fail)
    (line,) = [line for line in format_dry_run(items, {}, {"baseline:truth": Teller()}) if "not asked" in line][:1]
    assert "raised KeyError: 'name'" in line


def test_of_questions_that_are_chosen_one_is_looked_at_for_each_condition(project: Project) -> None:
    """Building all of them took minutes for ``horizon``, and nobody knows which will be asked."""
    suite = 'task = "output-prediction"\nlanguages = ["python", "php"]\n[source]\nname = "ladder"\ncount = 20\n'
    (project.path / "own.suite.toml").write_text(f'{suite}[adaptive]\nover = "level"\ntop = 8\n')
    lines = count(project, {"baseline:truth": Teller()}, *ONE)
    assert "looked at: 12 questions, one for each condition that is chosen" in lines
    assert any(line.split() == ["questions", "128"] for line in lines)
