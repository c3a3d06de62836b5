"""Reads the call sites of Java programs: classes, methods, fields, and the types that are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import CallFacts, Calls, ClassFacts, FunctionFacts, ParameterFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    ClassValue,
    Expression,
    FunctionValue,
    Member,
    ObjectValue,
    SuperValue,
)
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.call_facts import Collector, pass_values
from pytest_codereason.languages.frame.call_reader import CallPlace
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.bodies import CONSTRUCTORS, OUTSIDE, list_bodies, list_parameters, read_node
from pytest_codereason.languages.java.call_expressions import JavaExpressions
from pytest_codereason.languages.java.syntax.tree import make_parser
from pytest_codereason.languages.java.types import TypeNames

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods of the library that keep a function and do not call it before they return.
_KEEPERS = frozenset(
    "add addAll addFirst addLast offer push put putIfAbsent of asList set submit execute Thread addShutdownHook".split()
)
_SPECIAL = frozenset("toString equals hashCode compareTo iterator hasNext next close".split())


class JavaCalls(Calls):
    """Reads Java by its grammar.

    A variable whose type is a class of the program may hold an object of that class, whatever is assigned to it. Other
    variables hold what they are given. Methods are named with their erased types, as far as files and imports tell.
    """

    def read(self, files: Mapping[str, str], entry: str) -> CallFacts:
        """What the text shows."""
        trees: dict[str, Tree] = {}
        for file, text in files.items():
            try:
                trees[file] = Tree(make_parser(), text)
            except DoesNotParse as error:
                raise DoesNotParse(f"{file}: {error}") from error
        bodies = {file: [*list_bodies(file, tree.root)] for file, tree in trees.items()}
        classes = frozenset(
            body.name.removesuffix(OUTSIDE) for listed in bodies.values() for _, body in listed if not body.callable
        )
        defined = {
            read_node(name)
            for listed in bodies.values()
            for node, body in listed
            if body.callable and (name := node.child_by_field_name("name")) is not None
        }
        collector = Collector()
        for file, tree in trees.items():
            names = {node.id: body.name for node, body in bodies[file]}
            try:
                _FileReader(file, tree, names, classes, defined, collector).read_file()
            except RecursionError as error:
                raise DoesNotParse(f"{file}: nested too deeply") from error
        return collector.finish(
            constructors=("<init>",), keepers=_KEEPERS, forwarders=frozenset({ANY}), open_classes=True
        )


class _FileReader(JavaExpressions):
    """Walks through the classes of one file."""

    def __init__(
        self,
        file: str,
        tree: Tree,
        names: Mapping[int, str],
        classes: frozenset[str],
        defined: set[str],
        collector: Collector,
    ) -> None:
        scope = f"file {file}"
        super().__init__(file, tree, classes, defined, collector, CallPlace("", scope))
        self._names = names
        self.types = TypeNames(tree.root, classes)

    def read_file(self) -> None:
        """Reads all classes."""
        scope = self.place.scope
        self.collector.scopes[scope] = ""
        for cls in sorted(self.classes):
            simple = cls.rpartition(".")[2]
            if "$" not in simple and self.types.find_class(simple, "") == cls:
                self.collector.bind(scope, simple, ClassValue(cls))
        for simple, full in self.types.imports.items():
            if full in self.classes:
                self.collector.bind(scope, simple, ClassValue(full))
        for owner, member in self.types.static_imports:
            if owner in self.classes and member == "*":
                self.collector.bind(scope, ANY, ClassValue(owner))
            elif owner in self.classes:
                for key in (member, f"{member}()"):
                    self.collector.bind(scope, key, Member(ClassValue(owner), key))
        for child in self.tree.root.named_children:
            if child.id in self._names:
                self.read_class(child)

    def read_class(self, node: Node) -> str:
        """Reads a class; its full name."""
        cls = self._names[node.id].removesuffix(OUTSIDE)
        self.collector.scopes[cls] = self.place.scope
        outer, self.cls = self.cls, cls
        before = self.bounds
        self.bounds = {**self.bounds, **self.types.declare(node)}
        simple = re.sub(r"^\d+", "", re.split(r"[.$]", cls)[-1])
        if simple:
            holder: Expression = ClassValue(outer)
            if outer:
                self.collector.bind_member(holder, simple, ClassValue(cls), cls)
            self.collector.bind(self.place.scope, simple, ClassValue(cls))
        members = [*_list_members(node)]
        constructors = [member for member in members if member.type in CONSTRUCTORS]
        fields = [member for member in members if member.type in ("field_declaration", "block")]
        kept = any(not self._is_static(member, node) for member in fields)
        header = node.child_by_field_name("parameters") if node.type == "record_declaration" else None
        record_fields = [*list_parameters(header)] if header is not None else []
        self.collector.classes.append(
            ClassFacts(
                name=cls,
                scope=self.place.scope,
                file=self.file,
                line=node.start_point[0] + 1,
                bases=tuple(self._list_bases(node)),
                fields=tuple(name for _, _, name in record_fields),
                initialiser=f"{cls}/initialiser" if kept else "",
            )
        )
        if kept:
            self._add_transparent(f"{cls}/initialiser", node)
        for kind, dimensions, name in record_fields:
            self.collector.bind_member(ClassValue(cls), name, self.declare_type(kind, dimensions), cls)
            getter = any(m.type == "method_declaration" and self.tree.read(m) == name for m in members)
            if not getter:
                self.collector.bind_member(ClassValue(cls), f"{name}()", self._make_getter(cls, name, node), cls)
        for member in members:
            self._read_member(member, node, cls, constructors, kept=kept, header=header)
        self.cls, self.bounds = outer, before
        return cls

    def _add_transparent(self, name: str, node: Node, results: tuple[Expression, ...] = ()) -> None:
        self.collector.scopes[name] = self.cls
        self.collector.bind(name, "this", ObjectValue(self.cls))
        line = node.start_point[0] + 1
        self.collector.functions.append(
            FunctionFacts(name, self.cls, self.file, line, results=results, receiver="this", transparent=True)
        )

    def _make_getter(self, cls: str, field: str, node: Node) -> Expression:
        """The method of a record that nobody wrote; its calls are no edges."""
        name = f"{cls}/{field}()"
        self._add_transparent(name, node, (Member(ObjectValue(cls), field),))
        return FunctionValue(name)

    def _is_static(self, member: Node, cls: Node) -> bool:
        modifiers = next((child for child in member.children if child.type == "modifiers"), None)
        words = read_node(modifiers).split() if modifiers is not None else []
        return "static" in words or cls.type in ("interface_declaration", "annotation_type_declaration")

    def _list_bases(self, node: Node) -> list[Expression]:
        """The classes of the program above a class."""
        above = node.parent
        if node.type == "class_body" and above is not None:  # without a name
            if above.type == "enum_constant":
                return [ClassValue(self.cls.rpartition("$")[0])]
            kinds = [kind] if (kind := above.child_by_field_name("type")) is not None else []
        else:
            heads = [child for child in node.children if child.type in _HEADS]
            kinds = [inner for head in heads for inner in walk(head) if inner.type in _NAMED and _is_outer(inner, head)]
        around = self.cls.rpartition("$")[0] or self.cls
        return [ClassValue(self.types.erase(read_node(kind), around, self.bounds)) for kind in kinds]

    def _read_member(
        self, member: Node, node: Node, cls: str, constructors: list[Node], *, kept: bool, header: Node | None
    ) -> None:
        static = self._is_static(member, node)
        outside = CallPlace(f"{cls}{OUTSIDE}", cls, cls=cls)
        inside = CallPlace(f"{cls}/initialiser", f"{cls}/initialiser", cls=cls)
        match member.type:
            case "method_declaration":
                self._read_method(member, cls, static=static, kept=kept, header=None)
            case kind if kind in CONSTRUCTORS:
                self._read_method(member, cls, static=False, kept=kept, header=header)
            case "field_declaration":
                with self.at(outside if static else inside), self.begun(member):
                    self.read_field(member, ClassValue(cls))
            case "block" | "static_initializer":
                with self.at(inside if member.type == "block" else outside):
                    self.read(member)
            case "enum_constant":
                self._read_constant(member, cls)
            case _ if member.id in self._names:
                with self.at(replace(self.place, scope=cls)):
                    self.read_class(member)

    def _read_constant(self, node: Node, cls: str) -> None:
        own = self.cls
        with self.at(CallPlace(f"{cls}{OUTSIDE}", cls, cls=cls)):
            body = next((child for child in node.children if child.type == "class_body"), None)
            made = self.read_class(body) if body is not None else cls
            arguments = node.child_by_field_name("arguments")
            passed = self.read_arguments(arguments) if arguments is not None else ()
            self.add_site(node, "constructor", ClassValue(made), self.tree.read(node), passed)
        self.collector.bind_member(ClassValue(own), self.tree.read(node), ObjectValue(made), cls)
        self.collector.bind_member(ClassValue(own), "values()", FunctionValue(f"{own}/values"), cls)
        if f"{own}/values" not in self.collector.scopes:
            items = self.collector.make_items(f"{own}/values", [(ANY, ObjectValue(own, declared=True))], cls)
            self._add_transparent(f"{own}/values", node, (items,))

    def _read_method(self, node: Node, cls: str, *, static: bool, kept: bool, header: Node | None) -> None:
        before = self.bounds
        self.bounds = {**self.bounds, **self.types.declare(node)}
        constructor = node.type in CONSTRUCTORS
        method = "<init>" if constructor else self.tree.read(node)
        listed = node.child_by_field_name("parameters") or header
        parameters = [*list_parameters(listed)] if listed is not None else []
        erased = [self.types.erase(read_node(kind) + dims, cls, self.bounds) for kind, dims, _ in parameters]
        name = f"{cls}:{method}({','.join(erased)})"
        self.collector.scopes[name] = cls
        key = "<init>" if constructor else f"{method}()"
        self.collector.bind_member(ClassValue(cls), key, FunctionValue(name), cls)
        if not static:
            self.collector.bind(name, "this", ObjectValue(cls), fallback=True)
        results: list[Expression] = []
        with self.at(CallPlace(name, name, cls=cls, results=results)):
            facts = tuple(
                self.declare_parameter(kind, dims, parameter, text)
                for (kind, dims, parameter), text in zip(parameters, erased, strict=True)
            )
            body = node.child_by_field_name("body")
            if constructor:
                self._read_constructor(node, body, cls, kept=kept)
            if body is not None:
                self.read(body)
            kind = node.child_by_field_name("type")
            given = self.declare_type(kind, "") if kind is not None else None
        closed = isinstance(given, ObjectValue) and given.type in self.classes
        returned = [given] if given is not None and closed else [*([given] if given is not None else []), *results]
        self.collector.functions.append(
            FunctionFacts(
                name=name,
                scope=cls,
                file=self.file,
                line=node.start_point[0] + 1,
                parameters=facts,
                results=tuple(returned),
                owner=cls,
                receiver="" if static else "this",
                constructor=constructor,
                special=method in _SPECIAL,
                bodiless=body is None,
            )
        )
        self.bounds = before

    def _read_constructor(self, node: Node, body: Node | None, cls: str, *, kept: bool) -> None:
        """What a constructor calls without a word: the constructor of the class above, the values of the fields."""
        calls = [child.type for child in body.named_children] if body is not None else []
        explicit = "explicit_constructor_invocation" in calls
        this = explicit and body is not None and read_node(body.named_children[0]).startswith("this")
        if not explicit:
            self.add_site(node, "context", Member(SuperValue(cls), "<init>"), "super")
        if kept and not this:
            self.add_site(node, "context", FunctionValue(f"{cls}/initialiser"), "fields", pass_values())

    def declare_parameter(self, kind: Node, dimensions: str, name: str, erased: str) -> ParameterFacts:
        """Binds a parameter to its type."""
        given = self.declare_type(kind, dimensions)
        self.bind_variable(name, given)
        rest = dimensions.endswith("[]") and kind.parent is not None and kind.parent.type == "spread_parameter"
        closed = isinstance(given, ObjectValue) and given.type in self.classes
        return ParameterFacts(name, erased, rest=rest, closed=closed)


_HEADS = frozenset({"superclass", "super_interfaces", "extends_interfaces"})
_NAMED = frozenset({"type_identifier", "scoped_type_identifier", "generic_type"})


def _is_outer(node: Node, head: Node) -> bool:
    """Whether a type stands in the head of a class itself, and not within another type."""
    above = node.parent
    while above is not None and above != head:
        if above.type in _NAMED:
            return False
        above = above.parent
    return True


def _list_members(node: Node) -> list[Node]:
    """The members of a class."""
    members: list[Node] = []
    waiting = [node] if node.type == "class_body" else list(node.children)
    while waiting:
        child = waiting.pop(0)
        if child.type.endswith(("_body", "_body_declarations")) and child.type != "constructor_body":
            members += [inner for inner in child.named_children if not inner.type.endswith("_body_declarations")]
            waiting += [inner for inner in child.named_children if inner.type.endswith("_body_declarations")]
    return members
