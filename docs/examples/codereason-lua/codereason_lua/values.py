import json
import math
import re

from codereason_lua.parsing import make_parser
from pytest_codereason.core import Arguments, Value, Values
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import TreeReader, strip_blanks

ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class Reader(TreeReader):  # reads a node of type t in its method on_t
    def on_number(self, node, depth):
        text = self.text(node)
        return int(text) if text.isdecimal() else float(text)

    def on_string(self, node, depth):
        return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), self.text(node)[1:-1])

    def on_true(self, node, depth):
        return True

    def on_false(self, node, depth):
        return False

    def on_nil(self, node, depth):
        return None

    def on_unary_expression(self, node, depth):
        sign, number = self.signed(node, depth)
        return -number if sign == "-" else number

    def on_table_constructor(self, node, depth):
        keys = [field.child_by_field_name("name") for field in self.elements(node)]
        values = [self.value(field.child_by_field_name("value"), depth) for field in self.elements(node)]
        if not any(keys):
            return values
        if not all(keys):
            raise NotALiteral("a table that is half a list")
        names = [self.text(key) if key.type == "identifier" else self.value(key, depth) for key in keys]
        return dict(zip(names, values, strict=True))


class LuaValues(Values):
    def read(self, text):
        source = f"return {strip_blanks(text)}".encode()
        root = make_parser().parse(source).root_node
        statements = root.named_children
        found = (
            statements[0].named_children if len(statements) == 1 and statements[0].type == "return_statement" else []
        )
        if root.has_error or len(found) != 1 or len(found[0].named_children) != 1:
            raise NotALiteral("not one expression")
        return Value(Reader(source).value(found[0].named_children[0], 0))

    def read_arguments(self, text):
        values = self.read(f"{{{text}}}").value if text.strip() else []
        return Arguments(tuple(values), ("",) * len(values), ", ".join(map(self.write, values)))

    def write(self, value):
        match value:
            case None:
                return "nil"
            case list() | tuple():
                return "{" + ", ".join(map(self.write, value)) + "}"
            case dict():
                return "{" + ", ".join(f"[{self.write(key)}] = {self.write(one)}" for key, one in value.items()) + "}"
            case float() if not math.isfinite(value):
                return "0/0" if math.isnan(value) else "math.huge" if value > 0 else "-math.huge"
            case str():
                return json.dumps(value, ensure_ascii=False)
            case _:
                return json.dumps(value)

    def equal(self, left, right):
        match left, right:
            case (list(), list()):
                return len(left) == len(right) and all(map(self.equal, left, right))
            case (dict(), dict()):
                return left.keys() == right.keys() and all(self.equal(left[key], right[key]) for key in left)
        return left == right and isinstance(left, bool) == isinstance(right, bool)

    def decode(self, payload):  # what harness.lua writes
        match payload:
            case list():
                return [*map(self.decode, payload)]
            case {"table": pairs}:
                return {self.decode(key): self.decode(value) for key, value in pairs}
            case {"float": text}:
                return float(text)
        return payload

    def assertion(self, call):
        return f"assert({call} == ", ")"
