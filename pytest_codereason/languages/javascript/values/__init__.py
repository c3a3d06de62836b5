"""JavaScript: values."""

from __future__ import annotations

from pytest_codereason.core import Value, Values
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

    read_answer = staticmethod(read_answer)
    write = staticmethod(write)
    equal = staticmethod(equal)
    decode = staticmethod(decode)
    read_arguments = staticmethod(read_arguments)

    def read(self, text: str) -> Value:
        """The value of a literal; ``undefined`` is :data:`UNDEFINED`, ``1n`` a :class:`BigInt`."""
        return read(text)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert.deepStrictEqual(f(81), `` and ``);``."""
        return f"assert.deepStrictEqual({call}, ", ");"

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree."""
        return equal_trees(make_parser(), left, right)
