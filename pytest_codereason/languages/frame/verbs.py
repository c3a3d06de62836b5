"""Puts the methods of an object into an order in which calls of them make sense."""

from __future__ import annotations

from pytest_codereason.languages.frame.parameter_kinds import split_name

_FILL = frozenset(
    "add append attach enqueue extend feed include increment insert offer push put register set update write".split()
)
_EMPTY = frozenset(
    "cancel clear close delete dequeue discard drain exit flush poll pop remove reset shutdown stop take".split()
)


def rank_method(name: str) -> int:
    """0 for what fills an object, 2 for what empties it, 1 for all between: ``addFirst``, ``remove_all``, ``size``."""
    verb = split_name(name)[0]
    return 0 if verb in _FILL else 2 if verb in _EMPTY else 1
