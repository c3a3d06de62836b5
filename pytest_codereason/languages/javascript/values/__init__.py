"""JavaScript: values."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Arguments, Value, Values
from pytest_codereason.languages.frame.arguments import equal_trees
from pytest_codereason.languages.javascript.syntax.tree import make_parser
from pytest_codereason.languages.javascript.values.answers import read_answer
from pytest_codereason.languages.javascript.values.arguments import read_arguments
from pytest_codereason.languages.javascript.values.literals import UNDEFINED, BigInt, decode, equal, read, write

__all__ = ["UNDEFINED", "BigInt", "JavaScriptValues"]


class JavaScriptValues(Values):
    """Values of JavaScript.

    There is one type of number: ``1``, ``1.0`` and ``0x1`` are the same. Two values are equal if
    the standard's same-value-zero comparison holds at every level: ``NaN`` equals ``NaN``,
    ``0`` equals ``-0``, ``null`` is not ``undefined``, ``1`` is not ``1n``. The order of an object's
    keys does not count.
    """

    def read(self, text: str) -> Value:
        """The value of a literal; ``undefined`` is :data:`UNDEFINED`, ``1n`` a :class:`BigInt`."""
        return read(text)

    def read_answer(self, text: str) -> Value:
        """The same, of a new set or map, and of what node prints. As with the harness, a set is a list."""
        return read_answer(text)

    def write(self, value: Any) -> str:
        """The literal of a value."""
        return write(value)

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the two values are the same, at every level."""
        return equal(left, right)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return decode(payload)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert.deepStrictEqual(f(81), `` and ``);``."""
        return f"assert.deepStrictEqual({call}, ", ");"

    def read_arguments(self, text: str) -> Arguments:
        """The arguments of a call, with a text that is written from their values."""
        return read_arguments(text)

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree."""
        return equal_trees(make_parser(), left, right)
