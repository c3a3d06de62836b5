"""The runs in the store. A run is one selection of a plan on one model: it stays open until it is answered.

While a run is open, the command that began it finds its answers again. Another selection (``-k``, ``--eval-limit`` ...)
is another run.
"""

from __future__ import annotations

from pytest_codereason.core import Model, digest
from pytest_codereason.engine.storage.store import FOR_EVER, Store


def name_scope(plan: str, model: Model) -> str:
    """The scope of a run: the name of its plan and its model, with the model's own settings of sampling."""
    own = {"sampling": dict(model.sampling)} if model.sampling else {}
    return f"{plan}:{digest({**model.identity, **own})[:32]}"


class OpenRuns:
    """The runs of one model, each found by its plan.

    Args:
        selection: which questions of the suites the command selects, as text; empty for all.
        only: the session whose answers alone are used: it is the run of each plan then.
    """

    def __init__(self, store: Store, model: Model, selection: str = "", *, only: str | None = None) -> None:
        self._store, self._model, self._selection, self._only = store, model, selection, only
        self._scopes: dict[str, str] = {}
        self._open: dict[str, str] = {}  # by name

    def find_scope(self, plan: str) -> str:
        """The scope of the run of a plan."""
        if plan not in self._scopes:
            self._scopes[plan] = name_scope(plan, self._model)
        return self._scopes[plan]

    def find(self, plan: str) -> str:
        """The run of new answers. A pinned model has no run, because its answers stay valid for ever."""
        return self._find(self.name(plan), pinned=self._model.pinned)

    def find_for_texts(self, plan: str, writer: Model) -> str:
        """The run of the texts that a writer writes for the questions of a plan."""
        return self._find(self._name_for_texts(plan, writer), pinned=writer.pinned)

    def count(self, plan: str) -> int:
        """How many answers of a plan's run the store holds."""
        return self._store.count(self.find_scope(plan), self.find(plan)) if self._model.stored else 0

    def close(self, plan: str) -> None:
        """Ends a run that has all its answers. The next run asks an unpinned model anew."""
        if self._model.stored and not self._model.pinned:
            self._close(self.name(plan))

    def close_for_texts(self, plan: str, writer: Model) -> None:
        """Ends a run of texts. The next run has an unpinned writer write anew."""
        self._close(self._name_for_texts(plan, writer))

    def _find(self, name: str, *, pinned: bool) -> str:
        if self._only is not None:
            return self._only
        if pinned:
            return FOR_EVER
        if name not in self._open:
            self._open[name] = self._store.open_run(name)
        return self._open[name]

    def _close(self, name: str) -> None:
        self._open.pop(name, None)
        self._store.close_run(name)

    def name(self, plan: str) -> str:
        """What the run of a plan is called while it is open."""
        scope = self.find_scope(plan)
        return f"{scope}:{self._selection}" if self._selection else scope

    def _name_for_texts(self, plan: str, writer: Model) -> str:
        return f"texts by {name_scope('', writer)}:{self.name(plan)}"
