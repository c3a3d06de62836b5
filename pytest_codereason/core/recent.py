"""Keeps the latest results that were computed from texts, up to a number of characters of these texts.

``functools.lru_cache`` counts entries. But one program has 100 lines and another 100,000, and what is known of a
program takes some hundred bytes for each of its characters.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar, TypeVarTuple

A = TypeVarTuple("A")
T = TypeVar("T")


class Recent(Generic[*A, T]):
    """A function that keeps its last results, those of so many characters of text. The last result is kept anyway."""

    def __init__(self, compute: Callable[[*A], T], characters: int) -> None:
        self._compute, self._limit = compute, characters
        #: each result with the length of the texts
        self._results: OrderedDict[tuple[object, ...], tuple[T, int]] = OrderedDict()
        self._length = 0
        self._lock = Lock()
        self.__doc__ = compute.__doc__

    def __call__(self, *arguments: *A) -> T:
        """The result, which is computed if it is not kept. Two threads at once may both compute it."""
        with self._lock:
            if arguments in self._results:
                self._results.move_to_end(arguments)
                return self._results[arguments][0]
        result = self._compute(*arguments)
        self.keep(result, *arguments)
        return result

    def keep(self, result: T, *arguments: *A) -> None:
        """Keeps a result that was made in another way, unless one of these arguments is kept."""
        results = self._results
        with self._lock:
            if arguments not in results:
                length = _measure(arguments)
                results[arguments] = result, length
                self._length += length
            while self._length > self._limit and len(results) > 1:
                _, (_, length) = results.popitem(last=False)
                self._length -= length

    def cache_clear(self) -> None:
        """Forgets all results."""
        with self._lock:
            self._results.clear()
            self._length = 0


def _measure(values: tuple[object, ...]) -> int:
    """The characters in all texts of a tuple."""
    length = 0
    for value in values:
        if isinstance(value, str):
            length += len(value)
        elif isinstance(value, tuple):
            length += _measure(value)
    return length


def keep_recent(characters: int) -> Callable[[Callable[[*A], T]], Recent[*A, T]]:
    """Makes a function of texts keep its last results, those of so many characters of text."""

    def decorate(compute: Callable[[*A], T]) -> Recent[*A, T]:
        return Recent(compute, characters)

    return decorate
