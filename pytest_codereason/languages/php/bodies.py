"""Finds the functions of a PHP file and names them, as a trace writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.grammar import CLASSES, FUNCTIONS

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDING = re.compile(r"\.php$", re.IGNORECASE)
#: Functions without a name.
CLOSURES = frozenset({"anonymous_function", "arrow_function"})
#: What a function or class without a name is called, with a number behind.
_KINDS = {**dict.fromkeys(CLOSURES, "closure"), "anonymous_class": "class"}


def name_module(file: str) -> str:
    """The name of a file: ``lib.shapes`` for ``lib/shapes.php``."""
    return _ENDING.sub("", file).replace("/", ".")


def list_functions(tree: Tree, module: str) -> Iterator[tuple[Node, str]]:
    """The functions of a file that have a body, in the order of the source, each with its qualified name."""
    numbers: Counter[tuple[str, str]] = Counter()
    waiting: list[tuple[Node, str]] = [(tree.root, module)]
    while waiting:
        node, around = waiting.pop()
        inside = around
        if node.type in FUNCTIONS or node.type in CLASSES or node.type == "anonymous_class":
            own = tree.read(node)
            if not own:
                kind = _KINDS[node.type]
                numbers[around, kind] += 1
                own = f"<{kind}{numbers[around, kind]}>"
            inside = f"{around}.{own}"
            if node.type in FUNCTIONS and node.child_by_field_name("body") is not None:
                yield node, inside
        # the arguments of a class without a name are worked out around it
        waiting += [(n, around if n.type == "arguments" else inside) for n in reversed(node.named_children)]
