"""Declares and reads the names of a Python program."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import BindingKind, Use
from pytest_codereason.languages.frame.scopes import Scope, ScopedName
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.names import Names

if TYPE_CHECKING:
    from tree_sitter import Node

#: Builtins that read or run names given at run time; ``vars`` and ``dir`` where they are called bare.
WATCHED = frozenset({"eval", "exec", "locals", "globals", "vars", "dir"})
#: Calls of ``eval`` that see no names: the perturbation ``conditions`` writes them.
CONSTANT_EVALS = frozenset({"eval(str(True))", "eval(str(False))"})
#: How each of them begins.
EVALS = "eval(str("
#: Nodes that hold several targets of an assignment.
_TARGETS = frozenset(
    {
        *["pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"],
        *["expression_list", "tuple", "list", "list_splat", "parenthesized_expression", "as_pattern_target"],
    }
)


#: Nodes that may stand anywhere and mean nothing.
BLANK = frozenset({"comment", "line_continuation"})


class Binder:
    """Declares names in scopes and refers to them, by the rules of ``global``, ``nonlocal`` and classes."""

    def __init__(self) -> None:
        self.names = Names(Scope(""))
        self._words = self.names.words
        self._stack: list[tuple[Node, Scope]] = []
        self._tree: Tree
        self._in_call = False

    def _text(self, node: Node) -> str:
        """A name as Python compares names, which is one of the program's words."""
        plain = self._tree.plain
        if plain is None:
            text = unicodedata.normalize("NFKC", self._tree.text(node))
        else:
            text = plain[node.start_byte : node.end_byte]  # read here: a call for each name takes longer than the rest
        self._words.add(text)
        return text

    def _list_parts(self, node: Node) -> list[Node]:
        """The named children, without comments and the like."""
        kinds = self._tree.kinds
        return [child for child in node.named_children if kinds[child.kind_id] not in BLANK]

    def _use(self, node: Node, template: str = "{}") -> Use:
        return Use(self._tree.span(node), template, self._in_call)

    def _push(self, scope: Scope, *nodes: Node | None) -> None:
        for node in reversed(nodes):
            if node is not None:
                self._stack.append((node, scope))

    def _refer(self, node: Node, scope: Scope) -> None:
        name = self._text(node)
        scope.references.append((name, Use(self._tree.span(node), "{}", self._in_call)))
        if name in WATCHED and name not in {"vars", "dir"}:
            self.names.watched.append((scope, name))

    def _refer_unseen(self, node: Node, scope: Scope) -> None:
        """Notes the ``eval`` of a constant. It sees no names, if the program has no ``str`` of its own."""
        name = self._tree.text(node)
        self.names.constant_evals.append(scope)
        scope.refer(name, self._use(node))

    def _bind(
        self, node: Node, scope: Scope, kind: BindingKind = "variable", template: str = "{}"
    ) -> ScopedName | None:
        """Declares an assigned name. ``None`` if the name belongs to an outer function."""
        name = self._text(node)
        home = scope.elsewhere.get(name, scope)
        use = self._use(node, template)
        if home is not scope and home is not self.names.root:
            home.refer(name, use)
            self.names.rebound.append((home, name))
            return None
        if home in self.names.classes:  # an attribute: only there to be declared by lookups
            home.declare(name, kind)
            return None
        declared = home.declare(name, kind, use)
        counts = self.names.declarations
        counts[declared] = counts.get(declared, 0) + 1
        return declared

    def _assign(self, node: Node | None, scope: Scope) -> None:
        """Binds the names of a target. Other expressions in the target are evaluated."""
        if node is None:
            return
        kind = self._tree.kinds[node.kind_id]
        if kind == "identifier":
            self._bind(node, scope)
        elif kind in _TARGETS:
            for child in node.named_children:
                self._assign(child, scope)
        else:
            self._push(scope, node)

    def _taint(self, name: str, scope: Scope, reason: str) -> None:
        self.names.tainted.append((scope, name, reason))

    def _qualified(self, scope: Scope, name: Node) -> str:
        text = self._text(name)
        return f"{scope.function}.{text}" if scope.function else text


def is_alias(node: Node) -> bool:
    """Whether the node is ``type X = ...`` and not an assignment to ``type(x).y``."""
    left = next(child for child in node.named_children if child.type not in BLANK)
    return left.named_children[0].type in {"identifier", "generic_type"}
