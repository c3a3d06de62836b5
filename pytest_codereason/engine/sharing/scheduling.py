"""Deals questions to the workers of pytest-xdist. Every worker knows its share from the start.

A worker sends requests ahead of its current item, so it must know the next items. The schedulers of xdist deal items
piece by piece. Here, controller and worker both call :func:`~pytest_codereason.engine.sharing.sharding.share`.

If a worker dies, its replacement asks the current question once more. If the replacement dies too, the question has
failed. An ordinary test fails at once, as under xdist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pytest_codereason.engine.sharing.sharding import Work, share
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites import suite as suites

if TYPE_CHECKING:
    import pytest
    from xdist.workermanage import WorkerController


class ShareScheduling:
    """An xdist ``Scheduling``: deals whole families, once.

    Args:
        config: pytest's configuration.
        workers: the number of workers.
        measure: gives the work of each node id, with the same result as in the workers.
    """

    def __init__(self, config: pytest.Config, workers: int, measure: Callable[[Sequence[str]], Sequence[Work]]) -> None:
        self.config = config  # other plugins look for it here
        self._workers = workers
        self._measure = measure
        self._work: Sequence[Work] | None = None
        self._ids: list[str] | None = None
        self._collected: set[WorkerController] = set()
        self._pending: dict[WorkerController, list[int]] = {}
        self._orphans: dict[int, list[int]] = {}  # by worker index: what a dead worker left
        self._crashed_once: set[int] = set()
        self._started: set[WorkerController] = set()
        self.collection_is_completed = False

    @property
    def nodes(self) -> list[WorkerController]:
        """The workers that are alive."""
        return list(self._pending)

    @property
    def tests_finished(self) -> bool:
        """Whether every worker has at most one item left, which it holds back until it is told to stop."""
        return (
            self.collection_is_completed
            and not self._orphans
            and all(len(pending) < 2 for pending in self._pending.values())
        )

    @property
    def has_pending(self) -> bool:
        """Whether anything is left to do."""
        return bool(self._orphans) or any(self._pending.values())

    def add_node(self, node: WorkerController) -> None:
        """A worker has started."""
        self._pending[node] = []

    def add_node_collection(self, node: WorkerController, collection: Sequence[str]) -> None:
        """A worker has collected its items. All workers must collect the same items."""
        if self._ids is None:
            self._ids = list(collection)
        elif self._ids != list(collection):
            raise UsageError(
                f"worker {node.gateway.id} collected other items than the first worker; every process must give the "
                "questions the same ids"
            )
        self._collected.add(node)
        self.collection_is_completed = self.collection_is_completed or len(self._collected) >= self._workers

    def schedule(self) -> None:
        """Deals items to every worker that has none yet."""
        assert self._ids is not None
        if self._work is None:
            self._work = self._measure(self._ids)
        for node, pending in self._pending.items():
            if node in self._started or node not in self._collected:
                continue
            index = find_worker_index(node)
            if index in self._orphans:
                pending[:] = self._orphans.pop(index)
            elif len(self._started) < self._workers:
                pending[:] = share(self._work, self._workers, index)
            self._started.add(node)
            if pending:
                node.send_runtest_some(pending)
            else:
                node.shutdown()

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """An item is done."""
        self._pending[node].remove(item_index)

    def mark_test_pending(self, item: str) -> None:
        """Runs an item again, on the worker with the fewest items."""
        assert self._ids is not None
        index = self._ids.index(item)
        node = min(self._started & self._pending.keys(), key=lambda n: len(self._pending[n]))
        self._pending[node].append(index)
        node.send_runtest_some([index])

    def remove_pending_tests_from_node(self, node: WorkerController, indices: Sequence[int]) -> None:
        """Takes items back from a worker. They go to the worker with the fewest items."""
        assert self._ids is not None
        for index in indices:
            self._pending[node].remove(index)
            self.mark_test_pending(self._ids[index])

    def remove_node(self, node: WorkerController) -> str | None:
        """Removes a dead worker. Returns the item that it died on, if that item is not run again."""
        pending = self._pending.pop(node)
        self._collected.discard(node)
        if not pending:
            return None
        assert self._ids is not None
        given_up = None
        again = suites.is_question(self._ids[pending[0]]) and pending[0] not in self._crashed_once
        if not again or self.config.getoption("maxworkerrestart", default=None) == "0":
            given_up = self._ids[pending.pop(0)]
        else:
            self._crashed_once.add(pending[0])
        if pending:
            self._orphans[find_worker_index(node)] = pending
        return given_up


def find_worker_index(node: WorkerController) -> int:
    """The place of a worker among all workers. A replacement has the place of the worker it replaces."""
    specs = node.nodemanager.specs
    return next(i for i, spec in enumerate(specs) if spec is node.gateway.spec)
