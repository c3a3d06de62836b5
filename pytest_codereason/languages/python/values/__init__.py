"""Python: values."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Value, Values
from pytest_codereason.languages.python.values.arguments import equal_expressions, read_arguments
from pytest_codereason.languages.python.values.literals import decode, equal, has_exact_literal, read, write


class PythonValues(Values):
    """Values of Python.

    Two values are equal if ``==`` holds and their types agree at every level: ``1``, ``1.0``
    and ``True`` differ, and a list is not a tuple. NaN equals NaN, ``0.0`` equals ``-0.0``. The order of
    sets and dicts does not count.
    """

    parameter_mark = "="
    write = staticmethod(write)
    equal = staticmethod(equal)
    decode = staticmethod(decode)
    read_arguments = staticmethod(read_arguments)
    equal_expressions = staticmethod(equal_expressions)

    def read(self, text: str) -> Value:
        """The value of a literal."""
        return read(text)

    def read_back(self, value: Any) -> Any:
        """A value as its own literal is read. Most values are that already, and nothing is parsed."""
        return value if has_exact_literal(value) else super().read_back(value)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert f(81) == `` and nothing after the value."""
        return f"assert {call} == ", ""
