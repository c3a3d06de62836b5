"""Questions are handed to the engine once, at the first that is due, and each process asks its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Record
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.engine.adaptive import CellJob
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.sharing.sharding import Work, find_family
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.session.interviewer import Assignment, Interviewer, OwnInterviewer, Worker
from pytest_codereason.session.running.choosing import RoundChooser
from tests.engine.tellers import ADAPTIVE, Teller, make_suite


@pytest.fixture
def assignments(tmp_path: Path) -> list[Assignment]:
    """Six questions and a test between them."""
    suite = make_suite(tmp_path, count=6)
    questions = [
        Assignment(f"s::{spec.id}", Work(find_family(spec.id), 1), Job("teller", suite, spec)) for spec in suite.specs()
    ]
    return [*questions[:3], Assignment("test_a.py::test_one", Work("test_a.py", 1), None), *questions[3:]]


class Opened:
    """Opens an engine, and counts how often."""

    def __init__(self, folder: Path) -> None:
        self.model, self.many, self._folder = Teller(), 0, folder

    def __call__(self) -> Engine:
        self.many += 1
        return Engine({"teller": self.model}, store=self._folder / "store", executor=Executor("auto"))


def choose(cell: CellJob) -> RoundChooser:
    return RoundChooser()


def list_records(interviewer: Interviewer, item: Assignment) -> list[Record]:
    answered = interviewer.find_answers(item.nodeid)
    assert not isinstance(answered, str)
    return [decode(Record, line) for line in answered.lines.splitlines()]


def test_the_engine_is_opened_for_the_first_question(tmp_path: Path, assignments: list[Assignment]) -> None:
    opened = Opened(tmp_path)
    interviewer = OwnInterviewer(opened, lambda: assignments, choose, worker=None, side_by_side=True)
    with interviewer.pause():
        pass
    interviewer.close()
    assert opened.many == 0
    for each in assignments:
        if each.job is not None:
            (record,) = list_records(interviewer, each)
            assert record.id == each.job.spec.id
    assert interviewer.find_stop("teller") == ""
    interviewer.engine.stop("enough")
    assert interviewer.find_stop("teller") == "teller: enough"
    interviewer.close()
    assert opened.many == 1
    assert opened.model.calls == ["start", "close"]


@pytest.mark.parametrize(("knows_share", "asked"), [(True, 2), (False, 6)])
def test_a_worker_that_knows_its_share_asks_that_alone(
    tmp_path: Path, assignments: list[Assignment], knows_share: bool, asked: int
) -> None:
    """Of seven items the second of two workers has three, among them the test."""
    opened = Opened(tmp_path)
    worker = Worker(1, 2, knows_share)
    interviewer = OwnInterviewer(opened, lambda: assignments, choose, worker=worker, side_by_side=False)
    mine = list[Record]()
    for each in assignments:
        try:
            mine += list_records(interviewer, each)
        except KeyError:
            continue
    interviewer.close()
    assert len(mine) == len(opened.model.asked) == asked


def test_questions_of_adaptive_suites_are_asked_in_rounds_beside_the_others(
    tmp_path: Path, assignments: list[Assignment]
) -> None:
    """Of 64 questions about eight levels at most eight are asked, and the others are told why not."""
    path = tmp_path / "ladder.suite.toml"
    path.write_text(ADAPTIVE)
    ladder = load(path)
    chosen = [
        Assignment(f"l::{each.id}", Work(find_family(each.id), 1), Job("teller", ladder, each))
        for each in ladder.specs()
    ]
    opened = Opened(tmp_path)
    interviewer = OwnInterviewer(opened, lambda: [*assignments, *chosen], choose, worker=None, side_by_side=True)
    ends = {each.nodeid: interviewer.find_answers(each.nodeid) for each in chosen}
    asked = {nodeid: answered for nodeid, answered in ends.items() if not isinstance(answered, str)}
    assert 0 < len(asked) <= 8
    assert all(f"l::{decode(Record, answered.lines).id}" == nodeid for nodeid, answered in asked.items())
    assert all(ends[nodeid] for nodeid in ends.keys() - asked.keys())
    (record,) = list_records(interviewer, assignments[0])
    assert f"s::{record.id}" == assignments[0].nodeid
    interviewer.close()


def test_an_engine_that_gets_no_questions_is_closed(tmp_path: Path) -> None:
    def fail() -> list[Assignment]:
        raise ZeroDivisionError("no items")

    opened = Opened(tmp_path)
    interviewer = OwnInterviewer(opened, fail, choose, worker=None, side_by_side=True)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            interviewer.find_answers("s::python/0")
    assert opened.many == 2
