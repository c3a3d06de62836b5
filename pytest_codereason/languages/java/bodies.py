"""Finds the classes and methods of a Java file and names them, as a trace writes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.tracing import Body
from pytest_codereason.languages.java.syntax.tree import make_parser

if TYPE_CHECKING:
    from tree_sitter import Node

CLASSES = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    }
)
CONSTRUCTORS = frozenset({"constructor_declaration", "compact_constructor_declaration"})
#: Declarations within these have a number in the names of their classes.
_BLOCKS = frozenset({"block", "constructor_body", "lambda_expression"})
#: The name of the code of a class outside of its methods.
OUTSIDE = ":<clinit>()"


def parse_file(text: str) -> Node:
    """The tree of a file. A text that is no Java has errors in it."""
    return make_parser().parse(text.encode("utf-8", "surrogatepass")).root_node


def read_node(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def find_package(root: Node) -> str:
    """The package of a file; empty if it names none."""
    declared = next((child for child in root.children if child.type == "package_declaration"), None)
    return read_node(declared.named_children[-1]) if declared is not None else ""


def list_bodies(file: str, root: Node) -> Iterator[tuple[Node, Body]]:
    """The methods of a file, and for each class the code outside of its methods, with their nodes."""
    package = find_package(root)
    return _Outline(file, Counter()).list_bodies(root, f"{package}." if package else "", nested=False)


class _Outline(NamedTuple):
    """The bodies of one file."""

    file: str
    numbered: Counter[str]

    def list_bodies(self, around: Node, prefix: str, *, nested: bool) -> Iterator[tuple[Node, Body]]:
        """The bodies within a node. ``prefix`` is before the names of its classes: ``shop.``, ``shop.Cart$``."""
        for node in around.children:
            local = nested and (around.type in _BLOCKS or around.type.startswith("switch_block"))
            if node.type in CLASSES:
                name = read_node(_field(node, "name"))
                yield from self._list_members(node, self._number(prefix, name) if local else prefix + name)
            elif node.type == "class_body" and around.type in ("object_creation_expression", "enum_constant"):
                yield from self._list_members(node, self._number(prefix, ""))
            else:
                yield from self.list_bodies(node, prefix, nested=nested)

    def _number(self, prefix: str, name: str) -> str:
        self.numbered[prefix + name] += 1
        return f"{prefix}{self.numbered[prefix + name]}{name}"

    def _list_members(self, declared: Node, name: str) -> Iterator[tuple[Node, Body]]:
        yield declared, Body(f"{name}{OUTSIDE}", self.file, declared.start_point[0] + 1, callable=False)
        header = declared.child_by_field_name("parameters") if declared.type == "record_declaration" else None
        waiting = list(declared.children)
        while waiting:
            node = waiting.pop(0)
            if node.type == "method_declaration" or node.type in CONSTRUCTORS:
                method = "<init>" if node.type in CONSTRUCTORS else read_node(_field(node, "name"))
                parameters = node.child_by_field_name("parameters") or header
                types = ",".join(_list_types(parameters)) if parameters is not None else ""
                yield node, Body(f"{name}:{method}({types})", self.file, node.start_point[0] + 1)
            elif node.type.endswith(("class_body", "_body", "_body_declarations")) and node.type != "constructor_body":
                waiting[:0] = node.children
        yield from self.list_bodies(declared, f"{name}$", nested=True)


def _field(node: Node, name: str) -> Node:
    child = node.child_by_field_name(name)
    assert child is not None
    return child


def list_parameters(parameters: Node) -> Iterator[tuple[Node, str, str]]:
    """The parameters of a method: the node of the type, the dimensions behind it, the name."""
    for parameter in parameters.named_children:
        if parameter.type not in ("formal_parameter", "spread_parameter"):
            continue
        kinds = [child for child in parameter.named_children if child.type != "modifiers"]
        own = "[]" * sum(read_node(child).count("[") for child in kinds[1:] if child.type == "dimensions")
        more = "[]" if parameter.type == "spread_parameter" else ""
        names = [child for child in kinds[1:] if child.type in ("identifier", "variable_declarator")]
        yield kinds[0], own + more, read_node(names[0]) if names else ""


def remove_arguments(text: str) -> str:
    """A type without type arguments, annotations and blanks."""
    while "<" in text:
        text, count = re.subn(r"<[^<>]*>", "", text)
        if not count:
            break
    return re.sub(r"\s|@\w+", "", text)


def _list_types(parameters: Node) -> Iterator[str]:
    """The types of parameters, without type arguments and what is before the last dot."""
    for kind, dimensions, _ in list_parameters(parameters):
        yield remove_arguments(read_node(kind)).rpartition(".")[2] + dimensions
