"""Where a driver of Java keeps a method of the file so that the file may call it.

Example: the file has a class ``Till`` with ``twice`` and imports ``Money``. A stub ``class Money`` whose method calls
``Till.twice`` keeps it, ``Money.rule = Till::twice`` does so too, and so does ``till.rules.add(n -> Till.twice(n))``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.additions import Flow, spread
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.java.syntax.grammar import CLASSES, METHODS

if TYPE_CHECKING:
    from tree_sitter import Node

#: The nodes that give a variable its type: the fields of the type and of the name.
_TYPED = frozenset({"formal_parameter", "local_variable_declaration", "field_declaration", "enhanced_for_statement"})
#: Methods of the library that keep what they are given.
_KEEPING = frozenset("add addAll addFirst addLast offer push put putAll putIfAbsent set".split())


class KeptMethods:
    """What of a file the additions of a driver keep."""

    def __init__(self, file: Tree, tree: Tree, added: Sequence[Node], stubs: frozenset[str]) -> None:
        """Takes the trees of the file and of the program, and what a driver added.

        Args:
            stubs: the classes that stand for others, which the file names and does not have.
        """
        self._tree, self._stubs = tree, stubs
        self._own = frozenset(_list_names(file, file.root, CLASSES))
        self._methods = frozenset(_list_names(file, file.root, METHODS)) - self._own
        nodes = [node for one in added for node in walk(one)]
        self._types = {
            name: tree.text(node).partition("<")[0] for one in walk(tree.root) for name, node in _list_typed(tree, one)
        }
        flows = [flow for node in nodes for flow in self._list_flows(node)]
        self._leading = spread(self._own | {f".{name}" for name in self._methods}, flows)

    def find(self, node: Node) -> str:
        """The method or class of the file, or what leads to one, that a node keeps; empty if there is none."""
        if node.type in CLASSES and self._tree.read(node) in self._stubs:
            body = node.child_by_field_name("body")
            return self._choose(self._list_used(body)) if body is not None else ""
        for place, value in self._list_given(node):
            own = place.type == "identifier" and not self._is_stub(place) and self._tree.text(place) not in self._own
            if not own and (kept := self._choose(self._list_held(value))):
                return kept
        return ""

    def _choose(self, names: Iterator[str]) -> str:
        return next((name.strip(".()") for name in names if name in self._leading), "")

    def _is_stub(self, place: Node) -> bool:
        name = self._tree.text(place)
        return name in self._stubs or self._types.get(name) in self._stubs

    def _list_flows(self, node: Node) -> Iterator[Flow]:
        """How the methods of the file come into names of the driver."""
        name = self._tree.read(node)
        if node.type in CLASSES and (body := node.child_by_field_name("body")) is not None:
            yield Flow(frozenset({name}), frozenset(self._list_used(body)))
        if node.type == "method_declaration":
            results = (
                child for inner in walk(node) if inner.type == "return_statement" for child in inner.named_children
            )
            yield Flow(frozenset({f"{name}()"}), frozenset(held for each in results for held in self._list_held(each)))
        for place, value in self._list_given(node):
            yield Flow(frozenset({self._tree.text(place)}), frozenset(self._list_held(value)))

    def _list_given(self, node: Node) -> Iterator[tuple[Node, Node]]:
        """The places that a node gives something, each with what it is given: ``x`` and ``a`` in ``x.add(a)``."""
        fields = {"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right")}.get(node.type)
        if fields is not None:
            place, value = map(node.child_by_field_name, fields)
            if place is not None and value is not None:
                yield place, value
        elif node.type in ("method_invocation", "object_creation_expression"):
            place = node.child_by_field_name("object") or node.child_by_field_name("type")
            arguments = node.child_by_field_name("arguments")
            if place is not None and arguments is not None and self._keeps(node, place):
                yield from ((place, value) for value in arguments.named_children)

    def _keeps(self, call: Node, place: Node) -> bool:
        """Whether a call may keep what it is given, and is no method of the file."""
        if call.type == "object_creation_expression":
            return self._tree.text(place).partition("<")[0] in self._stubs
        if self._is_method(call, place) or self._is_of_library(place):
            return False
        return place.type in ("identifier", "field_access") or self._tree.read(call) in _KEEPING

    def _is_method(self, call: Node, holder: Node) -> bool:
        """Whether a call may be one of a method of the file."""
        known = self._types.get(self._read_last(holder))
        return self._tree.read(call) in self._methods and (known is None or known in self._own)

    def _is_of_library(self, place: Node) -> bool:
        while (inner := place.child_by_field_name("object")) is not None:
            place = inner
        name = self._tree.text(place).partition("<")[0]
        return name[:1].isupper() and name not in self._own | self._stubs

    def _read_last(self, holder: Node) -> str:
        """The last name of an expression."""
        return self._tree.text(holder.child_by_field_name("field") or holder)

    def _list_held(self, node: Node) -> Iterator[str]:
        """The names of what a value may hold: ``f`` for a name, ``.f`` for a method, ``f()`` for a result of it."""
        waiting = [node]
        while waiting:
            inner = waiting.pop()
            if inner.type in ("lambda_expression", "class_body"):
                yield from self._list_used(inner)
            elif inner.type == "method_reference":
                yield from self._list_used(inner)
                yield f".{self._tree.text(inner.named_children[-1])}"
            elif inner.type == "method_invocation":
                yield f"{self._tree.read(inner)}()"
                holder = inner.child_by_field_name("object")
                waiting += [] if holder is None or self._tree.text(holder) in self._own else [holder]
                waiting += filter(None, [inner.child_by_field_name("arguments")])
            elif inner.type == "object_creation_expression":
                made = inner.child_by_field_name("type")
                name = self._tree.text(made).partition("<")[0] if made is not None else ""
                yield from () if name in self._own else (name,)
                waiting += inner.named_children
            elif inner.type == "identifier":
                yield self._tree.text(inner)
            elif "type" not in inner.type:
                waiting += inner.named_children

    def _list_used(self, node: Node) -> Iterator[str]:
        """The names that code uses, without those of types: it may speak of a class of the file, and not call it."""
        for inner in walk(node):
            outer = inner.parent
            if outer is None:
                continue
            if (
                inner.type == "identifier"
                and outer.child_by_field_name("name") != inner
                and outer.child_by_field_name("field") != inner
            ) or (inner.type == "type_identifier" and outer.type in ("object_creation_expression", "method_reference")):
                yield self._tree.text(inner)
            elif inner.type in ("method_invocation", "method_reference"):
                holder = inner.child_by_field_name("object") or inner.named_children[0]
                if self._types.get(self._read_last(holder)) in self._own:
                    name = inner.child_by_field_name("name") or inner.named_children[-1]
                    yield f".{self._tree.text(name)}"


def _list_names(tree: Tree, root: Node, kinds: Collection[str]) -> Iterator[str]:
    return (tree.read(node) for node in walk(root) if node.type in kinds)


def _list_typed(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    """The variables that a node declares, each with its type."""
    if node.type in _TYPED and (kind := node.child_by_field_name("type")) is not None:
        for named in (node, *node.named_children):
            if (node.type != "field_declaration" or named != node) and (name := tree.read(named)):
                yield name, kind
