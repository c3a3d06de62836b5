"""Finds operators, indices, bounds, arguments, defaults and reads of variables in JavaScript programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.details import Grammar, Visit, list_details

if TYPE_CHECKING:
    from pytest_codereason.core.language.structure import Site
    from pytest_codereason.languages.javascript.syntax.outline import JavaScriptOutline

_ANYWHERE = """
    arguments array await_expression binary_expression parenthesized_expression return_statement spread_element
    subscript_expression ternary_expression unary_expression
"""
GRAMMAR = Grammar(
    operations=frozenset(
        {"binary_expression", "unary_expression", "update_expression", "augmented_assignment_expression"}
    ),
    quantifiers=frozenset({"some", "every"}),
    subscripts={"subscript_expression": "index"},
    counting_loops={"for_statement": "initializer"},
    calls=frozenset({"call_expression", "new_expression"}),
    roles={
        **dict.fromkeys(("charAt", "charCodeAt", "codePointAt", "at"), ("index",)),
        **dict.fromkeys(("slice", "substring", "substr"), ("start", "start end")),
        "splice": ("start", "start -"),
    },
    unlike=frozenset({"spread_element"}),
    defaults={"assignment_pattern": "right"},
    fallbacks=frozenset({"??", "||"}),
    literals={"number": "", "string": "str", "true": "bool", "false": "bool", "null": "null"},
    reads={
        **dict.fromkeys(_ANYWHERE.split(), ()),
        **dict.fromkeys(("assignment_expression", "augmented_assignment_expression", "for_in_statement"), ("right",)),
        **dict.fromkeys(("variable_declarator", "pair"), ("value",)),
        "member_expression": ("object",),
        "arrow_function": ("body",),
    },
)


def list_sites(outline: JavaScriptOutline) -> list[Site]:
    """The details of a program."""
    visits = [
        Visit(visit.node, visit.parent, visit.frame.statement, visit.frame.function)
        for visit in outline.visits
        if visit.frame.statement is not None
    ]
    return list_details(outline.tree, GRAMMAR, visits)
