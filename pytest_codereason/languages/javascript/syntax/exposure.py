"""Finds other ways to reach a name than its scope: the global object, ``eval``, exports, the ``name`` of a function."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.scopes import Scope
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.tree import GLOBALS, list_children

if TYPE_CHECKING:
    from tree_sitter import Node

_GLOBAL_OBJECTS = frozenset({"globalThis", "window", "self", "global"})
#: Names that node gives to every file; only a module has them, and no top-level name of a module is a property.
_WRAPPER = frozenset({"module", "exports", "require", "__filename", "__dirname"})
_CONSTANTS = frozenset({"undefined", "NaN", "Infinity"})
_WATCHED = _GLOBAL_OBJECTS | _WRAPPER | {"eval", "Function", "console", "arguments"}
#: What prints as itself, whatever the names in the program.
_PLAIN = frozenset({"string", "number", "true", "false", "null", "undefined"})


@dataclass(slots=True)
class Exposure:
    """The ways that a walk notices. :meth:`taint` marks the names that they reach."""

    module: bool = False
    exported: set[str] = field(default_factory=set)
    hoisted: set[str] = field(default_factory=set)  #: top-level ``var`` and functions
    #: functions and classes that go by a name: the scope, the name, whether a class
    named: list[tuple[Scope, str, bool]] = field(default_factory=list)
    reads_name: bool = False
    watched: list[tuple[Scope, Tree, Node, str]] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)  #: properties of what may be the global object
    reaches_all: bool = False

    def mention(self, tree: Tree, node: Node, name: str, scope: Scope) -> None:
        """Notes the use of a name."""
        if name in _WATCHED:
            self.watched.append((scope, tree, node, name))
            if name == "eval":
                scope.dynamic = scope.dynamic or "eval may use it by name"

    def reads(self, key: str) -> None:
        """Notes that a property is read or written."""
        if key == "name":
            self.reads_name = True

    def reach(self, tree: Tree, node: Node) -> None:
        """Notes a use of a value that may be the global object."""
        parent = node.parent
        name = parent.child_by_field_name("property") if parent is not None else None
        if name is not None and parent is not None and parent.child_by_field_name("object") == node:
            self.reached.add(tree.text(name))
        else:
            self.reaches_all = True

    def taint(self, root: Scope) -> None:
        """Marks the names that can be reached in such a way."""
        prints = False
        for scope, tree, node, name in self.watched:
            if scope.lookup(name) is not None:
                continue
            if name in _WRAPPER:
                self.module = True
            elif name in _GLOBAL_OBJECTS:
                self.reach(tree, node)
            elif name == "console":
                prints = prints or _may_print_objects(node)
            elif name == "eval" or (name == "Function" and _is_called(node)):
                self.reaches_all = True
        for scope, name, is_class in self.named:
            if (self.reads_name or (prints and is_class)) and (declared := scope.lookup(name)):
                declared.taint("the name of a function or class may be read or printed")
        for scope in root.all():
            for special in ("arguments", "eval"):
                if special in scope.names:
                    scope.names[special].taint("a word of the language")
        self._taint_top(root)

    def _taint_top(self, root: Scope) -> None:
        for name, declared in root.names.items():
            if name in self.exported:
                declared.taint("exported")
            if name not in self.hoisted:
                continue
            if name in _WRAPPER or name in _CONSTANTS or (name in GLOBALS and declared.kind == "variable"):
                declared.taint("a name of the runtime")
            if not self.module and (self.reaches_all or name in self.reached):
                declared.taint("it may be a property of the global object")


def _is_called(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("call_expression", "new_expression")


def _may_print_objects(node: Node) -> bool:
    """Whether ``console`` may print more than plain values."""
    call = node.parent.parent if node.parent is not None else None
    arguments = call.child_by_field_name("arguments") if call is not None else None
    return arguments is None or any(n.type not in _PLAIN for n in list_children(arguments))
