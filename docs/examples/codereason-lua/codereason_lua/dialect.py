import json
import re

from pytest_codereason.core import Dialect
from pytest_codereason.core.language.dialects import (
    CommentForms,
    ConditionForms,
    DeadCodeForms,
    FaultForms,
    PrintForms,
    list_templates,
)

WORDS = """and break do else elseif end false for function goto if in local nil not or repeat return then true until
while _ENV _G assert debug error io ipairs load math next os pairs pcall print require select self setmetatable string
table tonumber tostring type utf8"""


class LuaDialect(Dialect):
    comments = CommentForms(mark="--")
    words = frozenset(WORDS.split())
    operations = {"table.insert": "append", "table.remove": "pop", "table.sort": "sort", "table.concat": "join"}
    printing = PrintForms(redirects=re.compile(r"\bprint\b(?!\s*\()|\bio\b"), name="print", at_top=True)
    conditions = ConditionForms(
        templates=list_templates(
            "comparison constant other", [("not not (@)", "")], [("(@) or false", "")], [("(@) and true", "")]
        ),
        of_variable=("(rawequal({0}, {0}))", "(not rawequal({0}, {0}))"),
        of_numbers=("==", "~="),
    )
    dead_code = DeadCodeForms(
        variable="Temp_Var_",
        constant_conditions=("false", "nil"),
        parameter_conditions=(("%(p)s ~= %(p)s", "not rawequal(%(p)s, %(p)s)"),),
        printing_condition=("print(%(p)s)", "print(%(p)s == nil)"),
        branches=(
            "if %(c)s then\n    local %(x)s = %(p)s\nend",
            "while %(c)s do\n    local %(x)s = %(p)s\nend",
            "for %(i)s = 1, 0 do\n    local %(x)s = %(p)s\nend",
        ),
        globals=("local %(name)s = %(n)s",),
        functions=(
            "local function %(f)s(n)\n    return %(f)s(n + 1)\nend",
            "local function %(f)s(count)\n    while true do\n        count = count + %(n)s\n    end\nend",
        ),
        sees_code=frozenset({"debug"}),
        sees_top=frozenset({"_G", "_ENV", "load", "debug"}),
        names=frozenset({"print", "rawequal"}),
    )
    faults = FaultForms(
        arithmetic={"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"},
        connectives={"and": "or", "or": "and"},
        opposites={"==": "~=", "~=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
        quantifiers={},
        negation="not ",
        truths=("true", "false"),
        returning=("return", "return {}"),
        refuses_dead_code=True,
        messages=re.compile(r"(?:print|error|assert)\b"),
    )

    def print_statement(self, text):
        return f"print({json.dumps(text, ensure_ascii=False)})"
