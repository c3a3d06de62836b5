"""Reads, writes and compares Java values."""

from __future__ import annotations

import re

from pytest_codereason.core import Arguments, Value, Values
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import equal_trees
from pytest_codereason.languages.java.syntax.tree import make_parser
from pytest_codereason.languages.java.values.arguments import read_arguments, write_arguments
from pytest_codereason.languages.java.values.data import equal, write
from pytest_codereason.languages.java.values.decoding import decode
from pytest_codereason.languages.java.values.printed import read_printed
from pytest_codereason.languages.java.values.reading import read

_VIEW = re.compile(
    r"\s*(?:java\.util\.)?Collections\.unmodifiable(?:List|Set|Map|Collection|Sorted(?:Set|Map))\((.*)\)\s*", re.DOTALL
)


class JavaValues(Values):
    """Values of Java.

    Two values are equal if ``Objects.deepEquals`` holds. Beyond that, values of different types
    in one family can be equal: whole numbers are equal whatever their width (``1``, ``1L``, ``(short) 1``,
    ``BigInteger``), so are ``0.1`` and ``0.1f``, arrays and lists, maps of every class, sets of every class;
    ``-0.0`` is ``0.0``. Values of two families are never equal: not ``1`` and ``1.0``, ``'a'`` and ``"a"``, ``'a'``
    and ``97``, a list and a set, ``Optional.of(1)`` and ``1``, or a ``Pair`` and a list.

    A list may be written as Java prints it, ``[1, 2]``. Lists and arrays are lists, sets are sets, maps are
    dicts, the tuples of the javatuples library are tuples. A ``long`` is a :class:`~data.Long`,
    a ``float`` a :class:`~data.Float`, a ``char`` a :class:`~data.Char`, an ``Optional`` a
    :class:`~data.Optional`; all other whole numbers are ``int``. Strings are read as UTF-16 has them.
    """

    write = staticmethod(write)
    equal = staticmethod(equal)
    decode = staticmethod(decode)
    read_arguments = staticmethod(read_arguments)
    write_arguments = staticmethod(write_arguments)

    def read(self, text: str) -> Value:
        """The value of a literal: a number, string, collection (with ``new`` or without) or cast."""
        return read(text)

    def read_answer(self, text: str) -> Value:
        """The same, and of what ``toString`` prints. A view that forbids changes is what it shows."""
        if view := _VIEW.fullmatch(text):
            text = view[1]
        try:
            return read(text)
        except NotALiteral as error:
            try:
                return read_printed(text)
            except NotALiteral:
                raise error from None

    def assertion(self, call: str) -> tuple[str, str]:
        """``assert Objects.equals(f(81), `` and ``);``."""
        return f"assert Objects.equals({call}, ", ");"

    def equal_values(self, left: Arguments, right: Arguments) -> bool:
        """Whether two lists of arguments are written alike: ``List.of(1)`` is equal to a new list, and cannot grow."""
        return left.text == right.text

    def equal_expressions(self, left: str, right: str) -> bool:
        """Whether two texts of arguments have the same syntax tree."""
        if "\\u" in left + right:  # Java reads these first: one may end a comment, and the grammar does not know
            return left.strip() == right.strip()
        return equal_trees(make_parser(), left, right, ";")
