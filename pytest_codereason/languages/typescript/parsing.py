"""Parses TypeScript, and lists the nodes of its types."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.syntax.tree import parse_by
from pytest_codereason.languages.typescript.amending import amend, may_amend

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: Statements that are types and nothing else.
DECLARATIONS = split_kinds("interface_declaration type_alias_declaration ambient_declaration function_signature")
#: Members of classes without a body.
SIGNATURES = split_kinds("method_signature abstract_method_signature index_signature")
#: What a type is made of, and the places around it.
TYPES = split_kinds(
    """array_type asserts_annotation conditional_type constructor_type existential_type function_type generic_type
    implements_clause index_type_query infer_type intersection_type literal_type lookup_type nested_type_identifier
    object_type parenthesized_type predefined_type readonly_type template_literal_type this_type tuple_type
    type_annotation type_arguments type_parameters type_predicate_annotation type_query union_type"""
)
#: What is more than a type, so that it takes a compiler, or a newer runtime.
_REFUSED = {
    "enum_declaration": "an enum",
    "internal_module": "a namespace",
    "module": "a namespace",
    "type_assertion": "a type in <> before a value (write `as` behind it)",
    "import_alias": "an import with =",
    "import_require_clause": "an import with =",
    "decorator": "a decorator",
}
#: A value with a type behind it.
CASTS = frozenset({"as_expression", "satisfies_expression"})
#: What such a value is no part of, unless in parentheses.
_OPERATIONS = frozenset({"call_expression", "member_expression", "subscript_expression", "non_null_expression"})
_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
_INDEXED = frozenset({"array_type", "lookup_type"})


@cache
def make_parser() -> Parser:
    """The parser, which is created once."""
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_typescript()))


def parse_source(source: str) -> Tree:
    """The tree of a program.

    Raises:
        DoesNotParse: the text is not TypeScript, or has what JavaScript refuses too, or more than types to erase.
    """
    tree = parse_by(make_parser(), source, *([amend] if may_amend(source) else []))
    for node in tree.find_nodes(*_REFUSED, *CASTS, "accessibility_modifier", "override_modifier", "readonly", "="):
        if complaint := _find_complaint(node):
            raise DoesNotParse(complaint, line=node.end_point[0] + 1)
    return tree


def _find_complaint(node: Node) -> str:
    """Why a node cannot be erased, or is read wrongly; empty if it is fine."""
    kind, parent = node.type, node.parent
    if kind in CASTS:
        return "a type ends a statement without a semicolon" if _reads_on(node) else ""
    what = _REFUSED.get(kind, "")
    if parent is not None and parent.type in _PARAMETERS and kind != "=":
        what = "a parameter that declares a property"
    elif parent is not None and parent.type == "export_statement" and kind == "=":
        what = "an export with ="
    while what and parent is not None:
        what = "" if parent.type == "ambient_declaration" else what
        parent = parent.parent
    return what and f"holds {what}, which is more than a type"


def _reads_on(cast: Node) -> bool:
    """Whether the grammar reads on behind a type, where the language ends the statement with its line."""
    parent = cast.parent
    if parent is not None and parent.type in _OPERATIONS and parent.children[0] == cast:
        return True
    types = (node for node in walk(cast.children[-1]) if node.type in _INDEXED)
    return any(node.children[0].end_point[0] != node.children[1].start_point[0] for node in types)
