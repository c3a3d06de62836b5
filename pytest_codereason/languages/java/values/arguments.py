"""Java: the arguments of a call.

``f(new ArrayList<Long>(List.of(1L)))`` takes another type than ``f(List.of(1L))``. So arguments are read into forms
beside their values, and what is run is written from the forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Arguments
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.arguments import ArgumentReader
from pytest_codereason.languages.java.syntax.tree import make_parser
from pytest_codereason.languages.java.values.alike import fill
from pytest_codereason.languages.java.values.data import write
from pytest_codereason.languages.java.values.forms import ArgumentForm, Type, write_form
from pytest_codereason.languages.java.values.library import PRIMITIVES, TYPES, split_name
from pytest_codereason.languages.java.values.reading import JavaReader, write_lists_as_calls

if TYPE_CHECKING:
    from tree_sitter import Node


def read_arguments(text: str) -> Arguments:
    """The arguments of a call, and their text written anew from their forms.

    Raises:
        NotALiteral: An argument is no data, or has a type that is not of the library.
    """
    values, forms, literal = read_forms(text)
    return Arguments(values, ("",) * len(values), ", ".join(map(write_form, forms)), literal=literal)


def write_arguments(values: Sequence[Any], like: str) -> str:
    """Arguments with these values, each in the form that stands at its place in ``like``, or in the last one.

    Raises:
        NotALiteral: a value does not go into its form, or ``like`` is no data.
    """
    forms = _find_forms(like)
    rest = repeat(forms[-1] if forms else ArgumentForm("literal", "null"))
    return ", ".join(write_form(fill(form, value)) for form, value in zip(chain(forms, rest), values, strict=False))


@lru_cache(maxsize=256)  # hundreds of calls are written like one
def _find_forms(text: str) -> tuple[ArgumentForm, ...]:
    return read_forms(text)[1]


def read_forms(text: str) -> tuple[tuple[Any, ...], tuple[ArgumentForm, ...], bool]:
    """Values and forms of arguments, and whether all are literals."""
    reader, nodes = _ArgumentReader.read_call(make_parser(), write_lists_as_calls(text), ";")
    values = tuple(reader.value(node, 1) for node in nodes)
    return values, tuple(map(reader.form, nodes)), reader.literal


class _ArgumentReader(ArgumentReader, JavaReader):
    """Reads values, and beside each value the form in which it was given."""

    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self._forms: dict[int, ArgumentForm] = {}

    def value(self, node: Node, depth: int) -> Any:
        """The value of a node; its form is kept."""
        value = super().value(node, depth)
        describe = getattr(self, f"form_{node.type}", None)
        if node.id not in self._forms:
            self._forms[node.id] = ArgumentForm("literal", write(value)) if describe is None else describe(node)
        return value

    def on_method_invocation(self, node: Node, depth: int) -> Any:
        owner, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        if owner is None or name is None or owner.type != "string_literal" or self.text(name) != "repeat":
            return super().on_method_invocation(node, depth)
        text, arguments = self.value(owner, depth), self.read_inside(node, depth)
        if [type(argument) for argument in arguments] != [int] or arguments[0] < 0:
            raise NotALiteral("not a literal: a call")
        self.literal = False
        repeated = self.room.repeat(text, arguments[0])
        self._forms[node.id] = ArgumentForm("literal", write(repeated))
        return repeated

    def form(self, node: Node) -> ArgumentForm:
        """The form of a node whose value was read."""
        return self._forms[node.id]

    def form_parenthesized_expression(self, node: Node) -> ArgumentForm:
        return self.form(self.elements(node)[0])

    def form_cast_expression(self, node: Node) -> ArgumentForm:
        kinds = node.children_by_field_name("type")
        if len(kinds) != 1:
            raise NotALiteral("not a literal: a cast to several types")
        return ArgumentForm(
            "cast", self._read_type(kinds[0]), self._list_forms([node.children_by_field_name("value")[0]])
        )

    def form_array_initializer(self, node: Node) -> ArgumentForm:
        return ArgumentForm("braces", parts=self._list_forms(self.elements(node)))

    def form_array_creation_expression(self, node: Node) -> ArgumentForm:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        dimensions = node.children_by_field_name("dimensions")
        if kind is None or value is None or len(dimensions) != 1:
            raise NotALiteral("not a literal: an array")
        element = self._read_type(kind, self._count_dimensions(dimensions[0]))
        return ArgumentForm("array", element, self._list_forms(self.elements(value)))

    def form_method_invocation(self, node: Node) -> ArgumentForm:
        owner, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        if owner is None or name is None:  # `$(1, 2)`: a list without a call, as Java prints lists
            return ArgumentForm("call", "List.of", self._list_arguments(node))
        if node.child_by_field_name("type_arguments"):
            raise NotALiteral("not a literal: a call with types")
        return ArgumentForm("call", f"{self._read_name(owner)}.{self.text(name)}", self._list_arguments(node))

    def form_object_creation_expression(self, node: Node) -> ArgumentForm:
        kind = node.child_by_field_name("type")
        if kind is None or node.child_by_field_name("type_arguments"):
            raise NotALiteral("not a literal: a new object")
        calls = [
            self.elements(statement)[0]
            for body in node.named_children
            if body.type == "class_body"
            for block in self.elements(body)
            for statement in self.elements(block)
        ]
        filling = tuple(ArgumentForm("call", self._name_method(call), self._list_arguments(call)) for call in calls)
        return ArgumentForm("new", self._read_type(kind), self._list_arguments(node), filling)

    def _name_method(self, call: Node) -> str:
        name = call.child_by_field_name("name")
        return "put" if name and self.text(name) == "put" else "add"

    def _list_arguments(self, node: Node) -> tuple[ArgumentForm, ...]:
        arguments = node.child_by_field_name("arguments")
        return self._list_forms(self.elements(arguments)) if arguments else ()

    def _list_forms(self, nodes: list[Node]) -> tuple[ArgumentForm, ...]:
        return tuple(map(self.form, nodes))

    def _read_name(self, node: Node) -> str:
        """The name of a type of the library, with its package where that is given.

        Raises:
            NotALiteral: it is another type.
        """
        package, name = split_name(self.text(node))
        if name not in TYPES:
            raise NotALiteral("not a literal: a type that is not of the library")
        return f"{package}{name}"

    def _read_type(self, node: Node, dimensions: int = 0) -> Type:
        """A type of the library, or a primitive one.

        Raises:
            NotALiteral: it is another type.
        """
        if node.type == "array_type":
            element, own = node.child_by_field_name("element"), node.child_by_field_name("dimensions")
            if element is None or own is None:
                raise NotALiteral("not a literal: an array")
            return self._read_type(element, dimensions + self._count_dimensions(own))
        if node.type != "generic_type":
            return Type(self._read_name(node), dimensions=dimensions)
        name, inside = self.elements(node)
        arguments = tuple(map(self._read_type, self.elements(inside)))
        if any(argument.name in PRIMITIVES and not argument.dimensions for argument in arguments):
            raise NotALiteral("not a literal: a primitive type in angle brackets")
        return Type(self._read_name(name), arguments, dimensions)

    def _count_dimensions(self, node: Node) -> int:
        if node.named_child_count:  # an annotation
            raise NotALiteral("not a literal: an array")
        return self.text(node).count("[")
