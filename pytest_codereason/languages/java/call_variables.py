"""The variables of Java: their types as they are written, and what is assigned to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import Form
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    UNKNOWN,
    CallResult,
    Choice,
    Expression,
    Items,
    Member,
    ObjectValue,
)
from pytest_codereason.languages.frame.call_facts import Collector
from pytest_codereason.languages.frame.call_reader import CallPlace, CallReader
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.bodies import read_node
from pytest_codereason.languages.java.types import TypeNames, split_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"lambda_expression", "method_reference"})


class JavaVariables(CallReader):
    """Binds the variables of methods and the fields of classes."""

    types: TypeNames

    def __init__(
        self,
        file: str,
        tree: Tree,
        classes: frozenset[str],
        defined: set[str],
        collector: Collector,
        place: CallPlace,
    ) -> None:
        super().__init__(file, tree, collector, place)
        self.classes = classes
        self.cls = ""
        self.bounds: dict[str, str] = {}  # the type parameters that are known here
        self.defined = defined

    def declare_type(self, kind: Node, dimensions: str) -> Expression:
        """An object of a type that is written."""
        return self._make_object(read_node(kind) + dimensions)

    def _make_object(self, text: str) -> Expression:
        name = self.types.erase(text, self.cls, self.bounds)
        plain = text.partition("<")[0].strip()
        if plain in ("var", "void") or plain in self.bounds:
            bound = self.types.erase(plain, self.cls, self.bounds)
            return ObjectValue(bound, declared=True) if bound in self.classes else UNKNOWN
        if name in self.classes:
            return ObjectValue(name, declared=True)
        inner = [text[: text.rindex("[")]] if text.endswith("[]") else split_arguments(text)
        objects = [value for value in map(self._make_object, filter(None, inner)) if value != UNKNOWN]
        kept = [value for value in objects if isinstance(value, Items) or self.is_own(value)]
        if not kept:
            return ObjectValue(name, declared=True)
        return self.collector.make_items(f"{name}<{text}>", [(ANY, value) for value in kept], self.place.scope)

    def is_own(self, value: Expression) -> bool:
        """Whether a value is an object with a type of the program."""
        return isinstance(value, ObjectValue) and value.type in self.classes

    def read_field(self, node: Node, owner: Expression | None = None) -> None:
        """The variables of a declaration, or the fields of a class."""
        kind = node.child_by_field_name("type")
        for declarator in node.named_children:
            if declarator.type != "variable_declarator":
                continue
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            given = self.declare_type(kind, "") if kind is not None else UNKNOWN
            held = self.read(value) if value is not None else UNKNOWN
            if name is not None:
                self.bind_variable(read_node(name), given, owner)
                if not self.is_own(given) or (value is not None and value.type in _FUNCTIONS):
                    self.bind_variable(read_node(name), held, owner)

    def bind_variable(self, name: str, value: Expression, owner: Expression | None = None) -> None:
        """Gives a variable of the method, or a field of ``owner``, a value."""
        if owner is None:
            self.collector.bind(self.place.scope, name, value)
        else:
            self.collector.bind_member(owner, name, value, self.place.scope)

    def note_special(self, node: Node, form: Form, of: Expression, method: str) -> Expression:
        """Notes that Java calls a method by itself, if the program defines such a method."""
        if method in self.defined:
            self.add_site(node, form, Member(of, f"{method}()"), f"{self.shorten(node)}.{method}")
        return CallResult(Member(of, f"{method}()"))

    def read_loop(self, node: Node) -> Expression:
        """``for (A a : items)``."""
        kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        with self.begun(node):
            held = self.read(value) if value is not None else OTHER
            items: Expression = Member(held, ANY)
            if value is not None:
                iterator = self.note_special(value, "iteration", held, "iterator")
                self.note_special(value, "iteration", iterator, "hasNext")
                step = self.note_special(value, "iteration", iterator, "next")
                items = Choice((items, step))
            if kind is not None and name is not None:
                given = self.declare_type(kind, "")
                self.bind_variable(read_node(name), given if self.is_own(given) else Choice((given, items)))
            if body is not None:
                self.read(body)
        return OTHER

    def read_resource(self, node: Node) -> Expression:
        """``try (A a = open())``."""
        kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        held = self.read(value) if value is not None else OTHER
        given = self.declare_type(kind, "") if kind is not None else held
        given = given if self.is_own(given) else Choice((given, held))
        if name is not None:
            self.bind_variable(read_node(name), given)
        self.note_special(node, "context", given, "close")
        return OTHER
