"""Where a driver of JavaScript keeps a function of the file so that the file may call it.

Example: the file has ``function add() {}`` and loads ``money``. ``const money = { show: add }`` keeps ``add`` in a
stub. ``money.show = (x) => add(x)`` does so too, and so does ``HELD.push(add)`` if ``HELD`` is a list of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.additions import Flow, spread
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.syntax.tree import (
    CLASSES,
    FUNCTIONS,
    list_children,
    list_declared,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: Methods of the library that call what they are given, and do not keep it.
_CALLING = split_kinds(
    """then catch finally map forEach filter reduce reduceRight some every find findIndex findLast flatMap sort toSorted
    replace replaceAll from"""
)
#: The nodes that give something to a place: the fields of the place and of what it is given.
_GIVING = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "augmented_assignment_expression": ("left", "right"),
    "assignment_pattern": ("left", "right"),
    "object_assignment_pattern": ("left", "right"),
    "for_in_statement": ("left", "right"),
}
_CALLS = {"call_expression": "function", "new_expression": "constructor"}
#: The values of the runtime that a driver may use. None leads to a module, or to a text that is run.
VALUES = split_kinds(
    """Array ArrayBuffer BigInt Boolean Buffer Date Error Infinity JSON Map Math NaN Number Object Promise RangeError
    ReferenceError RegExp Set String SyntaxError TypeError WeakMap WeakSet console isFinite isNaN parseFloat parseInt
    structuredClone undefined"""
)
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_PLACES = frozenset({"member_expression", "subscript_expression"})


class KeptFunctions:
    """What of a file the additions of a driver keep."""

    def __init__(
        self, file: Tree, tree: Tree, added: list[Node], stubs: Collection[str], is_mine: Callable[[Node], bool]
    ) -> None:
        """Takes the trees of the file and of the program, and the statements that a driver added.

        Args:
            stubs: the names that stand for what the file loads.
            is_mine: whether a name is one of the driver's own, by where it stands.
        """
        self._tree, self._stubs, self._is_mine = tree, stubs, is_mine
        self._own = frozenset(_list_functions(file))
        self._methods = {
            file.text(name)
            for node in file.find_nodes("method_definition")
            if (name := node.child_by_field_name("name")) is not None
        }
        self._parameters: dict[str, frozenset[str]] = {}
        nodes = [node for one in added for node in walk(one)]
        for node in nodes:
            called = self._name(node)
            if called and (taken := node.child_by_field_name("parameters")) is not None:
                self._parameters[called] = frozenset(list_declared(tree, taken))
        flows = [flow for node in nodes for flow in self._list_flows(node)]
        self._leading = spread(self._own | {f".{name}" for name in self._methods}, flows)

    def find(self, node: Node) -> str:
        """The function of the file, or what leads to one, that a node keeps; empty if there is none."""
        if node.type in FUNCTIONS | CLASSES | {"variable_declarator"} and self._name(node) in self._stubs:
            return self._choose(self._list_free(node))
        for given, value in self._list_given(node):
            place = _strip(given)
            foreign = place.type in _NAMES and (self._tree.text(place) in self._stubs or not self._is_mine(place))
            if (foreign or place.type in _PLACES) and (kept := self._choose(self._list_held(value))):
                return kept
        return ""

    def _choose(self, names: Iterator[str]) -> str:
        return next((name.strip(".()") for name in names if name in self._leading), "")

    def _name(self, node: Node) -> str:
        """What a definition is called. A function without a name is called as the variable that it is the value of."""
        name = node.child_by_field_name("name")
        outer = node.parent
        if name is None and outer is not None and outer.type == "variable_declarator" and node.type in FUNCTIONS:
            name = outer.child_by_field_name("name")
        return self._tree.text(name) if name is not None else ""

    def _list_flows(self, node: Node) -> Iterator[Flow]:
        name = self._name(node) if node.type in FUNCTIONS | CLASSES else ""
        if name:
            free = frozenset(self._list_free(node))
            yield Flow(frozenset({name}), free)
            results = free if node.type in CLASSES else self._hold(_list_results(node))
            yield Flow(frozenset({f"{name}()"}), results)
        if node.type in _CALLS:
            called = node.child_by_field_name(_CALLS[node.type])
            last = self._name_last(called) if called is not None else ""
            yield Flow(self._parameters.get(last, frozenset()), self._hold(_list_arguments(node)))
        for place, value in self._list_given(node):
            inside = _strip(place)
            pattern = "pattern" in inside.type
            names = [*list_declared(self._tree, inside)] if pattern else [_find_root(self._tree, inside)]
            yield Flow(frozenset(names), self._hold([value]))

    def _list_given(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """The places that a node gives something, each with what it is given: ``x`` and ``a`` in ``x.push(a)``."""
        if node.type in _GIVING:
            place, value = (node.child_by_field_name(field) for field in _GIVING[node.type])
            if place is not None and value is not None:
                yield place, value
        elif node.type in _CALLS and (called := node.child_by_field_name(_CALLS[node.type])) is not None:
            if called.type == "member_expression":
                last = self._name_last(called)
                holder = called.child_by_field_name("object")
                if holder is None or last in self._methods | _CALLING:
                    return
                if _find_root(self._tree, holder) not in VALUES | {""}:
                    yield from ((holder, value) for value in _list_arguments(node))
            elif self._tree.text(called) in self._stubs:
                yield from ((called, value) for value in _list_arguments(node))

    def _hold(self, nodes: list[Node]) -> frozenset[str]:
        return frozenset(name for node in nodes for name in self._list_held(node))

    def _list_held(self, node: Node) -> Iterator[str]:
        """The names of what a value may hold: ``f`` for a function, ``.f`` for a method, ``f()`` for a result of it."""
        waiting = [node]
        while waiting:
            inner = waiting.pop()
            if inner.type in FUNCTIONS | CLASSES:
                yield from self._list_free(inner)
            elif inner.type in _CALLS and (called := inner.child_by_field_name(_CALLS[inner.type])) is not None:
                yield f"{self._name_last(called)}()"
                holder = called.child_by_field_name("object") or called
                direct = holder.type == "identifier" and (holder == called or self._tree.text(holder) in self._own)
                waiting += _list_arguments(inner) if direct else [holder, *_list_arguments(inner)]
            elif inner.type == "member_expression":
                yield f".{self._name_last(inner)}"
                holder = inner.child_by_field_name("object") or inner
                waiting += [] if self._tree.text(holder) in self._own else [holder]
            elif inner.type in _NAMES:
                yield self._tree.text(inner)
            else:
                waiting += inner.named_children

    def _list_free(self, node: Node) -> Iterator[str]:
        """The names that a definition takes from outside."""
        declared: set[str] = set()
        for inner in walk(node):
            if inner.type == "formal_parameters":
                declared.update(list_declared(self._tree, inner))
            elif inner.type in FUNCTIONS and (one := inner.child_by_field_name("parameter")) is not None:
                declared.add(self._tree.text(one))
        for inner in walk(node):
            if inner.type in _NAMES and (text := self._tree.text(inner)) not in declared:
                yield text

    def _name_last(self, called: Node) -> str:
        """The last name of what is called."""
        last = called.child_by_field_name("property") or called
        return self._tree.text(last) if "identifier" in last.type else ""


def _list_functions(file: Tree) -> Iterator[str]:
    """The functions and classes at the top of a file."""
    for statement in list_children(file.root):
        node = statement.child_by_field_name("declaration") or statement
        for named in (node, *node.named_children):
            value = named.child_by_field_name("value")
            if named.type in FUNCTIONS | CLASSES or (value is not None and value.type in FUNCTIONS | CLASSES):
                name = named.child_by_field_name("name")
                if name is not None:
                    yield file.text(name)


def _list_results(function: Node) -> list[Node]:
    """What a function returns or yields."""
    body = function.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        return [body]
    results = (node for node in walk(function) if node.type in ("return_statement", "yield_expression"))
    return [child for node in results for child in node.named_children]


def _list_arguments(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return list_children(given) if given is not None else []


def _strip(place: Node) -> Node:
    """What holds the items that are given: ``kept`` for ``kept["a"]``."""
    while place.type == "subscript_expression" and (holder := place.child_by_field_name("object")) is not None:
        place = holder
    return place


def _find_root(tree: Tree, node: Node) -> str:
    """The name that an expression begins with; empty if it begins with none."""
    fields = ("object", "function", "constructor")
    while inner := next(filter(None, map(node.child_by_field_name, fields)), None):
        node = inner
    return tree.text(node) if node.type in ("identifier", "this") else ""
