"""Finds the places in a program that a perturbation may change or comment on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Site, SiteKind
from pytest_codereason.languages.frame.outline import Outline, Visit
from pytest_codereason.languages.frame.tables import CodePlaces

if TYPE_CHECKING:
    from tree_sitter import Node


def list_sites(outline: Outline, places: CodePlaces) -> tuple[Site, ...]:
    """Every site but those of the details, in the order of the source. None says that it is pure."""
    reader = _Reader(outline, places)
    marked = frozenset().union(
        places.conditions, places.loops, places.returns, places.assignments, places.literals, places.calls
    )
    sites = [site for visit in outline.visits if visit.kind in marked for site in reader.list_sites(visit)]
    return tuple(sorted(sites, key=lambda site: (site.span.start, -site.span.end)))


class _Found(NamedTuple):
    kind: SiteKind
    node: Node
    form: str = ""
    holder: str = ""


class _Reader:
    """Reads the nodes of one program."""

    def __init__(self, outline: Outline, places: CodePlaces) -> None:
        self._tree, self._structure, self._hooks = outline.tree, outline.structure, outline.hooks
        self._places = places

    def list_sites(self, visit: Visit) -> Iterator[Site]:
        """The sites of a node that stands in a statement."""
        statement, function, parent = visit.frame.statement, visit.frame.function, visit.parent
        if statement is None or parent is None:
            return
        for kind, node, form, holder in self._find(visit, parent):
            around = parent if node is visit.node else node.parent
            if around is not None and self._hooks.is_site(kind, node, around, visit.node):
                yield Site(kind, self._tree.span(node), statement, function, form, holder, pure=False)

    def _find(self, visit: Visit, parent: Node) -> Iterator[_Found]:
        places, node, kind = self._places, visit.node, visit.kind
        if kind in places.conditions and (condition := self._find_condition(node)) is not None:
            holder = self._hooks.name_condition(places.conditions[kind], node)
            yield _Found("condition", condition, self._name_form(condition), holder)
        if kind in places.loops:
            yield _Found("loop", node, places.loops[kind])
        elif kind in places.returns:
            yield _Found("return", node)
        elif kind in places.assignments:
            if kind not in places.initialised or node.child_by_field_name("value") is not None:
                yield _Found("assignment", node, places.assignments[kind] or self._read_operator(node))
        elif kind in places.literals:
            if parent.type not in places.fixed and all(parent.child_by_field_name(n) != node for n in places.labels):
                yield _Found("literal", node, places.literals[kind] or _read_number(self._tree.text(node)))
        elif kind in places.calls and (name := self._name_callee(node, places.calls[kind])) in places.operations:
            yield _Found("collection-operation", node, name)

    def _find_condition(self, node: Node) -> Node | None:
        """The expression of a condition, without the parentheses."""
        condition = node.child_by_field_name("condition") or self._hooks.find_condition(node)
        if condition is not None and condition.type == self._places.parentheses and node.type not in self._places.plain:
            return next(iter(self._structure.list_children(condition)), None)
        return None if condition is None or condition.type == "empty_statement" else condition

    def _name_form(self, condition: Node) -> str:
        while self._places.sees_within and condition.type == self._places.parentheses:
            condition = self._structure.list_children(condition)[0]
        if condition.type in self._places.constants:
            return "constant"
        known = self._places.comparisons
        compares = condition.type in self._places.compared
        return "comparison" if compares and (not known or self._read_operator(condition) in known) else "other"

    def _read_operator(self, node: Node) -> str:
        """The operator of an operation; where it has no field, the first sign."""
        operator = node.child_by_field_name("operator") or next((c for c in node.children if not c.is_named), None)
        return "" if operator is None else self._tree.text(operator)

    def _name_callee(self, call: Node, fields: tuple[str, ...]) -> str:
        inner: Node | None = call
        for name in fields:
            inner = inner.child_by_field_name(name) if inner is not None else None
        return "" if inner is None else self._hooks.read_callee(inner)


def _read_number(text: str) -> str:
    if text[:2].lower() in ("0x", "0o", "0b"):
        return "int"
    return "float" if "." in text or "e" in text.lower() else "int"
