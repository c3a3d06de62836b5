"""Reads the entry call of a Python program: ``f(81, "a")``."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.binder import WATCHED
from pytest_codereason.languages.python.syntax.tree import parse

#: A pattern of a string on one line, without a prefix.
_SHORT_TEXT = "|".join(rf"{q}[^{q}\\\r\n]*+(?:\\[^\r\n][^{q}\\\r\n]*+)*{q}" for q in "'\"")


def _compile_plain() -> re.Pattern[str]:
    """A call of a name with arguments in which nothing else is a name: numbers, short strings, and lists of them."""
    single = value = rf"(?:{_SHORT_TEXT}|-?\d++(?:\.\d++)?|True|False|None)"
    for _ in range(2):  # each list is read in one way only, so that no text takes long to refuse
        items = rf"(?:{value}(?:, ?{value})*)?"
        pairs = rf"{value}: ?{value}(?:, ?{value}: ?{value})*"
        value = rf"(?:{single}|\[{items}\]|\({items},?\)|\{{(?:{pairs}|{items})\}})"
    return re.compile(rf"([^\W\d]\w*+)\((?:{value}(?:, ?{value})*)?\)", re.ASCII)


_PLAIN = _compile_plain()


class EntryCall(NamedTuple):
    """An entry call whose names can be read."""

    text: str
    name: str  #: the function that is called, where nothing else in the call is a name
    tree: Tree | None  #: ``None`` where nothing else is


def read_call(text: str) -> EntryCall:
    """An entry call. Most have plain arguments, and no tree is made for them.

    Raises:
        DoesNotParse: the call is not an expression.
    """
    plain = _PLAIN.fullmatch(text)
    if plain and plain[1] not in WATCHED:
        return EntryCall(text, plain[1], None)
    tree = parse(text)
    nodes = tree.root.named_children
    kinds = [node.type for node in (*nodes, *nodes[0].named_children)] if nodes else []
    if kinds[:1] != ["expression_statement"] or len(kinds) != 2 or kinds[1].endswith("assignment"):
        raise DoesNotParse("the entry call is not an expression")
    return EntryCall(text, "", tree)
