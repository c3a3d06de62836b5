"""What a writer has added to a file, and that it adds calls and nothing else.

Example: a file has ``import shop`` and ``def f(): ...``. Its program has a class ``shop`` in place of the import, then
``f``, then ``print(f())``. The class and the call are additions. ``import sys`` or ``f = None`` would be refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.errors import Refused

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree


class FilePart(NamedTuple):
    """A statement of a file, or a member of a class."""

    text: object  #: equal if two pieces differ in layout and comments alone
    replaceable: bool = False  #: whether a program that runs by itself may lack it: an import, for example


class Flow(NamedTuple):
    """Some names, and the names that what they are given is made of."""

    targets: frozenset[str]
    sources: frozenset[str]


def spread(names: Iterable[str], flows: Sequence[Flow]) -> frozenset[str]:
    """The names that lead to one of these. Example: ``kept`` leads to ``add`` after ``kept = [add]``."""
    leading, more = frozenset[str](), frozenset(names)
    while more - leading:
        leading |= more
        more = frozenset(name for flow in flows if leading & flow.sources for name in flow.targets)
    return leading


def list_added(before: Sequence[FilePart], after: Sequence[FilePart]) -> list[int]:
    """The places of the pieces that a file lacks.

    Raises:
        Refused: a piece of the file is missing, or stands in another order.
    """
    at, added = 0, []
    for place, piece in enumerate(after):
        end = next((i for i in range(at, len(before)) if not before[i].replaceable), len(before))
        found = next((i for i in range(at, min(end + 1, len(before))) if before[i].text == piece.text), None)
        if found is None:
            added.append(place)
        else:
            at = found + 1
    if not all(piece.replaceable for piece in before[at:]):
        raise Refused("a statement of the file is missing, in another place, or not as it was")
    return added


def read_tokens(tree: Tree, node: Node, whole: Collection[str] = ()) -> tuple[str, ...]:
    """The text of a node without layout and comments.

    Args:
        whole: the types of nodes in which blanks count, such as strings.
    """
    return tuple(_list_tokens(tree, node, whole))


def _list_tokens(tree: Tree, node: Node, whole: Collection[str]) -> Iterator[str]:
    nodes = [node]
    while nodes:
        inner = nodes.pop()
        if "comment" in inner.type:
            continue
        if inner.type in whole or not inner.children:
            yield tree.text(inner)
        else:
            nodes.extend(reversed(inner.children))


def refuse(line: int, what: str) -> Refused:
    """The error for an addition: ``line 7 names sys``."""
    return Refused(f"line {line} {what}")
