"""TypeScript as tables: those of JavaScript, and where types stand."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.languages.frame.tables import Tables, split_kinds
from pytest_codereason.languages.javascript.syntax import grammar as javascript

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

_S, _D = javascript.STRUCTURE, javascript.DETAILS
STRUCTURE = replace(
    _S,
    statements={
        **_S.statements,
        **dict.fromkeys(DECLARATIONS, "other"),
        "abstract_class_declaration": "class",
    },
    unread=DECLARATIONS | SIGNATURES | TYPES,
    holders={**_S.holders, "abstract_class_declaration": "name"},
    given={**{k: v for k, v in _S.given.items() if k != "field_definition"}, "public_field_definition": "name"},
    binding={**_S.binding, "required_parameter": ("pattern",), "optional_parameter": ("pattern",)},
)
DETAILS = replace(
    _D,
    defaults={**_D.defaults, "required_parameter": "value", "optional_parameter": "value"},
    reads={**_D.reads, "as_expression": (), "non_null_expression": ()},
)
TABLES = Tables(structure=STRUCTURE, places=javascript.PLACES, details=DETAILS)
