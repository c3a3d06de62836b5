"""Finds the full names of the types that a Java file writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.core.language.tracing import Body
from pytest_codereason.languages.java.bodies import find_package, list_parameters, read_node, remove_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

_PRIMITIVES = frozenset("boolean byte char double float int long short void".split())
_OBJECT = "java.lang.Object"


@cache
def list_library() -> Mapping[str, frozenset[str]]:
    """The public types of packages of the library, by package."""
    lines = Path(__file__).with_name("library.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(": ") for line in lines if not line.startswith("#"))
    return {package: frozenset(names.split()) for package, _, names in pairs}


class TypeNames:
    """The types that one file can name.

    Args:
        root: The tree of the file.
        classes: The classes of the program, by full name as class files have it: ``shop.Cart$Item``.
    """

    def __init__(self, root: Node, classes: frozenset[str]) -> None:
        self.package = find_package(root)
        self.imports: dict[str, str] = {}
        self.packages: list[str] = [self.package]
        self.static_imports: list[tuple[str, str]] = []  #: class and member, ``*`` for all members
        self._classes = classes
        self._bounds: dict[str, str] = {}  #: of type parameters, by the end of the class or method they belong to
        for child in root.children:
            if child.type == "import_declaration":
                self._read_import(child)
        self.packages.append("java.lang")

    def _read_import(self, node: Node) -> None:
        name = next(read_node(child) for child in node.named_children if child.type != "asterisk")
        star = any(child.type == "asterisk" for child in node.children)
        if any(child.type == "static" for child in node.children):
            owner, _, member = (name, "", "*") if star else name.rpartition(".")
            self.static_imports.append((self._nest(owner), member))
        elif star:
            self.packages.append(name)
        else:
            self.imports[name.rpartition(".")[2]] = self._nest(name)

    def _nest(self, name: str) -> str:
        """``java.util.Map$Entry`` for ``java.util.Map.Entry``: a class is written with a capital."""
        words = name.split(".")
        first = next((i for i, word in enumerate(words) if word[:1].isupper()), len(words) - 1)
        return ".".join([*words[:first], "$".join(words[first:])])

    def find_class(self, text: str, cls: str) -> str:
        """The full name of a class, as it is written within the class ``cls``; empty if nothing is known of it."""
        first, *rest = text.split(".")
        if first[:1].islower() and rest:
            return self._nest(text)
        found = self._find_simple(first, cls)
        return "$".join([found, *rest]) if found else ""

    def _find_simple(self, name: str, cls: str) -> str:
        around = cls
        while around:
            if re.search(rf"(?:^|[.$])(?:\d+)?{re.escape(name)}$", around):
                return around
            if f"{around}${name}" in self._classes:
                return f"{around}${name}"
            local = re.compile(rf"{re.escape(around)}\$\d+{re.escape(name)}")
            if numbered := next(filter(local.fullmatch, sorted(self._classes)), ""):
                return numbered
            around = around.rpartition("$")[0]
        if name in self.imports:
            return self.imports[name]
        for package in self.packages:
            full = f"{package}.{name}" if package else name
            if full in self._classes or name in list_library().get(package, ()):
                return full
        nested = [known for known in sorted(self._classes) if known.endswith(f"${name}")]
        return nested[0] if len(nested) == 1 else ""

    def declare(self, declared: Node) -> dict[str, str]:
        """The type parameters that a class or method declares, with their bounds as they are written."""
        parameters = declared.child_by_field_name("type_parameters")
        bounds = {}
        for parameter in parameters.named_children if parameters is not None else ():
            name = next(read_node(child) for child in parameter.named_children if child.type == "type_identifier")
            bound = next((child for child in parameter.named_children if child.type == "type_bound"), None)
            bounds[name] = read_node(bound.named_children[0]) if bound is not None else ""
        return bounds

    def erase(self, text: str, cls: str, bounds: Mapping[str, str]) -> str:
        """The erased full name of a type: ``java.util.List`` for ``List<String>``."""
        plain = remove_arguments(text)
        name = plain.replace("[]", "").replace("...", "")
        dimensions = plain[len(name) :].replace("...", "[]")
        if name in _PRIMITIVES:
            return name + dimensions
        if name in bounds:
            rest = {key: bound for key, bound in bounds.items() if key != name}
            return (self.erase(bounds[name], cls, rest) if bounds[name] else _OBJECT) + dimensions
        return (self.find_class(name, cls) or name) + dimensions


def erase_types(types: TypeNames, node: Node, body: Body) -> Body:
    """The body of a method with the erased full types of its parameters in its name."""
    cls, _, method = body.name.partition("(")[0].rpartition(":")
    bounds: dict[str, str] = {}
    around: Node | None = node
    parameters = node.child_by_field_name("parameters")
    while around is not None:
        bounds = {**types.declare(around), **bounds}
        if parameters is None and around.type == "record_declaration":  # a compact constructor has those of its record
            parameters = around.child_by_field_name("parameters")
        around = around.parent
    listed = list_parameters(parameters) if parameters is not None else ()
    erased = [types.erase(read_node(kind) + dimensions, cls, bounds) for kind, dimensions, _ in listed]
    return body._replace(name=f"{cls}:{method}({','.join(erased)})")


def split_arguments(text: str) -> list[str]:
    """The type arguments of a type as it is written: ``String`` and ``List<Item>`` for ``Map<String, List<Item>>``."""
    start = text.find("<")
    if start < 0 or not text.rstrip().endswith(">"):
        return []
    arguments, depth, current = [], 0, ""
    for character in text[start + 1 : text.rstrip().rfind(">")]:
        depth += (character == "<") - (character == ">")
        if character == "," and depth == 0:
            arguments.append(current)
            current = ""
        else:
            current += character
    return [re.sub(r"^\s*\?\s*(?:extends|super)?\s*", "", argument).strip() for argument in (*arguments, current)]
