"""PHP as tables."""

from __future__ import annotations

import re

from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables, split_kinds

#: Definitions that open a scope of variables.
FUNCTIONS = split_kinds("function_definition method_declaration anonymous_function arrow_function")
#: Definitions of classes and what is like them.
CLASSES = split_kinds("class_declaration interface_declaration trait_declaration enum_declaration")
_ASSIGNMENTS = split_kinds(
    "assignment_expression augmented_assignment_expression reference_assignment_expression update_expression"
)
_LOOPS = {"for_statement": "for", "foreach_statement": "for", "while_statement": "while", "do_statement": "do"}
_KINDS = "break continue if return switch try"

STRUCTURE = Structure(
    statements={
        **{f"{kind}_statement": kind for kind in _KINDS.split()},
        **_LOOPS,
        **dict.fromkeys(CLASSES, "class"),
        "compound_statement": "block",
        **{f"{kind}_declaration": "declaration" for kind in ("const", "function_static", "global")},
        # ``echo`` and ``unset`` are expressions in all but name
        **{f"{kind}_statement": "expression" for kind in ("echo", "exit", "expression", "unset")},
        **{f"{kind}_statement": "other" for kind in ("declare", "empty", "goto", "named_label")},
        "function_definition": "function",
        "namespace_definition": "other",
        "namespace_use_declaration": "import",
    },
    refined={"expression_statement": {**dict.fromkeys(_ASSIGNMENTS, "assignment"), "throw_expression": "throw"}},
    sequences=split_kinds("program compound_statement colon_block case_statement default_statement"),
    braced=split_kinds("compound_statement"),
    listed=split_kinds("compound_statement"),
    bodies=dict.fromkeys([*_LOOPS, "if_statement", "else_clause", "else_if_clause", "declare_statement"], ()),
    deepening=frozenset(_LOOPS) | split_kinds("if_statement switch_statement try_statement compound_statement"),
    chained=split_kinds("else_clause"),
    functions=FUNCTIONS,
    methods=split_kinds("method_declaration"),
    needs_body=True,
    holders={**dict.fromkeys(CLASSES, "name"), "anonymous_class": ""},
    given={"assignment_expression": "left"},
    nameable=split_kinds("anonymous_function arrow_function"),
    names=split_kinds("name"),
    binding=dict.fromkeys(split_kinds("simple_parameter variadic_parameter property_promotion_parameter"), ("name",)),
)

PLACES = CodePlaces(
    conditions={
        **{f"{kind}_statement": kind for kind in ("if", "while", "do", "for")},
        "else_if_clause": "if",
        "conditional_expression": "conditional",
        "function_call_expression": "assert",
    },
    plain=split_kinds("conditional_expression"),
    sees_within=True,
    constants=split_kinds("boolean"),
    comparisons=frozenset({"==", "===", "!=", "!==", "<>", "<", "<=", ">", ">="}),
    loops=_LOOPS,
    assignments=dict.fromkeys(_ASSIGNMENTS, ""),
    literals={
        **{"integer": "int", "float": "float", "boolean": "bool", "null": "null"},
        **{"string": "str", "encapsed_string": "str"},
    },
    fixed=split_kinds("encapsed_string"),
    calls={"function_call_expression": ("function",)},
    # functions that build, search or take apart arrays and strings
    operations=split_kinds(
        """array_combine array_count_values array_diff array_fill array_filter array_flip array_intersect
        array_key_exists array_keys array_map array_merge array_pad array_pop array_push array_reverse array_search
        array_shift array_slice array_splice array_sum array_unique array_unshift array_values asort count explode
        implode in_array join krsort ksort ltrim range rsort rtrim sort str_contains str_pad str_repeat str_replace
        str_split str_starts_with str_ends_with strlen strpos strrev strrpos strtolower strtoupper substr substr_count
        trim uasort ucfirst ucwords uksort usort"""
    ),
    leaving=split_kinds("return_statement break_statement continue_statement exit_statement goto_statement"),
    reviving=split_kinds("named_label_statement"),
    first=split_kinds("namespace_definition declare_statement"),
    members={"declaration_list": "member"},
    top=("statement", "top"),
    # ``?>`` ends a comment, and what follows it is no code
    trailing=re.compile(r"[ \t]*(?:(?://|#(?!\[))(?:(?!\?>)[^\r\n])*|/\*[^*\r\n]*\*/[ \t]*)?(?=[\r\n]|\Z)"),
)

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

TABLES = Tables(structure=STRUCTURE, places=PLACES, details=DETAILS)
