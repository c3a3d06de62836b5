"""Finds operators, indices, bounds, arguments, defaults and reads of variables in Java programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.details import list_details
from pytest_codereason.languages.frame.outline import Frame, Visit
from pytest_codereason.languages.frame.tables import Details
from pytest_codereason.languages.java.syntax.outline import COMMENTS
from pytest_codereason.languages.java.syntax.tree import LITERALS

if TYPE_CHECKING:
    from pytest_codereason.core.language.structure import Site
    from pytest_codereason.languages.java.syntax.outline import JavaOutline

_ANYWHERE = """
    argument_list array_access array_initializer binary_expression parenthesized_expression return_statement
    ternary_expression unary_expression
"""
DETAILS = Details(
    operations=frozenset({"binary_expression", "assignment_expression", "unary_expression"}),
    quantifiers=frozenset({"anyMatch", "allMatch"}),
    comments=COMMENTS,
    subscripts={"array_access": "index"},
    counting_loops={"for_statement": "init"},
    calls=frozenset({"method_invocation", "object_creation_expression"}),
    roles={
        **dict.fromkeys(("charAt", "codePointAt", "get", "deleteCharAt"), ("index",)),
        **dict.fromkeys(("set", "setCharAt"), ("index -",)),
        "substring": ("start", "start end"),
        **dict.fromkeys(("subList", "subSequence", "range", "rangeClosed"), ("start end",)),
        "copyOfRange": ("- start end",),
        "copyOf": ("- end",),
        "getOrDefault": ("- default",),
        "orElse": ("default",),
    },
    unlike=frozenset(),
    literals=LITERALS,
    reads={
        **dict.fromkeys(_ANYWHERE.split(), ()),
        "variable_declarator": ("value",),
        "assignment_expression": ("right",),
        "enhanced_for_statement": ("value",),
        "method_invocation": ("object",),
        "field_access": ("object",),
        "cast_expression": ("value",),
        "lambda_expression": ("body",),
    },
    declarations=frozenset(
        {"local_variable_declaration", "field_declaration", "formal_parameter", "enhanced_for_statement", "resource"}
    ),
    untyped=frozenset({"var"}),
)


def list_sites(outline: JavaOutline) -> list[Site]:
    """The details of a program: those outside statements, such as parameters, only declare types."""
    visits = [
        Visit(visit.node, visit.node.parent, Frame(function=visit.function, statement=visit.statement), visit.kind)
        for visit in outline.visits
    ]
    return list_details(outline.tree, DETAILS, visits)
