"""Questions as pytest's items: their ids, words and markers, and what stands for a suite that asks nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from pytest_codereason.core import Outcome, Record
from pytest_codereason.engine.recording import make_unasked
from pytest_codereason.engine.tallies import Answered, sum_up
from pytest_codereason.session.collecting.items import (
    BrokenSuite,
    Miss,
    Placeholder,
    Question,
    Unanswered,
    _make_ids,
    assign_item,
    axis_mark,
    make_questions,
)
from pytest_codereason.session.interviewer import Interviewer
from pytest_codereason.session.shared import SHARED
from tests.session.collected import collect, list_questions
from tests.session.conftest import Project


@pytest.fixture(autouse=True)
def _any_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pytest that runs these tests allows its own markers alone; the axes are those of another."""
    monkeypatch.setattr(pytest.mark, "_config", None)


def test_a_question_has_an_id_words_and_markers(project: Project) -> None:
    project.suite(count=2, prompting=("direct", "cot"), more="digits = [2, 4]\n")
    project.pytester.makepyfile("def test_one(): pass\n")
    items = collect(project, "--model=baseline:truth")
    questions = list_questions(items)
    assert len(questions) == 2 * 2 * 2 * 2
    wanted = ("php", "0001", {"digits": 4, "prompting": "cot"})
    (one,) = (q for q in questions if (q.spec.language, q.spec.program, dict(q.spec.axes)) == wanted)
    assert one.nodeid == f"small.suite.toml::{one.name}"
    assert one.reportinfo() == (project.path / "small.suite.toml", 0, one.name)
    assert "digits4" in one.listextrakeywords()
    assert not {"promptingcot", "pcot"} & one.listextrakeywords()
    marks = {mark.name: mark.kwargs for mark in one.iter_markers()}
    assert marks == {"language": {"name": "php"}, "digits": {"n": 4}, "prompting": {"name": "cot"}}
    assert [mark.kwargs for mark in one.iter_markers("digits")] == [{"n": 4}]
    assert one.get_closest_marker("shots") is None
    assignment = assign_item(one, repeats=3)
    assert (assignment.nodeid, assignment.work.family) == (one.nodeid, "small.suite.toml::php/0001")
    assert assignment.work.cost == one.suite.cost_of(one.spec)
    assert assignment.job is not None
    assert (assignment.job.model, assignment.job.spec, assignment.job.repeats) == ("baseline:truth", one.spec, 3)
    assert one.assign().job == assignment.job._replace(repeats=0)
    test = assign_item(items[-1] if not isinstance(items[-1], Question) else items[0], repeats=3)
    assert (test.work.cost, test.job) == (1, None)
    skipped = one.record_skip("too hot")
    assert [(r.outcome, r.reason, r.sample, r.model) for r in skipped] == [("skipped", "too hot", 0, "baseline:truth")]


def test_several_models_have_collectors_of_their_own(project: Project) -> None:
    project.suite(count=1)
    items = list_questions(collect(project, "--model=baseline:truth", "--model=baseline:chance", "--eval-limit=1"))
    assert [item.nodeid.split("::")[1] for item in items] == ["baseline:truth", "baseline:chance"]
    assert [item.model for item in items] == ["baseline:truth", "baseline:chance"]


BROKEN = """
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction

class Task(OutputPrediction):
    version = property(lambda self: 1 / 0)
"""


@pytest.mark.parametrize(
    ("task", "source", "kind", "name", "told"),
    [
        ("outptu-prediction", "semtrace", Placeholder, "unreadable", "the suite file cannot be read"),
        ("output-prediction", "cruxeval", Placeholder, "left-out", "cruxeval"),
        ("brokentask:Task", "semtrace", BrokenSuite, "broken", "division by zero"),
    ],
)
def test_a_suite_that_asks_nothing_has_one_item(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    task: str,
    source: str,
    kind: type[pytest.Item],
    name: str,
    told: str,
) -> None:
    monkeypatch.delenv("CODEREASON_DATA", raising=False)
    project.pytester.makepyfile(brokentask=BROKEN)
    project.pytester.syspathinsert()
    (project.path / "other.suite.toml").write_text(f'task = "{task}"\n[source]\nname = "{source}"\n')
    (item,) = collect(project, "--model=baseline:truth", "other.suite.toml")
    assert type(item) is kind
    assert item.name == name
    assert item.reportinfo() == (project.path / "other.suite.toml", 0, name)
    with pytest.raises(Unanswered if kind is BrokenSuite else pytest.skip.Exception, match=told) as caught:
        item.runtest()
    if kind is BrokenSuite:
        assert item.repr_failure(caught) == str(caught.value)
        assert "version = property" in str(caught.value), "the traceback of the part"


def test_without_a_model_suites_are_skipped_and_counted(project: Project) -> None:
    for name in ("one", "two"):
        project.suite(name, count=1)
    result = project.run()
    result.stdout.fnmatch_lines(["codereason: 2 suites skipped: pass --model=PROVIDER:NAME"])
    result.assert_outcomes(skipped=2)


def test_a_number_is_a_marker_with_n_and_a_word_one_with_a_name() -> None:
    assert (axis_mark("digits", 4).name, axis_mark("digits", 4).kwargs) == ("digits", {"n": 4})
    assert axis_mark("prompting", "cot").kwargs == {"name": "cot"}


