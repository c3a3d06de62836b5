"""Python: values."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Arguments, Value, Values
from pytest_codereason.languages.python.values.arguments import equal_expressions, read_arguments
from pytest_codereason.languages.python.values.literals import decode, equal, read, write


class PythonValues(Values):
    """Values of Python.

    Two values are equal where ``==`` says so and their types agree at every level: ``1``, ``1.0``
    and ``True`` differ, a list is no tuple. NaN equals NaN, ``0.0`` equals ``-0.0``. The order of
    sets and dicts does not count.
    """

    parameter_mark = "="

    def read(self, text: str) -> Value:
        """The value of a literal."""
        return read(text)

    def write(self, value: Any) -> str:
        """The literal of a value; elements of a set stand in the order of their text."""
        return write(value)

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the two are the same value, at every level."""
        return equal(left, right)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return decode(payload)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert f(81) == `` and nothing after the value."""
        return f"assert {call} == ", ""

    def read_arguments(self, text: str) -> Arguments:
        """The arguments of a call, and their text written anew from their values; ``range(3)`` is one of them."""
        return read_arguments(text)

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments are one syntax tree."""
        return equal_expressions(left, right)
