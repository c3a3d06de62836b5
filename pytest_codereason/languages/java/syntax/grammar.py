"""Java as tables."""

from __future__ import annotations

from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables, split_kinds

CLASSES = frozenset(f"{kind}_declaration" for kind in ("class", "interface", "enum", "record", "annotation_type"))
METHODS = split_kinds("method_declaration constructor_declaration compact_constructor_declaration")
LOOPS = {
    "for_statement": "for",
    "enhanced_for_statement": "for",
    "while_statement": "while",
    "do_statement": "do",
}
_KINDS = "if return throw break continue yield assert try synchronized"
#: Bodies of classes whose fields are statements.
_FIELDS = split_kinds("class_body interface_body enum_body_declarations annotation_type_body")

STRUCTURE = Structure(
    statements={
        **{f"{kind}_statement": kind for kind in _KINDS.split()},
        **LOOPS,
        **dict.fromkeys(CLASSES, "class"),
        "try_with_resources_statement": "try",
        "labeled_statement": "label",
        "explicit_constructor_invocation": "expression",
        **dict.fromkeys(("local_variable_declaration", "field_declaration", "constant_declaration"), "declaration"),
        "expression_statement": "expression",
        "switch_expression": "switch",
        "block": "block",
    },
    refined={"expression_statement": dict.fromkeys(("assignment_expression", "update_expression"), "assignment")},
    sequences=split_kinds("block constructor_body switch_block_statement_group"),
    braced=split_kinds("block constructor_body"),
    listed=CLASSES | {"block"},
    bodies={
        "if_statement": ("consequence", "alternative"),
        **dict.fromkeys(LOOPS, ("body",)),
        **dict.fromkeys(_FIELDS | {"labeled_statement", "switch_rule"}, ()),
    },
    deepening=frozenset(LOOPS)
    | split_kinds(
        """if_statement try_statement try_with_resources_statement synchronized_statement switch_expression block"""
    ),
    comments=split_kinds("line_comment block_comment"),
    functions=METHODS,
    methods=METHODS,
    needs_body=True,
    holders={**dict.fromkeys(CLASSES, "name"), "object_creation_expression": "type"},
    resetting=_FIELDS - {"annotation_type_body"},
    names=split_kinds("identifier"),
    binding={
        **dict.fromkeys(("formal_parameter", "variable_declarator"), ("name",)),
        **dict.fromkeys(("modifiers", "receiver_parameter"), ()),
    },
)

PLACES = CodePlaces(
    conditions={
        **{f"{kind}_statement": kind for kind in ("if", "while", "do", "for", "assert")},
        "ternary_expression": "conditional",
    },
    plain=split_kinds("ternary_expression assert_statement"),
    constants=split_kinds("true false"),
    comparisons=frozenset({"==", "!=", "<", "<=", ">", ">="}),
    loops=LOOPS,
    assignments={"assignment_expression": "", "update_expression": "", "variable_declarator": "="},
    initialised=split_kinds("variable_declarator"),
    literals={
        **{f"{base}_integer_literal": "int" for base in ("decimal", "hex", "octal", "binary")},
        **{f"{base}_floating_point_literal": "float" for base in ("decimal", "hex")},
        "string_literal": "str",
        "character_literal": "char",
        **dict.fromkeys(("true", "false"), "bool"),
        "null_literal": "null",
    },
    # where a literal is a constant of the compiler, which may clash with another one
    fixed=split_kinds("switch_label annotation_argument_list element_value_pair"),
    calls={"method_invocation": ("name",)},
    # of lists, maps, sets, strings and their builders, and of ``Collections`` and ``Arrays``
    operations=split_kinds(
        """add addAll append charAt clear contains containsAll containsKey containsValue delete endsWith entrySet fill
        get getOrDefault indexOf insert isEmpty join keySet lastIndexOf length merge offer peek poll pop push put putAll
        putIfAbsent remove removeAll removeIf replace replaceAll retainAll reverse set setCharAt size sort split
        startsWith subList substring toCharArray toLowerCase toUpperCase trim values"""
    ),
    leaving=frozenset(),  # the compiler says which statements complete
    members={"class_body": "member", "enum_body_declarations": "member", "program": "top"},
    strict=True,
    above=True,
)

_ANYWHERE = """
    argument_list array_access array_initializer binary_expression parenthesized_expression return_statement
    ternary_expression unary_expression
"""
DETAILS = Details(
    operations=frozenset({"binary_expression", "assignment_expression", "unary_expression"}),
    quantifiers=frozenset({"anyMatch", "allMatch"}),
    comments=STRUCTURE.comments,
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
    literals=PLACES.literals,
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

TABLES = Tables(structure=STRUCTURE, places=PLACES, details=DETAILS)
