"""Manages the runs in the store. A run is one selection of a plan on one model: it stays open until it is answered.

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


def find_run(store: Store, plan: str, model: Model, selection: str) -> str:
    """The run of new answers. A pinned model has no run, because its answers stay valid for ever."""
    return FOR_EVER if model.pinned else store.open_run(_name_run(plan, model, selection))


def count_answers(store: Store, plan: str, model: Model, selection: str) -> int:
    """How many answers of this run the store holds."""
    if not model.stored:
        return 0
    return store.count(name_scope(plan, model), find_run(store, plan, model, selection))


def close_run(store: Store, plan: str, model: Model, selection: str) -> None:
    """Ends a run that has all its answers. The next run asks an unpinned model anew."""
    if model.stored and not model.pinned:
        store.close_run(_name_run(plan, model, selection))


def find_text_run(store: Store, plan: str, model: Model, writer: Model, selection: str) -> str:
    """The run of the texts that a writer writes for the questions of a plan to a model."""
    return FOR_EVER if writer.pinned else store.open_run(_name_text_run(plan, model, writer, selection))


def close_text_run(store: Store, plan: str, model: Model, writer: Model, selection: str) -> None:
    """Ends a run of texts. The next run has an unpinned writer write anew."""
    store.close_run(_name_text_run(plan, model, writer, selection))


def _name_text_run(plan: str, model: Model, writer: Model, selection: str) -> str:
    return f"texts by {name_scope('', writer)}:{_name_run(plan, model, selection)}"


def _name_run(plan: str, model: Model, selection: str) -> str:
    return f"{name_scope(plan, model)}:{selection}" if selection else name_scope(plan, model)
