"""Python: values."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Arguments, Value, Values
from pytest_codereason.languages.python.values.arguments import equal_expressions, read_arguments
from pytest_codereason.languages.python.values.literals import decode, equal, has_exact_literal, read, write


class PythonValues(Values):
    """Values of Python.

    Two values are equal if ``==`` holds and their types agree at every level: ``1``, ``1.0``
    and ``True`` differ, and a list is not a tuple. NaN equals NaN, ``0.0`` equals ``-0.0``. The order of
    sets and dicts does not count.
    """

    parameter_mark = "="

    def read(self, text: str) -> Value:
        """The value of a literal."""
        return read(text)

    def write(self, value: Any) -> str:
        """The literal of a value. The elements of a set are sorted by their text."""
        return write(value)

    def read_back(self, value: Any) -> Any:
        """A value as its own literal is read. Most values are that already, and nothing is parsed."""
        return value if has_exact_literal(value) else super().read_back(value)

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the two values are the same, at every level."""
        return equal(left, right)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return decode(payload)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert f(81) == `` and nothing after the value."""
        return f"assert {call} == ", ""

    def read_arguments(self, text: str) -> Arguments:
        """The arguments of a call, with a text that is written from their values. ``range(3)`` is allowed."""
        return read_arguments(text)

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree."""
        return equal_expressions(left, right)
