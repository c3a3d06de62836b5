import re

from pytest_codereason.languages.frame.tables import CodePlaces, Details, Structure, Tables, split_kinds

LOOPS = {"while_statement": "while", "repeat_statement": "do", "for_statement": "for"}
STRUCTURE = Structure(
    statements={
        **{"if_statement": "if", "return_statement": "return", "break_statement": "break", "do_statement": "block"},
        **{"function_declaration": "function", "function_call": "expression", "assignment_statement": "assignment"},
        **{"variable_declaration": "declaration", "goto_statement": "other", "label_statement": "other", **LOOPS},
    },
    sequences=split_kinds("chunk block"),
    braced=frozenset(),  # blocks of Lua have words around them
    listed=frozenset(),
    bodies={},  # nothing holds a statement without a block
    deepening=split_kinds("if_statement do_statement") | frozenset(LOOPS),
    functions=split_kinds("function_declaration function_definition"),
    methods=frozenset(),
    names=split_kinds("identifier"),
)
PLACES = CodePlaces(
    conditions={"if_statement": "if", "elseif_statement": "if", "while_statement": "while", "repeat_statement": "do"},
    constants=split_kinds("true false"),
    comparisons=frozenset({"<", "<=", ">", ">=", "==", "~="}),
    loops=LOOPS,
    assignments={"assignment_statement": "="},
    literals={"string": "str", "true": "bool", "false": "bool", "nil": "null", "number": ""},
    labels=("name",),
    calls={"function_call": ("name",)},
    operations=split_kinds("table.insert table.remove table.sort table.concat"),
    leaving=split_kinds("return_statement break_statement goto_statement"),
    members={},
    strict=True,  # nothing may stand behind a return
    trailing=re.compile(r"[ \t]*(?:--(?!\[)[^\r\n]*)?(?=[\r\n]|\Z)"),
)
DETAILS = Details(
    operations=split_kinds("binary_expression unary_expression"),
    subscripts={"bracket_index_expression": "field"},
    calls=split_kinds("function_call"),
    roles={},
    unlike=split_kinds("vararg_expression"),
    literals=PLACES.literals,
    reads=dict.fromkeys(split_kinds("arguments binary_expression return_statement"), ()),
)
TABLES = Tables(structure=STRUCTURE, places=PLACES, details=DETAILS)
