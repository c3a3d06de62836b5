"""Questions are dealt to workers once, whole programs at a time, and what a dead worker leaves goes to the next."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_codereason.engine.sharing.scheduling import ShareScheduling, find_worker_index
from pytest_codereason.engine.sharing.sharding import Work, find_family, share
from pytest_codereason.errors import UsageError

IDS = [f"s.suite.toml::python/{program:04}[digits:{digits}]" for program in range(6) for digits in (2, 3)]
TESTS = ["test_a.py::test_one", "test_a.py::test_two"]


class Worker:
    """A worker of xdist as a scheduling sees it: it takes items, and is told to end."""

    def __init__(self, place: int, specs: Sequence[object]) -> None:
        self.gateway = SimpleNamespace(id=f"gw{place}", spec=specs[place])
        self.nodemanager = SimpleNamespace(specs=specs)
        self.items: list[int] = []
        self.ended = False

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        self.items += indices

    def shutdown(self) -> None:
        self.ended = True


SPECS = [object(), object(), object()]


def make_workers(many: int, *, most_restarts: str | None = None) -> tuple[ShareScheduling, list[Any]]:
    config = SimpleNamespace(getoption=lambda name, default: most_restarts)
    scheduling = ShareScheduling(
        cast(pytest.Config, config), many, lambda ids: [Work(find_family(nodeid), 1) for nodeid in ids]
    )
    workers = [Worker(place, SPECS) for place in range(many)]
    for worker in workers:
        scheduling.add_node(cast(Any, worker))
    return scheduling, workers


def begin(many: int, ids: Sequence[str] = IDS, **more: str) -> tuple[ShareScheduling, list[Any]]:
    scheduling, workers = make_workers(many, **more)
    for worker in workers:
        assert not scheduling.collection_is_completed
        scheduling.add_node_collection(worker, ids)
    assert scheduling.collection_is_completed
    scheduling.schedule()
    return scheduling, workers


def test_each_worker_gets_its_share_and_an_idle_one_ends() -> None:
    scheduling, workers = begin(3)
    work = [Work(find_family(nodeid), 1) for nodeid in IDS]
    assert [worker.items for worker in workers] == [share(work, 3, k) for k in range(3)]
    assert scheduling.nodes == workers
    scheduling.schedule()
    assert sum(len(worker.items) for worker in workers) == len(IDS), "items are dealt once"
    _, workers = begin(3, IDS[:4])
    assert [worker.ended for worker in workers] == [False, False, True]


def test_a_worker_holds_its_last_item_back_until_all_are_told_to_stop() -> None:
    scheduling, workers = begin(2)
    assert not scheduling.tests_finished
    for worker in workers:
        for item in worker.items[:-1]:
            assert not scheduling.tests_finished
            scheduling.mark_test_complete(worker, item)
    assert scheduling.tests_finished
    assert scheduling.has_pending
    for worker in workers:
        scheduling.mark_test_complete(worker, worker.items[-1])
    assert not scheduling.has_pending


def test_workers_that_collect_other_items_are_refused() -> None:
    scheduling, (first, second) = make_workers(2)
    scheduling.add_node_collection(first, IDS)
    with pytest.raises(UsageError, match="worker gw1 collected other items than the first worker"):
        scheduling.add_node_collection(second, IDS[::-1])


def replace(scheduling: ShareScheduling, dead: Any, ids: Sequence[str] = IDS) -> Any:
    fresh: Any = Worker(find_worker_index(dead), SPECS)
    scheduling.add_node(fresh)
    scheduling.add_node_collection(fresh, ids)
    scheduling.schedule()
    return fresh


def test_a_question_on_which_a_worker_dies_is_asked_once_more() -> None:
    scheduling, (first, second) = begin(2, IDS + TESTS)
    first_item, *rest = first.items
    assert scheduling.remove_node(first) is None
    assert scheduling.nodes == [second]
    assert not scheduling.tests_finished, "its items are left"
    again = replace(scheduling, first, IDS + TESTS)
    assert again.items == [first_item, *rest]
    assert len(second.items) + len(again.items) == len(IDS + TESTS)
    assert scheduling.remove_node(again) == IDS[first_item], "the second time it has failed"
    last = replace(scheduling, again, IDS + TESTS)
    assert last.items == rest


def test_a_test_on_which_a_worker_dies_has_failed() -> None:
    scheduling, workers = begin(2, IDS + TESTS)
    worker = next(worker for worker in workers if len(IDS) in worker.items)
    for item in worker.items[:]:
        if item < len(IDS):
            scheduling.mark_test_complete(worker, item)
    assert scheduling.remove_node(worker) == TESTS[0]


def test_without_restarts_nothing_is_asked_once_more() -> None:
    scheduling, (first, _) = begin(2, IDS, most_restarts="0")
    item = first.items[0]
    assert scheduling.remove_node(first) == IDS[item]


def test_a_worker_that_dies_idle_loses_nothing() -> None:
    scheduling, (first, second) = begin(2)
    for item in first.items:
        scheduling.mark_test_complete(first, item)
    assert scheduling.remove_node(first) is None
    fresh = replace(scheduling, first)
    assert (fresh.items, fresh.ended) == ([], True)
    assert scheduling.nodes == [second, fresh]


def test_an_item_that_is_run_again_goes_to_the_worker_with_the_fewest() -> None:
    scheduling, (first, second) = begin(2)
    dealt, again = len(second.items), first.items[:2]
    for item in second.items[:3]:
        scheduling.mark_test_complete(second, item)
    scheduling.mark_test_pending(IDS[again[0]])
    scheduling.remove_pending_tests_from_node(first, again[1:])
    assert second.items[dealt:] == again
    fresh: Any = Worker(2, SPECS)
    scheduling.add_node(fresh)
    scheduling.mark_test_pending(IDS[again[0]])
    assert fresh.items == [], "it has not collected its items yet"
    scheduling.mark_test_complete(second, second.items.pop())
    for worker, items in ((first, first.items[:1] + first.items[2:]), (second, second.items[3:])):
        for item in items:
            scheduling.mark_test_complete(worker, item)
    assert not scheduling.has_pending
