"""Finds operators, indices, bounds, arguments, defaults and reads of variables in PHP programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.details import list_details
from pytest_codereason.languages.frame.outline import Frame, Visit
from pytest_codereason.languages.frame.tables import Details

if TYPE_CHECKING:
    from pytest_codereason.core.language.structure import Site
    from pytest_codereason.languages.php.syntax.outline import PHPOutline

_ANYWHERE = """
    argument array_element_initializer binary_expression conditional_expression echo_statement
    parenthesized_expression return_statement subscript_expression unary_op_expression variadic_unpacking
"""
DETAILS = Details(
    operations=frozenset({"binary_expression", "augmented_assignment_expression", "unary_op_expression"}),
    variable="variable_name",
    subscripts={"subscript_expression": ""},
    texts=frozenset({"encapsed_string", "heredoc_body"}),
    counting_loops={"for_statement": "initialize"},
    calls=frozenset(
        {"function_call_expression", "member_call_expression", "scoped_call_expression", "object_creation_expression"}
    ),
    roles={
        "range": ("start end",),
        **dict.fromkeys(("substr", "array_slice"), ("- start", "- start end")),
        "array_splice": ("- start", "- start -"),
    },
    wrapped=True,
    unlike=frozenset({"variadic_unpacking", "variadic_placeholder"}),
    defaults={"simple_parameter": "default_value", "property_promotion_parameter": "default_value"},
    fallbacks=frozenset({"??", "?:"}),
    literals={"integer": "int", "float": "float", "boolean": "bool", "null": "null", "string": "str"},
    reads={
        **dict.fromkeys(_ANYWHERE.split(), ()),
        **dict.fromkeys(("assignment_expression", "augmented_assignment_expression"), ("right",)),
        "member_access_expression": ("object",),
        "member_call_expression": ("object",),
        "arrow_function": ("body",),
    },
    declarations=frozenset({"simple_parameter", "property_promotion_parameter"}),
)


def list_sites(outline: PHPOutline) -> list[Site]:
    """The details of a program."""
    visits = [
        Visit(
            visit.node, visit.parent, Frame(function=visit.place.function, statement=visit.place.statement), visit.kind
        )
        for visit in outline.visits
    ]
    return list_details(outline.tree, DETAILS, visits)
