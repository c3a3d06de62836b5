"""Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Language, Value
from pytest_codereason.errors import Refused
from pytest_codereason.languages.python import literals, runner

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness
    from pytest_codereason.core.structure import Code

#: What ends a file in the eyes of the parser, or declares its encoding.
_NO_COMMENT = re.compile(r"[\0\ud800-\udfff]|coding[:=]")


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

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program.

        With a call the program is closed, and its top-level names are safe to rename. Without one it is a module
        that others may import: top-level names, and parameters that can be given by name from elsewhere, are not.
        """
        from pytest_codereason.languages.python.code import PythonCode

        return PythonCode(source, call)

    def check(self, source: str) -> str:
        """What CPython's compiler says; nothing is run."""
        from pytest_codereason.languages.python import syntax

        return syntax.check(source)

    def comment(self, text: str) -> str:
        """``# text``, a line for each line.

        Raises:
            Refused: it holds a NUL or half of a surrogate pair, or could be read as the file's encoding.
        """
        if text.isascii() and text.isprintable() and "coding" not in text:
            return f"# {text}".rstrip()
        if _NO_COMMENT.search(text):
            raise Refused("a comment of Python cannot hold a NUL, half of a surrogate pair, or 'coding:'")
        return "\n".join(f"# {line}".rstrip() for line in text.splitlines() or [""])

    def print_statement(self, text: str) -> str:
        """``print('text')``."""
        return f"print({text!r})"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """A name that is also none of the builtins'."""
        from pytest_codereason.languages.python import syntax

        return syntax.fresh(stem, taken)

    def normalise(self, source: str) -> str:
        """One statement a line, four blanks a level, no comments or blank lines; strings stay as they are."""
        from pytest_codereason.languages.python import normal, syntax

        return normal.normalise(syntax.parse(source if source.endswith("\n") else f"{source}\n"))
