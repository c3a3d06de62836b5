"""Finds the small places of a program that a fault changes: operators, indices, bounds, arguments, defaults, reads.

Programs are full of these places, and only faults ask for them. So they are collected apart, by one walk for all kinds.
A language says in its table :class:`~pytest_codereason.languages.frame.tables.Details` what its nodes are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Site, SiteKind, Span
from pytest_codereason.languages.frame.outline import Visit
from pytest_codereason.languages.frame.tables import Details
from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: The kinds of sites that :func:`list_details` collects.
DETAILS: frozenset[SiteKind] = frozenset({"operator", "index", "bound", "arguments", "default", "read"})
_ORDERED = frozenset({"<", "<=", ">", ">="})
#: Under which names a node holds what it calls, what it declares, and what it gives to a name.
_CALLEE = ("name", "function", "constructor", "type")
_MEMBER = ("property", "attribute", "name")
_TARGET, _GIVEN = ("name", "left"), ("value", "right")


def list_details(tree: Tree, table: Details, visits: Sequence[Visit]) -> list[Site]:
    """The sites of the kinds in :data:`DETAILS`, in the order of ``visits``. Outside statements there are none."""
    reader = _Reader(tree, table)
    reader.read_types(visits)
    found: list[Site] = []
    closed = 0  # where the last node ends in which nothing is changed
    for visit in visits:
        if visit.kind in table.closed:
            closed = visit.node.end_byte
        elif visit.frame.statement is not None and visit.node.start_byte >= closed:
            found += reader.list_sites(visit)
    return found


class _Reader:
    """Reads the nodes of one program."""

    def __init__(self, tree: Tree, table: Details) -> None:
        self._tree, self._table = tree, table
        self._types: dict[tuple[str, str], str] = {}

    def read_types(self, visits: Iterable[Visit]) -> None:
        """Notes the declared type of each name. A name with two types in one function has none."""
        for visit in visits:
            node = visit.node
            if node.type not in self._table.declarations:
                continue
            text = "".join(self._tree.read(node, "type").split()).lstrip(":")
            for name in self._list_declared(node):
                key = visit.frame.function, self._tree.text(name)
                known = self._types.setdefault(key, "" if text in self._table.untyped else text)
                if known != text:
                    self._types[key] = ""

    def _list_declared(self, node: Node) -> list[Node]:
        if declarators := node.children_by_field_name("declarator"):
            return [name for declarator in declarators if (name := declarator.child_by_field_name("name"))]
        target = _find_field(node, _TARGET) or node.named_children[0]
        return [target] if target.type == self._table.variable else []

    def list_sites(self, visit: Visit) -> Iterator[Site]:
        """The sites that begin at a node."""
        node, table = visit.node, self._table
        kind = visit.kind
        if kind == table.variable:
            if self._is_read(visit):
                name = self._tree.text(node)
                form = self._types.get((visit.frame.function, name)) or self._types.get(("", name), "")
                yield self._make("read", visit, node, form)
        elif kind in table.operations:
            yield from self._list_operators(visit)
        elif kind in table.subscripts:
            yield from self._list_indices(visit, table.subscripts[kind])
        elif kind in table.counting_loops:
            yield from self._list_counted(visit, node.child_by_field_name(table.counting_loops[kind]))
        elif kind in table.calls:
            yield from self._list_arguments(visit)
        elif kind in table.defaults:
            yield from self._list_default(visit, node.child_by_field_name(table.defaults[kind]))

    def _make(
        self, kind: SiteKind, visit: Visit, node: Node, form: str, holder: str = "", parts: Sequence[Node] = ()
    ) -> Site:
        spans = tuple([self._tree.span(part) for part in parts])
        span, frame = self._tree.span(node), visit.frame
        return Site(kind, span, frame.statement or span, frame.function, form, holder, parts=spans)

    def _list_children(self, node: Node) -> list[Node]:
        return [child for child in node.named_children if child.type not in self._table.comments]

    def _is_read(self, visit: Visit) -> bool:
        parent = visit.parent
        if parent is None or (fields := self._table.reads.get(parent.type)) is None:
            return False
        return not fields or any(parent.child_by_field_name(name) == visit.node for name in fields)

    def _list_operators(self, visit: Visit) -> Iterator[Site]:
        operands = self._list_children(visit.node)
        if visit.node.type in self._table.comparisons:
            operators = visit.node.children_by_field_name("operators")
            for i, operator in enumerate(operators):
                yield self._make("operator", visit, operator, operator.type, parts=operands[i : i + 2])
            return
        operator_node = visit.node.child_by_field_name("operator")
        if operator_node is None:
            operator_node = next((child for child in visit.node.children if not child.is_named), None)
        if operator_node is None:
            return
        form = self._tree.text(operator_node)
        if form == "=":
            return
        yield self._make("operator", visit, operator_node, form, parts=operands)
        if form in self._table.fallbacks:
            yield from self._list_default(visit, operands[-1])

    def _list_indices(self, visit: Visit, held: str) -> Iterator[Site]:
        node = visit.node
        if visit.parent is not None and visit.parent.type in self._table.texts and not self._has_braces(node):
            return
        indices = node.children_by_field_name(held) if held else self._list_children(node)[1:]
        for index in indices:
            if index.type in self._table.slices:
                yield from self._list_slice(visit, index)
            else:
                yield self._make("index", visit, index, self._read_literal(index))

    @staticmethod
    def _has_braces(node: Node) -> bool:
        before = node.prev_sibling
        return before is not None and before.type == "{"

    def _list_slice(self, visit: Visit, node: Node) -> Iterator[Site]:
        colons = 0
        for child in node.children:
            if child.type == ":":
                colons += 1
            elif colons < 2 and child.type not in self._table.comments:
                yield self._make("bound", visit, child, "end" if colons else "start")

    def _list_counted(self, visit: Visit, begin: Node | None) -> Iterator[Site]:
        """The first and the last value of the variable that counts."""
        given = next(_list_given(begin), None) if begin is not None else None
        if given is None:
            return
        name = self._tree.text(given[0])
        yield self._make("bound", visit, given[1], "start", name)
        condition = visit.node.child_by_field_name("condition")
        operator = condition.child_by_field_name("operator") if condition is not None else None
        if condition is None or operator is None or self._tree.text(operator) not in _ORDERED:
            return
        left, right = self._list_children(condition)
        if self._tree.text(left) == name:
            yield self._make("bound", visit, right, "end", name)

    def _list_arguments(self, visit: Visit) -> Iterator[Site]:
        node = visit.node
        callee, held = _find_field(node, _CALLEE), node.child_by_field_name("arguments")
        if callee is None or held is None:
            return
        arguments = self._list_children(held)
        if self._table.wrapped:
            if any(argument.child_by_field_name("name") for argument in arguments):
                return
            arguments = [argument.named_children[-1] for argument in arguments if argument.named_children]
        if any(argument.type in self._table.unlike for argument in arguments):
            return
        named = _find_field(callee, _MEMBER) or callee
        name = self._tree.text(named).lstrip("\\")
        if name in self._table.quantifiers:
            yield self._make("operator", visit, named, name, parts=arguments)
        if len(arguments) > 1:
            site = self._make("arguments", visit, held, "", parts=arguments)
            yield site._replace(span=Span(site.parts[0].start, site.parts[-1].end))
        for roles in self._table.roles.get(name, ()):
            words = roles.split()
            if len(words) == len(arguments):
                for role, argument in zip(words, arguments, strict=True):
                    yield from self._list_role(visit, role, argument)

    def _list_role(self, visit: Visit, role: str, argument: Node) -> Iterator[Site]:
        match role:
            case "index":
                yield self._make("index", visit, argument, self._read_literal(argument))
            case "default":
                yield from self._list_default(visit, argument)
            case "start" | "end":
                yield self._make("bound", visit, argument, role, self._find_iterator(visit))

    def _find_iterator(self, visit: Visit) -> str:
        """The variable that takes the values of a range."""
        if visit.parent is None or visit.parent.type not in self._table.iterating_loops:
            return ""
        return self._tree.read(visit.parent, "left")

    def _list_default(self, visit: Visit, node: Node | None) -> Iterator[Site]:
        if node is not None and (form := self._read_literal(node)) != "other":
            yield self._make("default", visit, node, form)

    def _read_literal(self, node: Node) -> str:
        """The form of a literal, else ``other``."""
        form = self._table.literals.get(node.type)
        if form == "":
            text = self._tree.text(node)
            return "float" if "." in text else "int"
        return "other" if form is None else form


def _find_field(node: Node, names: Iterable[str]) -> Node | None:
    """What a node holds under the first of these names."""
    return next((child for name in names if (child := node.child_by_field_name(name)) is not None), None)


def _list_given(node: Node) -> Iterator[tuple[Node, Node]]:
    """Each name that is given a value in the beginning of a loop, with the value."""
    target, value = _find_field(node, _TARGET), _find_field(node, _GIVEN)
    if target is not None and value is not None:
        yield target, value
        return
    for child in node.named_children:
        yield from _list_given(child)
