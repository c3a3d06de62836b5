"""A stream asks its questions and tells of each by its number, whatever the order in which answers come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.streaming import Hearer, Result, Stream
from tests.engine.tellers import Teller, make_suite


class Heard:
    """Takes what a stream tells."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self._ended: SimpleQueue[tuple[int, Result]] = SimpleQueue()

    @property
    def hearer(self) -> Hearer:
        return Hearer(self.begun.append, lambda number, result: self._ended.put((number, result)))

    def take(self, many: int) -> dict[int, Result]:
        return dict(self._ended.get(timeout=60) for _ in range(many))


class Streamed:
    """An engine with two models, and the questions of one suite to each."""

    def __init__(self, folder: Path) -> None:
        suite = make_suite(folder, count=6)
        self.models = {label: Teller(label=label) for label in ("a", "b")}
        self.engine = Engine(self.models, store=folder / "store", executor=Executor("auto"))
        specs = list(suite.specs())
        self.jobs = dict(enumerate(Job(label, suite, spec) for label in self.models for spec in specs))
        self.heard = Heard()

    def start(self, *, paced: bool = False) -> Stream:
        return self.engine.stream(self.jobs, self.heard.hearer, _fail, paced=paced)


def _fail(cell: object) -> Any:
    raise AssertionError("no suite is adaptive")


@pytest.fixture
def streamed(tmp_path: Path) -> Iterator[Streamed]:
    made = Streamed(tmp_path)
    yield made
    made.engine.close()


def test_every_question_is_told_with_its_records(streamed: Streamed) -> None:
    streamed.start()
    told = streamed.heard.take(12)
    assert sorted(told) == list(range(12))
    for number, records in told.items():
        assert isinstance(records, list)
        assert [(each.model, each.id) for each in records] == [
            (streamed.jobs[number].model, streamed.jobs[number].spec.id)
        ]
    assert sorted(streamed.heard.begun) == list(range(12))


def test_questions_wait_until_they_are_reached(streamed: Streamed) -> None:
    stream = streamed.start(paced=True)
    stream.reach("a", 2)
    assert sorted(streamed.heard.take(3)) == [0, 1, 2]
    stream.reach("b", 8)
    assert sorted(streamed.heard.take(6)) == [3, 4, 5, 6, 7, 8]
    assert len(streamed.models["b"].asked) == 3


def test_a_question_that_was_told_can_be_asked_again(streamed: Streamed) -> None:
    stream = streamed.start()
    streamed.heard.take(12)
    stream.ask_again(4)
    assert list(streamed.heard.take(1)) == [4]


def test_an_exception_is_told_too(streamed: Streamed) -> None:
    streamed.jobs[1] = streamed.jobs[1]._replace(spec=None)  # type: ignore[arg-type]
    streamed.start()
    told = streamed.heard.take(12)
    assert [number for number, result in told.items() if not isinstance(result, list)] == [1]
    assert isinstance(told[1], Exception)


def test_a_stream_that_stops_begins_nothing_more(tmp_path: Path) -> None:
    streamed = Streamed(tmp_path)
    stream = streamed.start(paced=True)
    stream.reach("a", 0)
    streamed.heard.take(1)
    assert stream.stop(30) == 0
    assert streamed.heard.begun == [0]
    streamed.engine.close()
