"""A property that is computed once: ``functools.cached_property`` without the lock that it takes before Python 3.12.

Where a program is perturbed, ten such properties are read for the first time, and the locks cost more than some of the
values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """Computes an attribute when it is first read and keeps it. Two threads at once may both compute it."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        """The value, which from now on is an attribute like any other."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
