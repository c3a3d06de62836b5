"""Finds operators, indices, bounds, arguments, defaults and reads of variables in Python programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.details import list_details
from pytest_codereason.languages.frame.outline import Frame, Visit
from pytest_codereason.languages.frame.tables import Details

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.core.language.structure import Site
    from pytest_codereason.languages.frame.tree import Tree
    from pytest_codereason.languages.python.syntax.sites import Sites

_LITERALS = {
    **{"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "null"},
    **{"string": "str", "concatenated_string": "str"},
}
#: Annotations, patterns, and what a text is made of.
_CLOSED = frozenset({"type", "case_pattern", "interpolation", "decorator"})
_ANYWHERE = """
    argument_list await binary_operator boolean_operator comparison_operator conditional_expression expression_list
    if_clause list list_splat not_operator parenthesized_expression return_statement set subscript slice tuple
    unary_operator yield assert_statement
"""
DETAILS = Details(
    operations=frozenset(
        {"binary_operator", "boolean_operator", "comparison_operator", "augmented_assignment", "not_operator"}
    ),
    quantifiers=frozenset({"any", "all"}),
    comparisons=frozenset({"comparison_operator"}),
    comments=frozenset({"comment", "line_continuation"}),
    subscripts={"subscript": "subscript"},
    slices=frozenset({"slice"}),
    iterating_loops=frozenset({"for_statement", "for_in_clause"}),
    calls=frozenset({"call"}),
    roles={
        "range": ("end", "start end", "start end -"),
        "islice": ("- end", "- start end"),
        "get": ("- default",),
        "pop": ("index", "- default"),
        "setdefault": ("- default",),
        "next": ("- default",),
        "getattr": ("- - default",),
    },
    unlike=frozenset({"keyword_argument", "list_splat", "dictionary_splat", "generator_expression"}),
    defaults={"default_parameter": "value", "typed_default_parameter": "value"},
    literals=_LITERALS,
    reads={
        **dict.fromkeys(_ANYWHERE.split(), ()),
        **dict.fromkeys(("assignment", "augmented_assignment", "for_statement", "for_in_clause"), ("right",)),
        **dict.fromkeys(("if_statement", "elif_clause", "while_statement"), ("condition",)),
        **dict.fromkeys(("list_comprehension", "set_comprehension", "generator_expression", "lambda"), ("body",)),
        "attribute": ("object",),
        "keyword_argument": ("value",),
        "pair": ("key", "value"),
    },
    declarations=frozenset({"typed_parameter", "typed_default_parameter", "assignment"}),
)


def list_sites(tree: Tree, sites: Sites) -> list[Site]:
    """The details of a program."""
    return list_details(tree, DETAILS, list(_list_visits(sites)))


def _list_visits(sites: Sites) -> Iterator[Visit]:
    """Every node in an expression, outer nodes first."""
    for nodes, statement, function in sites.visited:
        frame = Frame(function=function, statement=statement)
        stack: list[tuple[Node, Node | None]] = [(node, node.parent) for node in reversed(nodes)]
        while stack:
            node, parent = stack.pop()
            if node.type not in _CLOSED:
                yield Visit(node, parent, frame, node.type)
                stack += [(child, node) for child in reversed(node.named_children)]
