"""Finds the names that a TypeScript program declares, with their uses.

Types have names of their own: ``interface Shape`` and ``const Shape`` are two things. The names of types are never
renamed, nor is a variable that shares its name with a type. A class, or what is imported, is a value that types name
too, so its uses in types are uses of it. So is ``x`` in ``typeof x`` and in ``x is string``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Binding
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.syntax import bindings as javascript
from pytest_codereason.languages.javascript.syntax.scoping import Handlers, Location

if TYPE_CHECKING:
    from tree_sitter import Node

#: What declares the name of a type.
_DECLARING = ("interface_declaration", "type_alias_declaration", "type_parameter", "mapped_type_clause", "infer_type")
_NAMES = frozenset({"identifier", "type_identifier", "shorthand_property_identifier_pattern"})


@dataclass(slots=True)
class TypeScriptResolver(javascript.JavaScriptResolver):
    """Finds the bindings of a program and its entry call."""

    types: set[str] = field(default_factory=set)  #: the names of types
    ambient: set[str] = field(default_factory=set)  #: names in declarations of what another file has

    @property
    def handlers(self) -> Handlers:
        """What is done with a node, by its type."""
        return _HANDLERS

    def bindings(self, call: Tree | None) -> tuple[tuple[Binding, ...], frozenset[str]]:
        """The bindings, and the names that nothing declares."""
        for node in self.tree.find_nodes(*_DECLARING):
            name = node.child_by_field_name("name") or node.named_children[0]
            self.types.add(self.tree.text(name))
        for node in self.tree.find_nodes("ambient_declaration"):
            self.ambient |= {self.tree.text(inner) for inner in walk(node) if inner.type in _NAMES}
        return javascript.JavaScriptResolver.bindings(self, call)

    def taint_hoisted(self) -> None:
        """Marks the names that types or other files share."""
        javascript.JavaScriptResolver.taint_hoisted(self)
        for scope in self.root.all():
            for name in self.types & scope.names.keys():
                scope.names[name].taint("also the name of a type")
            for name in self.ambient & scope.names.keys():
                scope.names[name].taint("also declared for another file")

    # Types

    def type_name(self, node: Node, place: Location) -> None:
        """A name in a type."""
        if (name := self.text(node)) not in self.types:
            place.scope.refer(name, self.use(node))

    def qualified(self, node: Node, place: Location) -> None:
        """``module.Name`` in a type."""
        self.push(node.child_by_field_name("module"), place.referring())

    def signature(self, node: Node, place: Location) -> None:
        """A function without a body. Its parameters name nothing but themselves."""
        name = node.child_by_field_name("name")
        if node.type == "function_signature" and name is not None:
            place.scope.refer(self.text(name), self.use(name))
        elif name is not None:
            self.push(name, place.referring())
        inner = place.opened()
        self.stack += [(child, inner) for child in reversed(node.named_children) if child != name]
        for parameter in self._list_parameters(node):
            for part in walk(parameter):
                if part.type in _NAMES and self._is_in_pattern(part, parameter):
                    inner.scope.declare(self.text(part), "parameter").taint("a name within a type")

    def _list_parameters(self, node: Node) -> list[Node]:
        parameters = node.child_by_field_name("parameters")
        return parameters.named_children if parameters is not None else []

    def _is_in_pattern(self, node: Node, parameter: Node) -> bool:
        pattern = parameter.child_by_field_name("pattern")
        return pattern is not None and pattern.start_byte <= node.start_byte < pattern.end_byte

    def index(self, node: Node, place: Location) -> None:
        """``[key: string]: T``."""
        name = node.child_by_field_name("name")
        self.stack += [(child, place.referring()) for child in reversed(node.named_children) if child != name]

    def nothing(self, node: Node, place: Location) -> None:
        """What another file has."""

    # What has types beside it

    def parameter(self, node: Node, place: Location) -> None:
        """``a: T = 1`` among the parameters of a function. Elsewhere it is a part of a type."""
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        self.push(node.child_by_field_name("type"), place.referring())
        if place.kind and pattern is not None and pattern.type != "this":
            self.push(value, place.referring())
            self.push(pattern, place)
            self.visit_named(pattern, value, place)

    def declarator(self, node: Node, place: Location) -> None:
        """``a: T = 1`` behind ``const``."""
        self.push(node.child_by_field_name("type"), place.referring())
        javascript.JavaScriptResolver.declarator(self, node, place)

    def visit_types(self, node: Node, place: Location) -> None:
        """The type of a result, and what types a function is for."""
        self.push(node.child_by_field_name("return_type"), place)
        self.push(node.child_by_field_name("type_parameters"), place)

    def export_specifier(self, node: Node, place: Location) -> None:
        """``a`` or ``a as b`` behind ``export``."""
        if self.text(node.child_by_field_name("name")) not in self.types:
            javascript.JavaScriptResolver.export_specifier(self, node, place)


_SIGNATURES = "function_type constructor_type function_signature method_signature abstract_method_signature"
_HANDLERS: Handlers = {
    **javascript.HANDLERS,
    "type_identifier": TypeScriptResolver.type_name,
    "nested_type_identifier": TypeScriptResolver.qualified,
    **dict.fromkeys(_SIGNATURES.split(), TypeScriptResolver.signature),
    **dict.fromkeys(("call_signature", "construct_signature"), TypeScriptResolver.signature),
    "index_signature": TypeScriptResolver.index,
    "ambient_declaration": TypeScriptResolver.nothing,
    **dict.fromkeys(("required_parameter", "optional_parameter"), TypeScriptResolver.parameter),
    "variable_declarator": TypeScriptResolver.declarator,
    "abstract_class_declaration": TypeScriptResolver.class_,
    "public_field_definition": TypeScriptResolver.field_definition,
    "export_specifier": TypeScriptResolver.export_specifier,
}
