"""The engine as a session and the commands use it: several models, in order, and a clean end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Model, Request
from pytest_codereason.engine.asking import Asker
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine, check_models
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.limits.allowance import Allowance
from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import BudgetSpent, FatalModelError, PartError, UsageError
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.building.loaded import ROW, load
from tests.engine.tellers import Teller, make_suite, tell_truth


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return make_suite(tmp_path)


def open_engine(folder: Path, *models: Teller, **more: Any) -> Engine:
    named: Mapping[str, Model] = {model.label: model for model in models}
    return Engine(named, store=folder / "store", executor=Executor("auto"), **more)


def list_jobs(suite: Suite, *labels: str) -> list[Job]:
    return [Job(label, suite, spec) for label in labels for spec in suite.specs()]


def test_records_come_in_the_order_of_the_jobs(tmp_path: Path, suite: Suite) -> None:
    first, second = Teller(label="first"), Teller(label="second")
    jobs = list_jobs(suite, "second", "first")
    with open_engine(tmp_path, first, second) as engine:
        records = [record for records in engine.records(jobs) for record in records]
        assert [(record.model, record.id) for record in records] == [(job.model, job.spec.id) for job in jobs]
        again = engine.answers(jobs[::-1])
        assert [(record.model, record.id) for record in again] == [(job.model, job.spec.id) for job in jobs[::-1]]
        queue = engine.queue(jobs, side_by_side=False)
        assert [queue.records(number)[0].id for number in (0, 5)] == [jobs[0].spec.id, jobs[5].spec.id]
    assert (len(first.asked), len(second.asked)) == (3, 3)
    assert first.calls == second.calls == ["start", "close"]


def test_a_job_may_name_samples_and_repeats(tmp_path: Path) -> None:
    suite = make_suite(tmp_path, count=1, samples=3)
    (spec,) = suite.specs()
    with open_engine(tmp_path, Teller()) as engine:
        records = engine.answers([Job("teller", suite, spec, samples=(2,), repeats=1)])
    assert [(record.sample, record.repeat) for record in records] == [(2, 0), (2, 1)]


def test_other_work_is_done_with_the_asker_of_a_model(tmp_path: Path) -> None:
    async def work(asker: Asker, number: int) -> str:
        return f"{asker.answers.model.label} {number}"

    with open_engine(tmp_path, Teller(), Teller(label="other")) as engine:
        assert list(engine.work("other", [1, 2], work)) == ["other 1", "other 2"]


def test_the_engine_is_stopped_once_no_model_is_asked(tmp_path: Path, suite: Suite) -> None:
    def refuse(request: Request) -> Completion:
        raise FatalModelError("bad key")

    good, bad = Teller(label="good"), Teller(refuse, label="bad")
    with open_engine(tmp_path, good, bad) as engine:
        engine.answers(list_jobs(suite, "bad"))
        assert str(engine.find_stop("bad")) == "bad key"
        assert engine.find_stop("good") is None
        assert not engine.stopped
        engine.stop("enough")
        assert engine.stopped
        assert {record.reason for record in engine.answers(list_jobs(suite, "good"))} == {"enough"}
    assert good.asked == []


def test_runs_that_have_ended_are_asked_anew(tmp_path: Path, suite: Suite) -> None:
    model = Teller()
    for ends in (False, True, False):
        with open_engine(tmp_path, model) as engine:
            engine.answers(list_jobs(suite, "teller"))
            if ends:
                engine.end_runs("teller", [suite.plan])
    assert len(model.asked) == 6


@pytest.mark.parametrize(("reuse_s", "asked"), [(None, 3), (60.0, 3), (0, 6)])
def test_answers_of_earlier_runs_serve_as_the_user_allows(
    tmp_path: Path, suite: Suite, reuse_s: float | None, asked: int
) -> None:
    model = Teller()
    for session in ("one", "two"):
        with open_engine(tmp_path, model, reuse_s=reuse_s, allowance=Allowance(session=session)) as engine:
            engine.answers(list_jobs(suite, "teller"))
    assert len(model.asked) == asked


def test_a_session_in_another_process_stops_this_one(tmp_path: Path, suite: Suite) -> None:
    with open_engine(tmp_path, Teller(), allowance=Allowance(session="s")) as engine:
        with closing(Store(tmp_path / "store")) as store:
            store.notices.stop("s", "stopped elsewhere")
        assert {record.reason for record in engine.answers(list_jobs(suite, "teller"))} == {"stopped elsewhere"}


def test_time_and_money_are_limited(tmp_path: Path, suite: Suite) -> None:
    late, dear = Teller(label="late"), Teller(label="dear")
    over = TimeLimit(seconds=60.0, end=time.monotonic() - 1)
    with open_engine(tmp_path, late, allowance=Allowance(end=over)) as engine:
        engine.queue(list_jobs(suite, "late")).records(0)
        assert "--eval-max-time: the 60 seconds of this run are over" in str(engine.find_stop("late"))
    dear.price = (1.0, 1.0)
    with open_engine(tmp_path, dear, allowance=Allowance(max_cost=1e-9, session="s")) as engine:
        engine.answers(list_jobs(suite, "dear"))
        assert isinstance(engine.find_stop("dear"), BudgetSpent)
    assert dear.asked == []


def test_a_model_that_is_free_has_no_budget(tmp_path: Path, suite: Suite) -> None:
    free = Teller()
    for price in (None, (0.0, 0.0)):
        free.price = price
        with open_engine(tmp_path, free, allowance=Allowance(max_cost=1e-9, session=f"{price}"), reuse_s=0) as engine:
            assert [record.outcome for record in engine.answers(list_jobs(suite, "teller"))] == ["correct"] * 3


def test_several_models_begin_at_once_and_one_at_its_turn(tmp_path: Path, suite: Suite) -> None:
    begun = threading.Event()

    def tell(request: Request) -> Completion:
        begun.set()
        return tell_truth(request)

    first, second = Teller(label="first"), Teller(tell, label="second")
    jobs = list_jobs(suite, "first", "second")
    with open_engine(tmp_path, first, second) as engine:
        engine.queue(jobs[3:])
        engine.queue(jobs, side_by_side=False).records(0)
        assert second.asked == [], "its turn has not come"
        engine.queue(jobs)
        assert begun.wait(10)


def test_the_end_waits_no_longer_than_it_may(tmp_path: Path, suite: Suite) -> None:
    class Silent(Teller):
        async def answer(self, request: Request) -> Completion:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError("nothing wakes it")

    for grace_s in (0.0, 0.2):
        begun = threading.Event()
        engine = open_engine(tmp_path / f"{grace_s}", Silent(), Teller(label="other"))
        engine.queue(list_jobs(suite, "teller", "other"))
        assert begun.wait(10)
        before = time.monotonic()
        engine.close(grace_s=grace_s)
        assert grace_s <= time.monotonic() - before < grace_s + 5


def test_answers_in_flight_arrive_before_the_end(tmp_path: Path, suite: Suite) -> None:
    class Slow(Teller):
        async def answer(self, request: Request) -> Completion:
            self.asked.append(request)
            begun.set()
            await asyncio.to_thread(go_on.wait, 10)
            return tell_truth(request)

    begun, go_on, model = threading.Event(), threading.Event(), Slow()
    engine = open_engine(tmp_path, model, Teller(label="other"))
    engine.queue(list_jobs(suite, "teller", "other"))
    assert begun.wait(10)
    threading.Timer(0.05, go_on.set).start()
    engine.close()
    again = Teller()
    with open_engine(tmp_path, again) as engine:
        engine.answers(list_jobs(suite, "teller"))
    assert 0 < len(model.asked) == 3 - len(again.asked), "what had arrived is in the store"


def test_a_writer_writes_for_the_model_that_has_one(tmp_path: Path) -> None:
    suite = load(tmp_path, ROW | {"output": "3"}, '[matrix]\nperturbation = ["hint"]\n')
    writer = Teller(lambda request: Completion(text="[ANSWER]4[/ANSWER]"), label="writer")
    helped, alone = Teller(label="helped"), Teller(label="alone")
    with open_engine(tmp_path, helped, alone, writers={"helped": writer}) as engine:
        (first, second) = engine.answers(list_jobs(suite, "helped", "alone"))
    assert (first.hint_by, second.hint_by) == ("writer", "rule")
    assert (len(writer.asked), writer.calls) == (1, ["start", "close"])


def test_the_requests_of_a_session_are_noted_at_its_end(tmp_path: Path, suite: Suite) -> None:
    with open_engine(tmp_path, Teller(), allowance=Allowance(session="s")) as engine:
        engine.answers(list_jobs(suite, "teller"))
    with closing(Store(tmp_path / "store")) as store:
        assert store.count_sent("s") == 3


def test_a_model_that_cannot_be_closed_costs_no_answer(tmp_path: Path, suite: Suite) -> None:
    class Stuck(Teller):
        async def close(self) -> None:
            raise OSError("stuck")

    engine = open_engine(tmp_path, Stuck())
    assert [record.outcome for record in engine.answers(list_jobs(suite, "teller"))] == ["correct"] * 3
    with pytest.warns(UserWarning, match="stuck"):
        engine.close()


@pytest.mark.parametrize(
    ("concurrency", "processes", "shares"),
    [(None, 1, [2]), (8, 1, [8]), (8, 3, [3, 3, 2]), (2, 3, [1, 1, 1]), (7, 2, [4, 3])],
)
def test_processes_share_the_requests_of_a_session(concurrency: int | None, processes: int, shares: list[int]) -> None:
    allowances = [
        Allowance(concurrency=concurrency, processes=processes, process=process) for process in range(processes)
    ]
    assert [allowance.count_requests(Teller()) for allowance in allowances] == shares


def test_models_are_checked_together() -> None:
    class Broken(Teller):
        async def check(self) -> None:
            raise ZeroDivisionError("mine")

    class Missing(Teller):
        async def check(self) -> None:
            raise UsageError("no such model")

    assert check_models([Teller(), Teller()]) == []
    (error,) = check_models([Teller(), Broken()])
    assert isinstance(error, PartError)
    with pytest.raises(UsageError, match="mine"):
        check_models([Broken()])
    with pytest.raises(UsageError, match="no such model"):
        check_models([Broken(), Missing(), Teller()])
