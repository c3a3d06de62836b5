"""Walks over a JavaScript program, and knows the scope of each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_codereason.core.language.structure import BindingKind, Use
from pytest_codereason.languages.frame.scopes import Scope
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.exposure import Exposure
from pytest_codereason.languages.javascript.syntax.tree import unescape

if TYPE_CHECKING:
    from tree_sitter import Node

_PATTERNS = frozenset({"array_pattern", "object_pattern", "rest_pattern", "formal_parameters"})


class Home(NamedTuple):
    """The function that ``var`` belongs to."""

    body: Scope
    parameters: Scope
    strict: bool = False
    plain_this: bool = False  #: whether ``this`` may be the global object


class Location(NamedTuple):
    """The position of the walk: the innermost scope, the function, and how names in a pattern are declared."""

    scope: Scope
    home: Home
    kind: BindingKind | None = None
    hoisted: bool = False  #: ``var``, declared in the function and not in the block

    def referring(self) -> Location:
        """The same position, for names that are used and not declared."""
        return self._replace(kind=None) if self.kind else self

    def opened(self) -> Location:
        """The position in a block inside."""
        return Location(self.scope.open(), self.home)


@dataclass(slots=True)
class JavaScriptWalk:
    """A walk over a program and then its entry call. A subclass handles the types of nodes that change scopes."""

    tree: Tree
    owners: dict[int, str]  #: of each function node, the function whose scope it opens
    in_call: bool = False
    root: Scope = field(default_factory=lambda: Scope(""))
    exposure: Exposure = field(default_factory=Exposure)
    #: names declared further out than where they stand, with the scopes that lie between
    hoists: list[tuple[str, Scope, Scope]] = field(default_factory=list)
    stack: list[tuple[Node, Location]] = field(default_factory=list)

    def walk(self, root: Node, place: Location, handlers: Handlers) -> None:
        """Walks over a node. Without a handler, names in the node are uses."""
        self.children(root, place)
        stack, kinds, handler_of = self.stack, self.tree.kinds, handlers.get
        while stack:
            node, place = stack.pop()
            kind = kinds[node.kind_id]
            if (handler := handler_of(kind)) is not None:
                handler(self, node, place)
            elif children := node.named_children:
                inner = place if place.kind is None or kind in _PATTERNS else place.referring()
                children.reverse()
                stack += [(child, inner) for child in children]

    def children(self, node: Node, place: Location) -> None:
        """Continues with the children of a node, in order."""
        children = node.named_children
        children.reverse()
        self.stack += [(child, place) for child in children]

    def push(self, node: Node | None, place: Location) -> None:
        """Continues with a node. The last pushed node comes first."""
        if node is not None:
            self.stack.append((node, place))

    def use(self, node: Node, template: str = "{}") -> Use:
        """Adds a use of a name at a node."""
        return Use(self.tree.span(node), template, self.in_call)

    def text(self, node: Node | None) -> str:
        """The name in a node, with its escapes decoded."""
        return unescape(self.tree.text(node)) if node is not None else ""

    def declare(self, name: str, use: Use, place: Location) -> None:
        """Declares a name at this position."""
        scope = place.scope
        if place.hoisted:
            home = place.home
            scope = home.parameters if name in home.parameters.names else home.body
            if place.scope is not home.body:
                self.hoists.append((name, place.scope, home.body))
            if scope is self.root:
                self.exposure.hoisted.add(name)
        scope.declare(name, place.kind or "variable", use)

    def taint_hoisted(self) -> None:
        """Marks names that are hoisted out of a block that declares them too."""
        for name, inner, outer in self.hoists:
            scope: Scope | None = inner
            while scope is not None and scope is not outer:
                if name in scope.names:
                    for outer_name in filter(None, [scope.names[name], outer.lookup(name)]):
                        outer_name.taint("declared in a block and again around the block")
                scope = scope.parent


#: What to do with a node, by its type; the first argument is the walk.
Handlers = Mapping[str, Callable[[Any, "Node", Location], None]]
