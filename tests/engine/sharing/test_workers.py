"""Forked workers give the answers of one process, whatever becomes of a worker."""

from __future__ import annotations

import json
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Request
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.sharing.sharding import Work, find_family
from pytest_codereason.engine.sharing.workers import ForkedWorkers, SharedQuestion, Staff
from pytest_codereason.errors import StoreError
from tests.engine.tellers import Teller, make_suite, tell_truth

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")


def _fail(*_: object) -> Any:
    raise StoreError("the store is gone")


class Office:
    """Workers that ask six questions, and what they say."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said = folder, list[str]()
        suite = make_suite(folder, count=6)
        specs = list(suite.specs())
        self.ids = [spec.id for spec in specs]
        self.questions = [SharedQuestion(Work(find_family(spec.id), 1), Job("teller", suite, spec)) for spec in specs]
        self.workers: ForkedWorkers | None = None

    def open(self, say: Callable[[Request], Completion] = tell_truth, **more: Any) -> ForkedWorkers:
        def open_engine(process: int, processes: int) -> Engine:
            return Engine({"teller": Teller(say)}, store=self.folder / "store", executor=Executor("auto"))

        staff = {"count": 2, "open_engine": open_engine, "find_chooser": _fail, "leave": lambda: None, **more}
        self.workers = ForkedWorkers(self.questions, Staff(folder=self.folder, say=self.said.append, **staff))
        return self.workers

    def take_all(self) -> list[tuple[str, str]]:
        """The id and the outcome of each question, from its line."""
        assert self.workers is not None
        rows = []
        for number in range(len(self.ids)):
            answered = self.workers.find_answers(number)
            assert not isinstance(answered, str)
            row = json.loads(answered.lines)
            assert (row["outcome"] == "correct") == (answered.tally.outcome == "correct")
            rows.append((row["id"], row["outcome"]))
        return rows


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made, before = Office(tmp_path), list_children()
    yield made
    if made.workers is not None:
        made.workers.close()
    assert list_children() <= before


def list_children() -> set[str]:
    """The processes that this one has started and not waited for."""
    return set(Path(f"/proc/self/task/{threading.main_thread().native_id}/children").read_text().split())


def test_answers_come_in_the_order_in_which_they_are_wanted(office: Office) -> None:
    workers = office.open()
    assert office.take_all() == [(each, "correct") for each in office.ids]
    assert workers.find_stop("teller") == ""
    again = workers.find_answers(3)
    assert not isinstance(again, str)
    assert json.loads(again.lines)["id"] == office.ids[3]


def test_more_workers_than_programs_are_not_made(office: Office) -> None:
    office.open(count=50)
    assert office.workers is not None
    assert office.workers.count == 6
    assert len(office.take_all()) == 6


def test_questions_of_a_paced_session_are_asked_as_they_come_near(office: Office) -> None:
    office.open(paced=True)
    assert len(office.take_all()) == 6


def die_at(program: str) -> Callable[[Request], Completion]:
    def say(request: Request) -> Completion:
        if program in request.instance.id:
            os.kill(os.getpid(), signal.SIGKILL)
        return tell_truth(request)

    return say


def test_a_question_that_kills_two_workers_is_unanswered_and_the_others_are_not(office: Office) -> None:
    office.open(die_at("0005"))
    rows = dict(office.take_all())
    assert rows[office.ids[5]] == "error"
    assert sum(outcome == "correct" for outcome in rows.values()) >= 3, "two may have been under way beside it, twice"
    assert all("has died (SIGKILL): " in line for line in office.said)
    assert len(office.said) >= 2


def test_after_so_many_deaths_no_other_worker_is_made(office: Office) -> None:
    office.open(die_at("0005"), most_deaths=0)
    assert dict(office.take_all())[office.ids[5]] == "error"
    assert office.said[0].endswith("has died (SIGKILL): no other one takes its place")


def test_why_a_worker_cannot_ask_is_raised_here(office: Office) -> None:
    workers = office.open(open_engine=_fail)
    for number in (0, 1):
        with pytest.raises(StoreError, match="the store is gone"):
            workers.find_answers(number)


def warn(request: Request) -> Completion:
    warnings.warn("too hot", UserWarning, stacklevel=1)
    return tell_truth(request)


def test_a_warning_in_a_worker_is_one_here(office: Office) -> None:
    office.open(warn)
    with pytest.warns(UserWarning, match="too hot"):
        office.take_all()


def test_lines_go_through_the_channel_where_their_file_cannot_be_written(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.open(leave=lambda: monkeypatch.setattr("os.write", refuse_files(os.write)))
    assert office.take_all() == [(each, "correct") for each in office.ids]


def refuse_files(write: Callable[..., int]) -> Callable[..., int]:
    """``os.write`` on a disk that is full: channels can be written."""

    def refuse(number: int, content: Any) -> int:
        if os.readlink(f"/proc/self/fd/{number}").startswith("/"):
            raise OSError(28, "No space left")
        return write(number, content)

    return refuse
