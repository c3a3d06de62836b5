"""Python as tables."""

from __future__ import annotations

import re

from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables, split_kinds

_KINDS = """
    if while for return try with match raise assert delete pass break continue global nonlocal import
"""
DEFINITIONS = {"function_definition": "function", "class_definition": "class"}
_HOLDERS = {"if_statement": "if", "elif_clause": "if", "while_statement": "while", "assert_statement": "assert"}

STRUCTURE = Structure(
    statements={
        **{f"{kind}_statement": kind for kind in _KINDS.split()},
        **dict.fromkeys(("import_from_statement", "future_import_statement"), "import"),
        **DEFINITIONS,
        "decorated_definition": "function",
        "expression_statement": "expression",
        "type_alias_statement": "other",
    },
    refined={
        "decorated_definition": DEFINITIONS,
        "expression_statement": dict.fromkeys(("assignment", "augmented_assignment"), "assignment"),
    },
    sequences=split_kinds("module block"),
    braced=frozenset(),
    listed=frozenset(),
    bodies={},
    deepening=split_kinds("if_statement while_statement for_statement try_statement with_statement match_statement"),
    comments=split_kinds("comment line_continuation"),
    closed=split_kinds("type case_pattern interpolation identifier"),
    wrapping=split_kinds("decorated_definition"),
    functions=split_kinds("function_definition"),
    methods=frozenset(),
    opens_behind=True,
    holders={"class_definition": "name"},
    names=split_kinds("identifier"),
    binding={
        **dict.fromkeys(("default_parameter", "typed_default_parameter"), ("name",)),
        **dict.fromkeys(("type", "keyword_separator", "positional_separator"), ()),
    },
)

PLACES = CodePlaces(
    conditions={**_HOLDERS, "conditional_expression": "conditional", "if_clause": "comprehension"},
    plain=frozenset(_HOLDERS) | {"conditional_expression", "if_clause"},
    sees_within=True,
    constants=split_kinds("true false"),
    compared=frozenset({"comparison_operator"}),
    comparisons=frozenset(),
    loops={"while_statement": "while", "for_statement": "for"},
    assignments={"assignment": "=", "augmented_assignment": "", "type_alias_statement": "="},
    literals={
        **{"integer": "int", "float": "float", "true": "bool", "false": "bool", "none": "null"},
        **{"string": "str", "concatenated_string": "str"},
    },
    fixed=split_kinds("concatenated_string"),
    calls={"call": ("function", "attribute")},
    # the methods of lists, sets, dicts and strings that count as operations on a collection
    operations=split_kinds(
        """append extend insert remove pop sort reverse update add split join replace lower upper capitalize swapcase"""
    ),
    leaving=split_kinds("return_statement raise_statement break_statement continue_statement"),
    members={},
    held={"class_definition": "member"},
    hoisted=False,
    indented=True,
    trailing=re.compile(r"[ \t\f;]*(?:#[^\n]*?)?(?=\r?(?:\n|\Z))"),
)

_ANYWHERE = """
    argument_list await binary_operator boolean_operator comparison_operator conditional_expression expression_list
    if_clause list list_splat not_operator parenthesized_expression return_statement set subscript slice tuple
    unary_operator yield assert_statement
"""
DETAILS = Details(
    closed=split_kinds("decorator"),
    operations=frozenset(
        {"binary_operator", "boolean_operator", "comparison_operator", "augmented_assignment", "not_operator"}
    ),
    quantifiers=frozenset({"any", "all"}),
    comparisons=frozenset({"comparison_operator"}),
    comments=STRUCTURE.comments,
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
    literals=PLACES.literals,
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

TABLES = Tables(structure=STRUCTURE, places=PLACES, details=DETAILS)