def test_a_question_is_right_missed_or_unanswered(project: Project) -> None:
    project.suite(count=2, languages=("python",))
    project.pytester.makepyfile(
        own=(
            "from pytest_codereason.models.baseline import BaselineModel\n"
            "from pytest_codereason.errors import FatalModelError\n"
            "class Dead(BaselineModel):\n"
            "    @classmethod\n"
            "    def create(cls, name, *, url, args): return super().create('truth', url=url, args=args)\n"
            "    async def answer(self, request): raise FatalModelError('bad key')\n"
        )
    )
    project.pytester.syspathinsert()
    for model, outcome, told in (
        ("baseline:truth", "correct", ["*2 passed*"]),
        ("baseline:chance", "wrong", ["*MISS expected *, got *", "*2 missed*"]),
        ("own:Dead", "error", ["*bad key*"]),
    ):
        result = project.run(f"--model={model}", "-v")
        result.stdout.fnmatch_lines(told)
        assert {row["outcome"] for row in project.records()} == {outcome}


class Told:
    """Stands for the interviewer: the answers of every question, and why its model is not asked any more."""

    def __init__(self, records: list[Record], stop: str, answered: Collection[str] = ()) -> None:
        self._records, self._stop, self._answered = records, stop, answered

    def find_answers(self, nodeid: str) -> Answered:
        return sum_up(self._records)

    def find_stop(self, model: str) -> str:
        return self._stop

    def list_answered(self, nodeids: Sequence[str]) -> Collection[str]:
        return self._answered


@pytest.mark.parametrize(
    ("outcome", "raised", "stop", "before", "after"),
    [
        ("correct", None, "bad key", False, False),
        ("wrong", Miss, "bad key", False, False),
        ("skipped", pytest.skip.Exception, "bad key", False, False),
        ("error", Unanswered, "", False, False),
        ("error", Unanswered, "bad key", False, "bad key"),
        ("error", Unanswered, "bad key", "ten failures", "ten failures"),
    ],
)
def test_a_model_that_is_not_asked_any_more_ends_the_run_at_its_first_error(
    project: Project,
    outcome: Outcome,
    raised: type[BaseException] | None,
    stop: str,
    before: bool | str,
    after: bool | str,
) -> None:
    project.suite(count=1, languages=("python",))
    (question,) = list_questions(collect(project, "--model=baseline:truth"))
    record = replace(make_unasked(question.suite, question.spec, question.model, 0, "too hot"), outcome=outcome)
    question.config.stash[SHARED] = replace(
        question.config.stash[SHARED], interviewer=cast("Interviewer", Told([record], stop))
    )
    question.session.shouldstop = before
    with pytest.raises(raised) if raised else nullcontext() as caught:
        question.runtest()
    # Some plugins keep the exception of every miss, and with it the frames.
    for entry in caught.traceback[1:] if caught else ():
        assert not [value for value in entry.frame.f_locals.values() if isinstance(value, Answered)]
    assert question.session.shouldstop == after
    assert question.answered == sum_up([record])


def test_what_is_answered_already_has_its_turn_before_a_run_ends(project: Project) -> None:
    project.suite(count=2, languages=("python", "php"))
    questions = list_questions(collect(project, "--model=baseline:truth"))
    first, _, third, _ = questions
    session, config = first.session, first.config
    records = [make_unasked(first.suite, first.spec, first.model, 0, "too hot")]

    def tell(outcome: Outcome) -> None:
        told = Told([replace(records[0], outcome=outcome)], "bad key", [third.nodeid])
        config.stash[SHARED] = replace(config.stash[SHARED], interviewer=cast("Interviewer", told))

    session.items[:] = questions
    tell("error")
    with pytest.raises(Unanswered):
        first.runtest()
    assert session.items == [first, third]
    stops = [session.shouldstop]
    tell("correct")
    third.runtest()
    assert [*stops, session.shouldstop] == [False, "bad key"]


def test_a_condition_that_only_a_stage_gives_is_in_the_id(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    (question,) = list_questions(collect(project, "--model=baseline:truth"))
    others = [question.spec._replace(axes=(("depth", depth),)) for depth in (1, 2)]
    assert question.parent is not None
    made = list(make_questions(question.parent, question.suite, question.model, [*others, others[0]]))
    assert [each.name for each in made] == [f"python/0000[depth:{depth}]" for depth in (1, 2, 1)]


def test_older_pytests_get_ids_as_text() -> None:
    make = _make_ids(cast("pytest.Collector", SimpleNamespace(nodeid="s.suite.toml")))
    assert make("php/0001", "digits:4") == "s.suite.toml::php/0001[digits:4]"
    assert make("php/0001", "") == "s.suite.toml::php/0001"


def test_ids_are_values_where_pytest_has_them_as_values(project: Project) -> None:
    """As text, each would be read again, which takes long for 100,000 of them."""
    project.suite(count=1, languages=("python",))
    (question,) = list_questions(collect(project, "--model=baseline:truth"))
    assert question.parent is not None
    made = _make_ids(question.parent)("php/0001", "digits:4")
    assert isinstance(made, type(getattr(question.parent, "id", "")))
    assert str(made).endswith("small.suite.toml::php/0001[digits:4]")
