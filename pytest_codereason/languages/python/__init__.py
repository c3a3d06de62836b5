"""Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Language, Value
from pytest_codereason.languages.python import literals, runner

if TYPE_CHECKING:
    from pytest_codereason.execution import Harness


class Python(Language):
    """Python 3.

    Two values are equal where ``==`` says so and their types agree at every level: ``1``, ``1.0``
    and ``True`` differ, a list is no tuple. NaN equals NaN, ``0.0`` equals ``-0.0``, the order of
    sets and dicts does not count.
    """

    name = "python"
    fence = "python"
    title = "Python"

    def read(self, text: str) -> Value:
        """The value of a literal."""
        return literals.read(text)

    def write(self, value: Any) -> str:
        """The literal of a value; elements of a set stand in the order of their text."""
        return literals.write(value)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert f(81) == `` and nothing after the value."""
        return f"assert {call} == ", ""

    def equal(self, left: Any, right: Any) -> bool:
        """Whether ``left == right`` and every type in them agrees."""
        return literals.equal(left, right)

    def harness(self, source: str, call: str) -> Harness:
        """The call in a process beside the program."""
        return runner.harness(source, call)

    def decode(self, payload: Any) -> Any:
        """The value that came back."""
        return runner.decode(payload)
