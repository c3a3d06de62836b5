"""Reads the call sites of JavaScript programs: statements, functions, classes, imports."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_codereason.core.language.calls import CallFacts, Calls, ClassFacts, FunctionFacts, ParameterFacts
from pytest_codereason.core.language.expressions import (
    ANY,
    OTHER,
    UNKNOWN,
    Choice,
    ClassValue,
    Expression,
    FileValue,
    FunctionValue,
    Items,
    Member,
    ObjectValue,
    Variable,
)
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.call_facts import Collector
from pytest_codereason.languages.frame.call_reader import CallPlace
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.bodies import list_definitions, name_module, read_key
from pytest_codereason.languages.javascript.call_expressions import JavaScriptExpressions
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import (
    CLASSES,
    FUNCTIONS,
    list_children,
    list_declared,
    parse_source,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_SUFFIXES = (".js", ".mjs", ".cjs")
#: Functions of the library that keep a function and do not call it before they return.
_KEEPERS = frozenset(
    "push unshift set add on once addListener addEventListener setTimeout setInterval setImmediate queueMicrotask "
    "nextTick then catch finally bind assign freeze defineProperty create stringify log inherits".split()
)
_EXPORTS = "module.exports"


class JavaScriptCalls(Calls):
    """Reads JavaScript by its grammar.

    A variable may hold whatever any statement of its function gives it, in whatever order and block.
    """

    def read(self, files: Mapping[str, str], entry: str) -> CallFacts:
        """What the text shows."""
        trees: dict[str, Tree] = {}
        for file, text in files.items():
            if file == entry or file.endswith(_SUFFIXES):
                try:
                    trees[file] = parse_source(text)
                except DoesNotParse as error:
                    raise DoesNotParse(f"{file}: {error}") from error
        methods = [(tree, node) for tree in trees.values() for node in walk(tree.root) if node.type in _WITH_KEYS]
        keys = {read_key(tree, key) for tree, node in methods if (key := _find_key(node)) is not None}
        getters = {
            read_key(tree, key)
            for tree, node in methods
            if (key := _find_key(node)) is not None and any(child.type in ("get", "set") for child in node.children)
        }
        collector = Collector()
        for file, tree in trees.items():
            try:
                _FileReader(file, tree, trees, keys, getters, collector).read_file()
            except RecursionError as error:
                raise DoesNotParse(f"{file}: nested too deeply") from error
        return collector.finish(
            constructors=("constructor",), keepers=_KEEPERS, forwarders=frozenset({"call", "apply", "bind"})
        )


_WITH_KEYS = frozenset({"method_definition", "pair", "field_definition"})


def _find_key(node: Node) -> Node | None:
    for field in ("name", "key", "property"):
        if (key := node.child_by_field_name(field)) is not None:
            return key
    return None


class _FileReader(JavaScriptExpressions):
    """Walks through the statements of one file."""

    def __init__(
        self,
        file: str,
        tree: Tree,
        trees: Mapping[str, Tree],
        keys: set[str],
        getters: set[str],
        collector: Collector,
    ) -> None:
        self._module = name_module(file)
        names = {node.id: name for node, name in list_definitions(tree, self._module)}
        super().__init__(file, tree, names, keys, getters, collector, CallPlace(self._module, self._module))
        self._trees = trees

    def read_file(self) -> None:
        """Reads all statements."""
        self.collector.scopes[self._module] = ""
        self.collector.bind(self._module, "this", FileValue(self._module))
        own = FileValue(self._module)
        self.collector.bind(self._module, "module", own)
        self.collector.bind(self._module, "exports", Choice((own, Member(own, _EXPORTS))))
        self.read_statements(self.tree.root)

    def read_statements(self, around: Node) -> None:
        """The statements within a node."""
        for node in list_children(around):
            self._read_statement(node)

    def _read_statement(self, node: Node) -> None:
        if node.type not in STRUCTURE.statements and node.type not in _PARTS:
            self.read(node)
            return
        if node.type in _PARTS or node.type == "statement_block":
            self._read_part(node)
            return
        with self.begun(node):
            match node.type:
                case "function_declaration" | "generator_function_declaration":
                    self._bind(node, self.read_function(node))
                case "class_declaration":
                    self._bind(node, self.read_class(node))
                case "return_statement":
                    for child in list_children(node):
                        value = self.read(child)
                        if self.place.results is not None:
                            self.place.results.append(value)
                case "for_in_statement":
                    self._read_for_in(node)
                case "import_statement":
                    self._read_import(node)
                case "export_statement":
                    self._read_export(node)
                case _:
                    self._read_part(node)

    def _read_part(self, node: Node) -> None:
        if node.type == "variable_declarator":
            self._read_declarator(node)
            return
        if node.type == "catch_clause" and (parameter := node.child_by_field_name("parameter")):
            self.assign(parameter, OTHER)
        for child in list_children(node):
            if node.type != "catch_clause" or child != node.child_by_field_name("parameter"):
                self._read_statement(child)

    def _read_declarator(self, node: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            self._declare(name)
            self.assign(name, self.read(value) if value is not None else UNKNOWN)

    def _declare(self, node: Node) -> None:
        """Notes the variables of a declaration."""
        self.declared[self.place.scope].update(list_declared(self.tree, node))

    def _bind(self, node: Node, value: Expression) -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.declared[self.place.scope].add(self.tree.text(name))
            self.collector.bind(self.place.scope, self.tree.text(name), value)

    def _read_for_in(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is not None and right is not None:
            if node.child_by_field_name("kind") is not None:
                self._declare(left)
            of = operator is not None and self.tree.text(operator) == "of"
            self.assign(left, self.iterate(right) if of else (self.read(right), OTHER)[1])
        body = node.child_by_field_name("body")
        if body is not None:
            self._read_statement(body)

    def read_function(self, node: Node, *, owner: Expression | None = None, cls: str = "") -> FunctionValue:
        """A function, with what is in it. ``owner`` is the class or object whose member it is."""
        name = self.names[node.id]
        arrow = node.type == "arrow_function"
        self.collector.scopes[name] = self.place.scope
        kinds = {child.type for child in node.children}
        key = self.tree.read(node)
        constructor = bool(cls) and key == "constructor"
        if not arrow:
            own = ObjectValue(name)
            self.collector.bind(name, "this", own if owner is None else owner, self.place.scope, fallback=True)
            if node.type in ("function_expression", "generator_function") and key:
                self.collector.bind(name, key, FunctionValue(name))
        results: list[Expression] = []
        body = node.child_by_field_name("body")
        line = node.start_point[0] + 1
        with self.at(CallPlace(name, name, results=results, statement=0)):
            parameters = self._read_parameters(node)
            if body is not None and body.type == "statement_block":
                self.read_statements(body)
            elif body is not None:
                with self.begun(body):
                    results.append(self.read(body))
        if "*" in kinds or node.type.startswith("generator"):
            results = [Items(f"{name}/yields")]
        named = cls or (owner.name if isinstance(owner, Items) else "")
        self.collector.functions.append(
            FunctionFacts(
                name=name,
                scope=self.collector.scopes[name],
                file=self.file,
                line=line,
                parameters=parameters,
                results=tuple(results),
                owner=named,
                receiver="" if arrow else "this",
                constructor=constructor,
                getter=bool(kinds & {"get", "set"}),
                special=key.startswith("[Symbol.") or key in ("toString", "valueOf", "toJSON"),
            )
        )
        return FunctionValue(name)

    def _read_parameters(self, node: Node) -> tuple[ParameterFacts, ...]:
        single = node.child_by_field_name("parameter")
        several = node.child_by_field_name("parameters")
        patterns = [single] if single is not None else list_children(several) if several is not None else []
        parameters = []
        for pattern in patterns:
            self._declare(pattern)
        for i, pattern in enumerate(patterns):
            rest = pattern.type == "rest_pattern"
            target = list_children(pattern)[0] if rest else pattern
            if target.type == "assignment_pattern":
                left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
                default = self.read(right) if right is not None else OTHER
                target = left if left is not None else target
                if target.type == "identifier":
                    self.collector.bind(self.place.scope, self.tree.text(target), default)
                else:
                    self.collector.bind(self.place.scope, f"<{i}>", default)
            if target.type == "identifier":
                parameters.append(ParameterFacts(self.tree.text(target), rest=rest))
            else:
                parameters.append(ParameterFacts(f"<{i}>", rest=rest))
                self.assign(target, Variable(f"<{i}>"))
        return tuple(parameters)

    def read_class(self, node: Node) -> ClassValue:
        """A class, with what is in it."""
        name = self.names[node.id]
        value = ClassValue(name)
        scope = f"{name}/fields"
        self.collector.scopes[name] = self.place.scope
        self.collector.scopes[scope] = self.place.scope
        own = node.child_by_field_name("name")
        if own is not None:
            self.collector.bind(scope, self.tree.text(own), value)
        self.collector.bind(scope, "this", ObjectValue(name))
        heritage = next((child for child in node.children if child.type == "class_heritage"), None)
        bases = tuple(self.read(child) for child in list_children(heritage)) if heritage is not None else ()
        body = node.child_by_field_name("body")
        members = list_children(body) if body is not None else []
        keys = [(member, self._read_member_key(member)) for member in members]
        written = [self.names[member.id] for member, key in keys if key == "constructor" and member.id in self.names]
        fields = [member for member, _ in keys if member.type == "field_definition" and not _is_static(member)]
        initialiser = "" if written or not fields else f"{name}/initialiser"
        self.collector.classes.append(
            ClassFacts(name, self.place.scope, self.file, node.start_point[0] + 1, bases, initialiser=initialiser)
        )
        maker = written[0] if written else initialiser
        for member, key in keys:
            static = _is_static(member)
            caller = self.place.caller if static or not maker else maker
            with self.at(CallPlace(caller, scope, cls=name, statement=self.place.statement)), self.begun(member):
                if member.type == "method_definition":
                    with self.at(replace(self.place, scope=scope)):
                        method = self.read_function(member, owner=value if static else ObjectValue(name), cls=name)
                    self.collector.bind_member(value, key, method, scope)
                elif member.type == "class_static_block":
                    self._read_part(member)
                elif (given := member.child_by_field_name("value")) is not None:
                    self.collector.bind_member(value, key, self.read(given), scope)
        if initialiser:
            self.collector.scopes[initialiser] = scope
            self.collector.functions.append(
                FunctionFacts(initialiser, self.place.scope, self.file, node.start_point[0] + 1, transparent=True)
            )
        return value

    def _read_member_key(self, member: Node) -> str:
        key = _find_key(member)
        return read_key(self.tree, key) if key is not None else ""

    def _find_file(self, source: str) -> str:
        """The module that an import names; empty if it is a library's."""
        if not source.startswith("."):
            return ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.file), source))
        for ending in ("", *_SUFFIXES, "/index.js"):
            if path + ending in self._trees:
                return name_module(path + ending)
        return ""

    def import_file(self, source: str) -> Expression:
        """What ``require`` gives."""
        file = self._find_file(source)
        return Choice((FileValue(file), Member(FileValue(file), _EXPORTS))) if file else OTHER

    def _read_import(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        whole = self.import_file(self.tree.text(source)[1:-1]) if source is not None else OTHER
        for child in walk(node):
            match child.type:
                case "import_specifier":
                    name = child.child_by_field_name("name")
                    alias = child.child_by_field_name("alias") or name
                    if name is not None and alias is not None:
                        self._bind_name(alias, _take(whole, self.tree.text(name)))
                case "namespace_import":
                    self._bind_name(list_children(child)[0], whole)
                case "import_clause":
                    for inner in list_children(child):
                        if inner.type == "identifier":
                            default = OTHER if whole == OTHER else Choice((Member(whole, "default"), whole))
                            self._bind_name(inner, default)

    def _bind_name(self, node: Node, value: Expression) -> None:
        self.collector.bind(self.place.scope, self.tree.text(node), value)

    def _read_export(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        whole = self.import_file(self.tree.text(source)[1:-1]) if source is not None else None
        default = any(child.type == "default" for child in node.children)
        for child in list_children(node):
            if child.type == "export_clause":
                for specifier in list_children(child):
                    name = specifier.child_by_field_name("name")
                    alias = specifier.child_by_field_name("alias") or name
                    if name is None or alias is None or (whole is None and alias == name):
                        continue
                    text = self.tree.text(name)
                    self._bind_name(alias, Variable(text) if whole is None else _take(whole, text))
            elif child.type == "namespace_export" and whole is not None:
                self._bind_name(list_children(child)[0], whole)
            elif child.type in FUNCTIONS or child.type in CLASSES:
                value = self.read_class(child) if child.type in CLASSES else self.read_function(child)
                self._bind(child, value)
                if default:
                    self.collector.bind(self._module, "default", value)
            elif default:
                self.collector.bind(self._module, "default", self.read(child))
            elif child != source:
                self._read_statement(child)
        if whole is not None and any(child.type == "*" for child in node.children):
            self.collector.bind(self._module, ANY, whole)


#: What is no statement of its own and holds statements or declarations.
_PARTS = frozenset(
    """variable_declarator else_clause catch_clause finally_clause switch_body switch_case switch_default
    class_static_block""".split()
)


def _take(whole: Expression, name: str) -> Expression:
    return OTHER if whole == OTHER else Member(whole, name)


def _is_static(member: Node) -> bool:
    return member.type == "class_static_block" or any(child.type == "static" for child in member.children)
