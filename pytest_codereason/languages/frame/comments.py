"""Finds the comments of a program in its syntax tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Comment
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: How comments begin and end; of two that fit, the first.
_MARKS = (("/**", "*/"), ("/*", "*/"), ("//", ""), ("#", ""))


def list_comments(tree: Tree, kinds: Iterable[str], docstrings: Iterable[Node] = ()) -> tuple[Comment, ...]:
    """The comments among the nodes of these kinds, and the docstrings, in the order of the source."""
    comments = [comment for node in _list_nodes(tree, kinds) if (comment := _read_comment(tree, node))]
    comments += [comment for node in docstrings if (comment := _read_docstring(tree, node))]
    return tuple(sorted(comments))


def _list_nodes(tree: Tree, kinds: Iterable[str]) -> list[Node]:
    if any(opening in tree.source for opening, _ in _MARKS):
        return tree.find_nodes(*kinds)
    return []


def _read_comment(tree: Tree, node: Node) -> Comment | None:
    """A comment; ``None`` for a line that the system reads (``#!``), and for marks such as ``<!--``."""
    text = tree.text(node)
    if text.startswith("#!"):
        return None
    for opening, closing in _MARKS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening + closing):
            return Comment(tree.span(node), f"{opening} ", f" {closing}" if closing else "")
    return None


def _read_docstring(tree: Tree, node: Node) -> Comment | None:
    """A docstring without a prefix, or with ``r`` or ``u``."""
    first, last = node.children[0], node.children[-1]
    opening = tree.text(first)
    if opening.strip("rRuU") != tree.text(last):
        return None
    return Comment(tree.span(node), opening, tree.text(last), docstring=True)
