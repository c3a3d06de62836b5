"""Lists the declarations of a Java source, before names are resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: Types of the library that leave no field, no class and no method but these to those who implement them.
KNOWN = {
    "Runnable": "run",
    "Callable": "call",
    "Comparable": "compareTo",
    "Comparator": "compare comparing naturalOrder nullsFirst nullsLast reverseOrder reversed thenComparing",
    "Iterable": "iterator forEach spliterator",
    "Iterator": "hasNext next remove forEachRemaining",
    "Supplier": "get",
    "Consumer": "accept andThen",
    "BiConsumer": "accept andThen",
    "Function": "apply compose andThen identity",
    "BiFunction": "apply andThen",
    "UnaryOperator": "apply compose andThen identity",
    "BinaryOperator": "apply andThen minBy maxBy",
    "Predicate": "test and or negate not isEqual",
    "Cloneable": "",
    "Serializable": "",
    "AutoCloseable": "close",
    "Closeable": "close",
    "Object": "",
}
_OBJECT = frozenset(["clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"])
#: Annotations that give the name of what they stand at no meaning.
_HARMLESS = frozenset({"SuppressWarnings", "SafeVarargs", "Deprecated"})
_MEMBERS = ("field_declaration", "constant_declaration")
_BODIES = ("class_body", "interface_body", "enum_body", "annotation_type_body")
_TYPED = ("variable_declarator", "formal_parameter", "enhanced_for_statement", "resource")
_UNTYPED = ("lambda_expression", "catch_formal_parameter", "instanceof_expression", "type_pattern")
_OTHER = ("record_pattern_component", "import_declaration", "type_parameter", "enum_constant")


@dataclass(eq=False, slots=True)
class Class:
    """A class, named or anonymous."""

    name: str
    node: Node
    supers: tuple[str, ...]
    fields: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    methods: dict[str, list[Node]] = field(default_factory=dict)
    #: the names of its private static fields, each with the declaration
    statics: list[tuple[Node, Node]] = field(default_factory=list)
    #: fields and classes of those above it in the source: it inherits them unless they are private
    inherited: set[str] = field(default_factory=set)
    #: whether it may inherit fields and classes that the source does not show
    open: bool = False


#: The innermost arguments of a type.
_ARGUMENTS = re.compile(r"<[^<>]*>")


@dataclass(slots=True)
class Declarations:
    """All declarations of a source, by name."""

    classes: dict[int, Class] = field(default_factory=dict)  #: by the id of the node of a class's body
    #: the types that variables of a name are declared with; ``?`` where none is written
    variables: dict[str, set[str]] = field(default_factory=dict)
    #: variables that are final, or may be without saying so
    finals: set[str] = field(default_factory=set)
    named: dict[str, list[Class]] = field(default_factory=dict)
    type_parameters: set[str] = field(default_factory=set)
    foreign: set[str] = field(default_factory=set)  #: names imported from elsewhere than the library

    @property
    def varying(self) -> frozenset[str]:
        """Names of variables that the compiler does not treat as constants."""
        return frozenset(self.variables.keys() - self.finals)

    def above(self, cls: Class) -> set[str]:
        """The names of all classes and interfaces above a class that the source shows."""
        seen: set[str] = set()
        waiting = [cls]
        while waiting:
            for name in waiting.pop().supers:
                if name not in seen:
                    seen.add(name)
                    waiting += self.named.get(name, [])
        return seen

    def known(self, name: str) -> bool:
        """Whether a name means a library type that ``KNOWN`` lists."""
        return name in KNOWN and name not in self.foreign

    def inherits(self, cls: Class, method: str) -> bool:
        """Whether a class may inherit a method of that name from a class outside the source."""
        unseen = self.above(cls) - self.named.keys()
        return method in _OBJECT or any(not self.known(n) or method in KNOWN[n].split(" ") for n in unseen)


def collect_declarations(tree: Tree) -> Declarations:
    """The declarations of a source."""
    collected = Declarations()
    for node in tree.find_nodes(*_BODIES, *_TYPED, *_UNTYPED, *_OTHER):
        kind = node.type
        if kind in _BODIES:
            _add_class(collected, tree, node)
        elif kind in _TYPED:
            _add_variable(collected, tree, node)
        elif kind in _UNTYPED:
            for name in _list_untyped(node):
                collected.variables.setdefault(tree.text(name), set()).add("?")
        elif kind == "record_pattern_component":
            collected.variables.setdefault(tree.text(node.named_children[-1]), set()).add("?")
        elif kind == "import_declaration" and not (path := tree.text(node.named_children[0])).startswith("java."):
            collected.foreign.add(path.rpartition(".")[2])
        elif kind == "type_parameter":
            collected.type_parameters |= {tree.text(n) for n in node.named_children if n.type == "type_identifier"}
        elif kind == "enum_constant" and (constant := node.child_by_field_name("name")):
            collected.variables.setdefault(tree.text(constant), set()).add("?")
    for cls in collected.classes.values():
        for kind in collected.above(cls):
            cls.open |= kind not in collected.named and not collected.known(kind)
            for above in collected.named.get(kind, []):
                cls.inherited |= above.fields | above.types
    return collected


def _list_untyped(node: Node) -> list[Node]:
    if node.type == "lambda_expression":
        parameters = node.child_by_field_name("parameters")
        if parameters is not None and parameters.type == "identifier":
            return [parameters]
        return [n for n in parameters.named_children if n.type == "identifier"] if parameters else []
    if node.type == "type_pattern":
        return node.named_children[-1:]
    name = node.child_by_field_name("name")
    return [name] if name else []


def _add_variable(declarations: Declarations, tree: Tree, node: Node) -> None:
    name = node.child_by_field_name("name")
    holder = node.parent if node.type == "variable_declarator" else node
    if name is None or holder is None:
        return
    kind = holder.child_by_field_name("type")
    array = node.child_by_field_name("dimensions") is not None or holder.type == "spread_parameter"
    text = tree.text(name)
    shown = "?" if kind is None or array else name_type(tree.text(kind))
    if shown == "var":
        value = node.child_by_field_name("value")
        made = value.child_by_field_name("type") if value and value.type == "object_creation_expression" else None
        shown = name_type(tree.text(made)) if made else "?"
    declarations.variables.setdefault(text, set()).add(shown)
    modifiers = next((n for n in holder.children if n.type == "modifiers"), None)
    final = modifiers is not None and any(n.type == "final" for n in modifiers.children)
    if final or holder.type == "constant_declaration":
        declarations.finals.add(text)


def _add_class(declarations: Declarations, tree: Tree, body: Node) -> None:
    owner = body.parent
    if owner is None:
        return
    name = owner.child_by_field_name("name")
    cls = Class(tree.text(name) if name and owner.type != "enum_constant" else "", owner, _list_bases(tree, owner))
    declarations.classes[body.id] = cls
    if cls.name:
        declarations.named.setdefault(cls.name, []).append(cls)
    members = list(body.named_children)
    if body.type == "enum_body":
        members += [m for part in members if part.type == "enum_body_declarations" for m in part.named_children]
        cls.methods |= {"values": [], "valueOf": [], "ordinal": [], "name": []}
    for member in members:
        _add_member(cls, tree, member)
    if owner.type == "record_declaration" and (components := owner.child_by_field_name("parameters")):
        for label in (component.child_by_field_name("name") for component in components.named_children):
            if label is not None:
                cls.fields.add(tree.text(label))
                cls.methods.setdefault(tree.text(label), [])


def _add_member(cls: Class, tree: Tree, member: Node) -> None:
    kind = member.type
    label = member.child_by_field_name("name")
    if kind in _MEMBERS:
        labels = [part.child_by_field_name("name") for part in member.children_by_field_name("declarator")]
        cls.fields |= {tree.text(label) for label in labels if label}
        if {"private", "static"} <= {*list_modifiers(tree, member)}:
            cls.statics += [(label, member) for label in labels if label]
    elif kind == "method_declaration" and label:
        cls.methods.setdefault(tree.text(label), []).append(member)
    elif kind == "enum_constant" and label:
        cls.fields.add(tree.text(label))
    elif kind.endswith("_declaration") and kind != "constructor_declaration" and label:
        cls.types.add(tree.text(label))


def list_modifiers(tree: Tree, member: Node) -> list[str]:
    """The modifiers and annotations of a member of a class."""
    modifiers = member.named_children[0]
    return [tree.text(n) for n in modifiers.children] if modifiers.type == "modifiers" else []


def has_meaning(modifier: str) -> bool:
    """Whether a modifier is an annotation that may give the name of its member a meaning."""
    return modifier.startswith("@") and modifier[1:].split("(", maxsplit=1)[0] not in _HARMLESS


def _list_bases(tree: Tree, owner: Node) -> tuple[str, ...]:
    if owner.type == "object_creation_expression":
        kind = owner.child_by_field_name("type")
        return (_strip_type(tree.text(kind)),) if kind else ()
    if owner.type == "enum_constant":
        enum = owner.parent.parent if owner.parent else None
        name = enum.child_by_field_name("name") if enum else None
        return (tree.text(name),) if name else ()
    names = []
    for child in owner.named_children:
        if child.type in ("superclass", "super_interfaces", "extends_interfaces"):
            kinds = child.named_children
            if kinds and kinds[0].type == "type_list":
                kinds = kinds[0].named_children
            names += [_strip_type(tree.text(kind)) for kind in kinds if not kind.type.endswith("comment")]
    return tuple(names)


def name_type(written: str) -> str:
    """A type without the arguments that it is given: ``Box.In`` for ``Box<Integer>.In``."""
    while (plain := _ARGUMENTS.sub("", written)) != written:
        written = plain
    return written


def _strip_type(kind: str) -> str:
    return name_type(kind).rpartition(".")[2].split()[-1]
