"""Runs in the store: one plan on one model, open until it has all its answers."""

from __future__ import annotations

from pytest_codereason.core import Model, digest
from pytest_codereason.engine.store import FOR_EVER, Store


def scope(plan: str, model: Model) -> str:
    """What a run is a run of."""
    return f"{plan}:{digest(dict(model.identity))[:32]}"


def current(store: Store, plan: str, model: Model) -> str:
    """The run that answers belong to: none for a pinned model, whose answers are good for ever."""
    return FOR_EVER if model.pinned else store.open_run(scope(plan, model))


def known(store: Store, plan: str, model: Model) -> int:
    """How many answers of this run the store holds."""
    if not model.stored:
        return 0
    return store.count(scope(plan, model), current(store, plan, model))


def close(store: Store, plan: str, model: Model) -> None:
    """Ends the run, which has all its answers: the next one asks an unpinned model anew."""
    if model.stored and not model.pinned:
        store.close_run(scope(plan, model))
