"""Java."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Language, Value
from pytest_codereason.languages.java import check, layout, literals, notes, runner, values
from pytest_codereason.languages.java.structure import JavaCode

if TYPE_CHECKING:
    from pytest_codereason.core.execution import Harness
    from pytest_codereason.core.structure import Code


class Java(Language):
    """Java 17.

    Two values are equal where ``Objects.deepEquals`` says so, with departures that make an answer count which
    says the same in another type of the same family: whole numbers are equal whatever their width (``1``,
    ``1L``, ``(short) 1``, ``BigInteger``), so are ``0.1`` and ``0.1f``, arrays and lists, maps of every
    class, sets of every class; ``-0.0`` is ``0.0``. Across families nothing is equal: not ``1`` and ``1.0``,
    ``'a'`` and ``"a"``, ``'a'`` and ``97``, a list and a set, ``Optional.of(1)`` and ``1``, or a ``Pair`` and a list.

    A list may be written as Java prints it, ``[1, 2]``. Lists and arrays are lists, sets are sets, maps are
    dicts, the tuples of the javatuples library are tuples. A ``long`` is a :class:`~values.Long`,
    a ``float`` a :class:`~values.Float`, a ``char`` a :class:`~values.Char`, an ``Optional`` a
    :class:`~values.Optional`; all other whole numbers are ``int``. Strings are read as UTF-16 has them.
    """

    name = "java"
    fence = "java"
    title = "Java"

    def read(self, text: str) -> Value:
        """The value of a literal: of numbers, strings and collections, ``new`` or not, casts among them."""
        return literals.read(text)

    def write(self, value: Any) -> str:
        """The literal of a value: ``List.of(1, 2)``, ``Map.of("a", 1L)``."""
        return values.write(value)

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert Objects.equals(f(81), `` and ``);``."""
        return f"assert Objects.equals({call}, ", ");"

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the two are the same value, whatever the width of its numbers and the class of its collections."""
        return values.equal(left, right)

    def harness(self, source: str, call: str) -> Harness:
        """How to evaluate ``call`` inside the class that declares what it calls."""
        return runner.harness(source, call)

    def decode(self, payload: Any) -> Any:
        """The value that the harness wrote."""
        return runner.decode(payload)

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a source file; a program may hold several classes."""
        return JavaCode(source, call)

    def check(self, source: str) -> str:
        """What javalang says against a program, and where it refuses, as it does newer syntax, what javac says."""
        return check.check(source)

    def comment(self, text: str) -> str:
        """A ``//`` comment for each line."""
        return notes.comment(text)

    def print_statement(self, text: str) -> str:
        """``System.out.println("text");``."""
        return notes.print_statement(text)

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """``stem``, or ``stem_1`` and so on."""
        return notes.fresh(stem, taken)

    def normalise(self, source: str) -> str:
        """One statement a line, indented by four blanks; the tokens stay the same."""
        return layout.normalise(source)
