"""The layout of TypeScript: that of JavaScript, and what it does with types."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.languages.frame.printing import Token
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.javascript.syntax.layout import JavaScriptLayout
from pytest_codereason.languages.typescript.parsing import SIGNATURES, parse_source
from pytest_codereason.languages.typescript.syntax.grammar import STRUCTURE

_TABLE = JavaScriptLayout.table
_MEMBERS = SIGNATURES | split_kinds("public_field_definition property_signature call_signature construct_signature")
#: What is named before its parameters, without a function around the name.
_SIGNED = SIGNATURES | {"function_signature", "method_definition"}
_GENERIC = frozenset({"type_parameters", "type_arguments"})
#: Signs that stand right behind what they are said of.
_MARKS = frozenset({"?", "!"})
_MARKED = _MEMBERS | split_kinds(
    "optional_parameter method_definition non_null_expression variable_declarator optional_type"
)
_BRACKETED = frozenset({"array_type", "lookup_type"})


class TypeScriptLayout(JavaScriptLayout):
    """The layout of TypeScript."""

    table = replace(
        _TABLE, whole=_TABLE.whole | {"template_literal_type"}, indenting=_TABLE.indenting | {"interface_body"}
    )
    parse = staticmethod(parse_source)
    structure = STRUCTURE
    terminated = (
        (JavaScriptLayout.terminated - JavaScriptLayout.members)
        | _MEMBERS
        | {"type_alias_declaration", "function_signature"}
    )
    members = _MEMBERS

    def is_tight(self, left: Token, right: Token) -> bool:
        """Whether no blank stands between two tokens."""
        return _is_tight(left, right) or super().is_tight(left, right)


def _is_tight(left: Token, right: Token) -> bool:
    """Whether a token of a type follows without a blank."""
    match right.text:
        case "<":
            return right.parent in _GENERIC and left.kind != left.text  # a word such as `return` is a type of its own
        case ">":
            return right.parent in _GENERIC
        case "[":
            return right.parent in _BRACKETED
        case "(":
            return right.parent == "formal_parameters" and (left.parent in _SIGNED or left.parent in _GENERIC)
        case "?" | "!":
            return right.parent in _MARKED
    return left.text == "<" and left.parent in _GENERIC
