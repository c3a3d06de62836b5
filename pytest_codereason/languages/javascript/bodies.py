"""Finds the functions of a JavaScript file and names them, as a trace writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.tree import CLASSES, FUNCTIONS, list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"(?![0-9])[\w$]+")
_ENDING = re.compile(r"\.[cm]?js$")
#: Operators that give the value on their right, so that a function there takes the name on their left.
_GIVING = frozenset({"=", "||=", "&&=", "??="})
#: What has a value, with the fields of its name and of the value.
_NAMING = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "augmented_assignment_expression": ("left", "right"),
    "assignment_pattern": ("left", "right"),
    "object_assignment_pattern": ("left", "right"),
    "pair": ("key", "value"),
    "field_definition": ("property", "value"),
}
#: What a function or class without a name is called, with a number behind.
_KINDS = {"arrow_function": "arrow", "class": "class", "class_declaration": "class", "method_definition": "method"}


def name_module(file: str) -> str:
    """The name of a file: ``lib.shapes`` for ``lib/shapes.js``."""
    return _ENDING.sub("", file).replace("/", ".")


def list_functions(tree: Tree, module: str) -> Iterator[tuple[Node, str]]:
    """The functions of a file in the order of the source, each with its qualified name."""
    return ((node, name) for node, name in list_definitions(tree, module) if node.type in FUNCTIONS)


def list_definitions(tree: Tree, module: str) -> Iterator[tuple[Node, str]]:
    """The functions and classes of a file in the order of the source, each with its qualified name."""
    numbers: Counter[tuple[str, str]] = Counter()
    waiting: list[tuple[Node, str, str]] = [(tree.root, module, "")]
    while waiting:
        node, around, given = waiting.pop()
        inside, outside = around, frozenset[int]()
        if node.type in FUNCTIONS or node.type in CLASSES:
            name = node.child_by_field_name("name")
            own = read_key(tree, name) if name is not None else given
            if not own:
                kind = _KINDS.get(node.type, "function")
                numbers[around, kind] += 1
                own = f"<{kind}{numbers[around, kind]}>"
            inside = f"{around}.{own}"
            #: the key of a method, and the base of a class, are worked out around it
            outside = frozenset(n.id for n in (name, *node.children) if n and (n == name or n.type == "class_heritage"))
            yield node, inside
        elif node.type == "object" and given:
            inside = f"{around}.{given}"
        names = _list_given(tree, node, given)
        waiting += [
            (n, around if n.id in outside else inside, names.get(n.id, "")) for n in reversed(node.named_children)
        ]


def _list_given(tree: Tree, node: Node, given: str) -> dict[int, str]:
    """The names that a node gives to its children, by their ids."""
    if node.type == "parenthesized_expression":
        return {child.id: given for child in list_children(node)}
    if node.type == "export_statement" and any(child.type == "default" for child in node.children):
        return {child.id: "default" for child in list_children(node)}
    if node.type not in _NAMING:
        return {}
    left, right = map(node.child_by_field_name, _NAMING[node.type])
    operator = node.child_by_field_name("operator")
    if left is None or right is None or (operator is not None and tree.text(operator) not in _GIVING):
        return {}
    return {right.id: read_key(tree, left)}


def read_key(tree: Tree, key: Node) -> str:
    """The name that a variable, a property or a key gives; empty if it gives none."""
    text = tree.text(key)
    if key.type == "member_expression":
        return _read_path(tree, key)
    if key.type == "string":
        return text[1:-1] if _WORD.fullmatch(text[1:-1]) else _bracket(text)
    if key.type == "computed_property_name":
        return _bracket(text[1:-1])
    names = {"identifier", "property_identifier", "private_property_identifier", "number", "undefined"}
    return text if key.type in names or key.type.startswith("shorthand_property_identifier") else ""


def _bracket(text: str) -> str:
    """A key as ``[Symbol.iterator]``; empty if an edge could not be read with it."""
    return "" if re.search(r"[\s,()<>`]|->", text) else f"[{text}]"


def _read_path(tree: Tree, member: Node) -> str:
    """``A.area`` for ``A.prototype.area``, ``f`` for ``module.exports.f`` and ``this.f``; empty if it has brackets."""
    words = []
    node: Node | None = member
    while node is not None and node.type == "member_expression":
        words.append(tree.read(node, "property"))
        node = node.child_by_field_name("object")
    if node is None or node.type not in ("identifier", "this"):
        return ""
    path = [tree.text(node), *reversed(words)]
    plain = path[2:] if path[:2] == ["module", "exports"] else path[1:] if path[0] in ("exports", "this") else path
    return ".".join(word for word in plain if word != "prototype") or path[-1]
