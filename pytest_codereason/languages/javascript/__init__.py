"""JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Language, Value
from pytest_codereason.languages.javascript import forms, layout, literals, runner, structure

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness
    from pytest_codereason.core.structure import Code


class JavaScript(Language):
    """JavaScript, ECMAScript 2023.

    There is one type of number: ``1``, ``1.0`` and ``0x1`` are the same. Two values are equal where
    the same-value-zero comparison of the standard says so at every level: ``NaN`` equals ``NaN``,
    ``0`` equals ``-0``, ``null`` is not ``undefined``, ``1`` is not ``1n``. The order of an object's
    keys does not count.
    """

    name = "javascript"
    fence = "javascript"
    title = "JavaScript"

    def read(self, text: str) -> Value:
        """The value of a literal; ``undefined`` is :data:`UNDEFINED`, ``1n`` a :class:`BigInt`."""
        return literals.read(text)

    def write(self, value: Any) -> str:
        """The literal of a value."""
        return literals.write(value)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert.deepStrictEqual(f(81), `` and ``);``."""
        return f"assert.deepStrictEqual({call}, ", ");"

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the two are the same value, at every level."""
        return literals.equal(left, right)

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a script or module; the entry call sees its top-level names."""
        return structure.JavaScriptCode(source, call)

    def check(self, source: str) -> str:
        """What esprima says against a program and, as esprima knows nothing newer than ECMAScript 2017, node too.

        Node is started only where esprima refuses, and only parses. Where there is no node, esprima has the last word.
        """
        return forms.check(source)

    def comment(self, text: str) -> str:
        """``// text``."""
        return forms.comment(text)

    def print_statement(self, text: str) -> str:
        """``console.log("text");``."""
        return forms.print_statement(text)

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """A name that is none of ``taken``, no word of the language and nothing a runtime offers."""
        return forms.fresh(stem, taken)

    def normalise(self, source: str) -> str:
        """``source`` without comments, a statement a line, with every semicolon written."""
        return layout.normalise(structure.tree_of(source))

    def harness(self, source: str, call: str) -> Harness:
        """How to evaluate ``call`` in the scope of a program and get its value back as data."""
        return runner.harness(source, call)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return runner.decode(payload)
