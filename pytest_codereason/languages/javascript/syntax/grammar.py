"""JavaScript as tables."""

from __future__ import annotations

from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables, split_kinds

FUNCTION_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration"})
#: Values that take the name they are given to, where they have none of their own.
NAMED_VALUES = frozenset({"function_expression", "generator_function", "arrow_function", "class"})
ASSIGNMENTS = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})
_KINDS = "break continue do for if return switch throw try while"
_LOOPS = {"while_statement": "while", "do_statement": "do", "for_statement": "for", "for_in_statement": "for"}

STRUCTURE = Structure(
    statements={
        **{f"{kind}_statement": kind for kind in _KINDS.split()},
        "class_declaration": "class",
        "debugger_statement": "other",
        "empty_statement": "other",
        "export_statement": "export",
        "expression_statement": "expression",
        "for_in_statement": "for",
        **dict.fromkeys(FUNCTION_DECLARATIONS, "function"),
        "import_statement": "import",
        "labeled_statement": "other",
        "lexical_declaration": "declaration",
        "statement_block": "block",
        "variable_declaration": "declaration",
        "with_statement": "other",
    },
    refined={"expression_statement": dict.fromkeys(ASSIGNMENTS, "assignment")},
    sequences=split_kinds("program statement_block switch_case switch_default"),
    braced=split_kinds("statement_block"),
    listed=split_kinds("statement_block"),
    bodies={
        "if_statement": ("consequence",),
        "else_clause": (),
        **dict.fromkeys([*_LOOPS, "with_statement", "labeled_statement"], ("body",)),
    },
    deepening=split_kinds("if_statement switch_statement try_statement with_statement statement_block")
    | frozenset(_LOOPS),
    chained=split_kinds("else_clause"),
    functions=FUNCTION_DECLARATIONS | NAMED_VALUES - {"class"} | {"method_definition"},
    methods=split_kinds("method_definition"),
    holders={"class_declaration": "name", "class": "name"},
    given={
        "variable_declarator": "name",
        "assignment_expression": "left",
        "pair": "key",
        "field_definition": "property",
    },
    nameable=NAMED_VALUES | {"object"},
    names=split_kinds("identifier undefined shorthand_property_identifier_pattern"),
    binding={
        "variable_declarator": ("name",),
        **dict.fromkeys(("assignment_pattern", "object_assignment_pattern"), ("left",)),
        "pair_pattern": ("value",),
    },
)

PLACES = CodePlaces(
    conditions={
        **{f"{kind}_statement": kind for kind in ("if", "while", "do", "for")},
        "ternary_expression": "conditional",
    },
    constants=split_kinds("true false"),
    comparisons=frozenset({"<", "<=", ">", ">=", "==", "!=", "===", "!==", "in", "instanceof"}),
    loops=_LOOPS,
    assignments={
        **dict.fromkeys(("assignment_expression", "variable_declarator"), "="),
        **dict.fromkeys(("update_expression", "augmented_assignment_expression"), ""),
    },
    initialised=split_kinds("variable_declarator"),
    literals={"string": "str", "true": "bool", "false": "bool", "null": "null", "number": ""},
    labels=("key", "name", "property", "source", "alias"),
    calls={"call_expression": ("function", "property")},
    operations=split_kinds(
        """add clear concat delete entries every fill filter find findIndex flat flatMap forEach get has includes
        indexOf join keys lastIndexOf map padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse
        set shift slice some sort splice split substr substring toLowerCase toUpperCase trim trimEnd trimStart unshift
        values"""
    ),
    leaving=split_kinds("return_statement throw_statement break_statement continue_statement"),
    first=split_kinds("import_statement"),
    members={"class_body": "member"},
)

_ANYWHERE = """
    arguments array await_expression binary_expression parenthesized_expression return_statement spread_element
    subscript_expression ternary_expression unary_expression
"""
DETAILS = Details(
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
    literals=PLACES.literals,
    reads={
        **dict.fromkeys(_ANYWHERE.split(), ()),
        **dict.fromkeys(("assignment_expression", "augmented_assignment_expression", "for_in_statement"), ("right",)),
        **dict.fromkeys(("variable_declarator", "pair"), ("value",)),
        "member_expression": ("object",),
        "arrow_function": ("body",),
    },
)

TABLES = Tables(structure=STRUCTURE, places=PLACES, details=DETAILS)
