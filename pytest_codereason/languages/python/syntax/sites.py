"""Finds the places in Python statements that a perturbation may change or comment on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Site, SiteKind, Span
from pytest_codereason.languages.frame.words import match_words

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree

#: The methods of lists, sets, dicts and strings that count as operations on a collection.
COLLECTION_METHODS = frozenset(
    {
        *[
            "append",
            "extend",
            "insert",
            "remove",
            "pop",
            "sort",
            "reverse",
            "update",
            "add",
            "split",
            "join",
            "replace",
        ],
        *["lower", "upper", "capitalize", "swapcase"],
    }
)
_START = attrgetter("span.start")
_LITERALS = {
    **{"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "null"},
    **{"string": "str", "concatenated_string": "str"},
}
#: Nodes whose evaluation is taken to have no effect, as long as all nodes inside are of these.
_PURE = frozenset(
    {
        *["identifier", "integer", "float", "true", "false", "none", "string", "string_start", "string_content"],
        *["string_end", "escape_sequence", "concatenated_string", "parenthesized_expression", "not_operator"],
        *["unary_operator", "binary_operator", "boolean_operator", "comparison_operator", "conditional_expression"],
        *["tuple", "list", "set", "dictionary", "pair", "ellipsis", "comment", "line_continuation"],
    }
)
_BLANK = frozenset({"comment", "line_continuation"})
#: What is written with these is no expression to change (patterns, annotations, the inside of f-strings), or has none
#: inside.
_CLOSED = frozenset({"type", "case_pattern", "interpolation", "comment", "identifier"})
#: Letters before the quotes of bytes, and of strings in which something is interpolated.
_NO_TEXT = frozenset("bftBFT")
_DISPLAYS = frozenset({"string", "concatenated_string", "tuple", "list", "set", "dictionary"})


#: The kinds of sites within expressions, and what stands in every expression that has one.
_TELLING: Mapping[SiteKind, str] = {
    "condition": match_words(["if"]),
    # blanks and comments may stand behind the point
    "collection-operation": rf"\.(?:[\s\\]|#.*)*(?:{'|'.join(sorted(COLLECTION_METHODS))})\b",
    "literal": "",
}


#: What stands in every program that has such a site.
_ANNOUNCED: Mapping[SiteKind, tuple[str, ...]] = {
    "condition": ("if", "while", "assert"),
    "loop": ("for", "while"),
    "return": ("return",),
}


class SiteSearch(NamedTuple):
    """A search for the sites of some kinds, as far as it is the same for all programs."""

    kinds: frozenset[SiteKind]
    announced: frozenset[str]  #: one of these stands in every program that has such a site
    telling: re.Pattern[bytes] | None  #: every expression with such a site matches it; ``None`` if none has any

    def may_find(self, source: str) -> bool:
        """Whether a program may have such a site, by a glance at its text."""
        for word in self.announced:  # noqa: SIM110 - a generator costs more than all there is to do
            if word in source:
                return True
        return False


@cache
def plan_search(kinds: tuple[SiteKind, ...]) -> SiteSearch:
    """The search for sites of these kinds."""
    announced = frozenset(word for kind in kinds for word in _ANNOUNCED.get(kind, ("",)))
    telling = [words for kind, words in _TELLING.items() if kind in kinds]
    pattern = re.compile("|".join(telling).encode()) if telling else None
    return SiteSearch(frozenset(kinds), frozenset({""}) if "" in announced else announced, pattern)


class Sites:
    """Collects the sites of statement after statement. Sites in expressions are collected when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._sites: list[Site] = []
        #: in the order of the source, with the statement and the function that they stand in
        self.visited: list[tuple[list[Node], Span, str]] = []

    def find(self, search: SiteSearch) -> list[Site]:
        """The sites of these kinds in the order of the source. Of sites with the same start, the outer comes first."""
        kinds, _, telling = search
        collected = [site for site in self._sites if site.kind in kinds]
        if telling is not None:
            inside, source, at = Sites(self._tree), self._tree.bytes, -1
            for nodes, statement, function in self.visited:
                if nodes[-1].end_byte <= at:
                    continue
                if (start := nodes[0].start_byte) > at:
                    word = telling.search(source, start)
                    if word is None:
                        break
                    at = word.start()
                if at < nodes[-1].end_byte:
                    inside._walk(nodes, kinds, telling, statement, function)
            if inside._sites:
                collected += [site for site in inside._sites if site.kind in kinds]
                collected.sort(key=_START)
        return collected

    def add(self, kind: SiteKind, span: Span, statement: Span, function: str, form: str) -> None:
        """Adds a site of a statement."""
        self._sites.append(Site(kind, span, statement, function, form, "", True, ()))

    def add_condition(self, node: Node, holder: str, statement: Span, function: str) -> None:
        """Adds the condition of ``holder``. Who asks whether the condition is pure asks :func:`is_pure`."""
        inner, kinds = node, self._tree.kinds
        while (kind := kinds[inner.kind_id]) == "parenthesized_expression":
            inner = next(c for c in inner.named_children if not is_blank(c))
        form = "comparison" if kind == "comparison_operator" else "constant" if kind in {"true", "false"} else "other"
        span = self._tree.span(node)
        self._sites.append(Site("condition", span, statement, function, form, holder, False, ()))

    def visit(self, nodes: list[Node], statement: Span, function: str) -> None:
        """Adds expressions of a statement."""
        if nodes:
            self.visited.append((nodes, statement, function))

    def _walk(
        self,
        nodes: list[Node],
        wanted: frozenset[SiteKind],
        telling: re.Pattern[bytes],
        statement: Span,
        function: str,
    ) -> None:
        """The sites in expressions, in the order of the source. An outer site comes before the sites inside.

        Literals, of which expressions are full, are collected only if they are ``wanted``.

        Args:
            telling: what stands in every node with a site. Other nodes are passed by.
        """
        stack, kinds, source, end, at = nodes[::-1], self._tree.kinds, self._tree.bytes, nodes[-1].end_byte, -1
        literals = "literal" in wanted
        while stack:
            node = stack.pop()
            if (start := node.start_byte) > at:
                word = telling.search(source, start, end)
                if word is None:
                    return
                at = word.start()
            if node.end_byte <= at:
                continue
            kind = kinds[node.kind_id]
            if kind in _CLOSED:
                continue
            if kind in _LITERALS:
                form = _LITERALS[kind]
                if literals and self._is_literal(node, form):
                    self.add("literal", self._tree.span(node), statement, function, form)
                continue
            children = node.named_children
            if kind == "conditional_expression":
                condition = [c for c in children if not is_blank(c)][1]
                self.add_condition(condition, "conditional", statement, function)
            elif kind == "if_clause":
                condition = next(c for c in children if not is_blank(c))
                self.add_condition(condition, "comprehension", statement, function)
            elif kind == "call" and (called := children[0]).type == "attribute":
                method = self._tree.text(called.named_children[-1])
                if method in COLLECTION_METHODS:
                    self.add("collection-operation", self._tree.span(node), statement, function, method)
            stack += children[::-1]

    def _is_literal(self, node: Node, form: str) -> bool:
        """Whether a literal may be another of its kind: no complex number, and no string but a plain one."""
        return self._is_text(node) if form == "str" else self._tree.text(node)[-1] not in "jJ"

    def _is_text(self, node: Node) -> bool:
        """Whether a string is plain: not bytes, and without interpolation."""
        if node.type == "concatenated_string":
            return all(self._is_text(part) for part in node.named_children if part.type == "string")
        text = self._tree.text(node)
        quote = text[-1]
        return text[0] == quote or _NO_TEXT.isdisjoint(text[: text.index(quote)])


def is_blank(node: Node) -> bool:
    """Whether a node has no meaning and may stand anywhere, such as a comment."""
    return node.type in _BLANK


def is_docstring(statement: Node) -> bool:
    """Whether the first statement of a module, class or function is a docstring."""
    if statement.type != "expression_statement":
        return False
    return statement.named_children[0].type in {"string", "concatenated_string"}


def is_pure(node: Node, kinds: Sequence[str]) -> bool:
    """Whether an expression consists of names, literals, operators and displays only.

    Operators are assumed to have no side effects. Only ``in`` may have one, because it consumes an iterator. So ``in``
    is pure only before a literal.
    """
    stack = [node]
    while stack:
        inner = stack.pop()
        kind = kinds[inner.kind_id]
        if kind == "identifier":
            continue
        if kind not in _PURE and inner.is_named:
            return False
        children = inner.named_children
        if kind == "comparison_operator":
            operators = [operator.type for operator in inner.children_by_field_name("operators")]
            operands = [child for child in children if not is_blank(child)]
            for operator, operand in zip(operators, operands[1:], strict=False):
                if operator in {"in", "not in"} and operand.type not in _DISPLAYS:
                    return False
        stack += children
    return True
