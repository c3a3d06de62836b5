"""Reads Java literals with tree-sitter."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import MAX_DEPTH, TreeReader, check_size, strip_blanks
from pytest_codereason.languages.java.syntax.tree import make_parser
from pytest_codereason.languages.java.values import library
from pytest_codereason.languages.java.values.data import Char, Long
from pytest_codereason.languages.java.values.numbers import calculate, cast, round_to_float, wrap_integer

if TYPE_CHECKING:
    from tree_sitter import Node

_TOKEN = re.compile(
    r'//[^\r\n]*|/\*.*?\*/|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\S', re.DOTALL
)
#: What a bare list, a comment and the name ``$`` have at least.
_LIST_OR_COMMENT = re.compile(r"[$\[{/]")
_ESCAPE = re.compile(r"\\(?:u+([0-9A-Fa-f]{4})|([0-3]?[0-7]{1,2})|(\r\n|.))", re.DOTALL)
_OTHER_BLANK = re.compile(r"[^\S \t\r\n]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", '"': '"', "'": "'", "\\": "\\"}

#: The nodes of ``{ add(1); }`` in a class that fills a new collection.
_FILLING = ("block", "expression_statement", ["method_invocation"])


def read(text: str) -> Value:
    """The value of a literal. A bare list is allowed: ``[1, 2]`` or ``{1, 2}``, as Java prints or initialises lists."""
    return JavaReader.read(make_parser(), write_lists_as_calls(strip_blanks(text)), end=";")


def write_lists_as_calls(text: str) -> str:
    """``text`` without comments, and with bare lists as calls of ``$``, because the grammar has no ``[1, 2]``."""
    if not _LIST_OR_COMMENT.search(text) and text.count("(") <= MAX_DEPTH:
        return text
    parts: list[str] = []
    opened: list[str] = []
    at, before = 0, ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        shown = token
        if token == "$":
            raise NotALiteral("not a literal: a name")
        if token in ("[", "{", "("):
            # Inside the braces of an array or a class, braces are as Java has them.
            bare = token != "(" and before in ("", "(", ",", "[", "{") and (token == "[" or opened[-1:] != ["{"])
            opened.append("$" if bare else token)
            shown = "$(" if bare else token
            if len(opened) > MAX_DEPTH:
                raise NotALiteral(f"nested more than {MAX_DEPTH} levels deep")
        elif token in ("]", "}", ")") and opened and opened.pop() == "$":
            shown = ")"
        if token.startswith(("//", "/*")):
            if "\\u" in token:  # Java would read a written-out `*/` or line's end, and what follows as code
                raise NotALiteral("an escape in a comment")
            shown = " "
        else:
            before = token
        parts += [text[at : match.start()], shown]
        at = match.end()
    return "".join([*parts, text[at:]])


class JavaReader(TreeReader):
    """Reads a literal."""

    words: ClassVar[Mapping[str, object]] = {"true": True, "false": False, "null_literal": None}

    def _read_whole(self, node: Node, base: int) -> int:
        text = self.text(node).replace("_", "").lower()
        long = text.endswith("l")
        try:
            number = check_size(int(text.removesuffix("l"), base))
        except ValueError:
            raise NotALiteral("not a number of the language") from None
        if number > 2**64 - 1 if base != 10 else number > 2**63:
            raise NotALiteral("a whole number beyond 64 bits")
        if base != 10:  # such a literal gives the bits, sign included
            number = wrap_integer(number, 64 if long or number >= 2**32 else 32)
        # One that is too large for an int is read as the long it would have to be.
        return Long(number) if long else number

    def on_decimal_integer_literal(self, node: Node, _: int) -> int:
        return self._read_whole(node, 10)

    def on_octal_integer_literal(self, node: Node, _: int) -> int:
        return self._read_whole(node, 8)

    def on_hex_integer_literal(self, node: Node, _: int) -> int:
        return self._read_whole(node, 16)

    def on_binary_integer_literal(self, node: Node, _: int) -> int:
        return self._read_whole(node, 2)

    def on_decimal_floating_point_literal(self, node: Node, _: int) -> float:
        text = self.text(node).replace("_", "").lower()
        try:
            number = round_to_float(float(text[:-1])) if text.endswith("f") else float(text.removesuffix("d"))
        except ValueError:
            raise NotALiteral("not a number of the language") from None
        if math.isinf(number) or (number == 0 and re.search("[1-9]", text.partition("e")[0])):
            raise NotALiteral("a number that is too large or too small for its type")
        return number

    def on_character_literal(self, node: Node, _: int) -> Char:
        char = _unescape(self.text(node)[1:-1])
        if len(char) != 1 or char > "\uffff":
            raise NotALiteral("not one character")
        return Char(char)

    def on_string_literal(self, node: Node, _: int) -> str:
        text = self.text(node)
        if text.startswith('"""'):
            return _read_text_block(text[3:-3])
        if "\n" in text:
            raise NotALiteral("a line end in a string")
        return _unescape(text[1:-1])

    def on_field_access(self, node: Node, _: int) -> Any:
        owner, _dot, field = self.text(node).rpartition(".")
        if (name := f"{library.plain(owner)}.{field}") not in library.CONSTANTS:
            raise NotALiteral("not a literal: a name")
        return library.CONSTANTS[name]

    def on_unary_expression(self, node: Node, depth: int) -> Any:
        sign, number = self.signed(node, depth)
        lowest = isinstance(number, int) and number == -(2 ** (63 if isinstance(number, Long) else 31))
        return type(number)(-number) if sign == "-" and not lowest else number  # the lowest number is its own negative

    def calculate(self, operator: str, left: Any, right: Any) -> float:
        return calculate(operator, left, right)

    def on_cast_expression(self, node: Node, depth: int) -> Any:
        kind, inner = node.child_by_field_name("type"), node.child_by_field_name("value")
        if kind is None or inner is None:
            raise NotALiteral("not a literal: a cast")
        value = self.value(inner, depth)
        if kind.type not in ("integral_type", "floating_point_type", "boolean_type"):
            return value
        result = cast(self.text(kind), value)
        self.unresolved |= result != value
        return result

    def on_array_initializer(self, node: Node, depth: int) -> list[Any]:
        return [self.value(n, depth) for n in self.elements(node)]

    def on_array_creation_expression(self, node: Node, depth: int) -> list[Any]:
        value = node.child_by_field_name("value")
        if value is None:
            dimensions = node.children_by_field_name("dimensions")
            if len(dimensions) == 1 and self.text(dimensions[0]) == "[0]":
                return []
            raise NotALiteral("not a literal: an array without its elements")
        return self.on_array_initializer(value, depth)

    def on_method_invocation(self, node: Node, depth: int) -> Any:
        owner, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        method = self.text(name) if name else ""
        called = f"{library.plain(self.text(owner))}.{method}" if owner else method
        return library.call_method(called, self.read_inside(node, depth))

    def on_object_creation_expression(self, node: Node, depth: int) -> Any:
        kind = node.child_by_field_name("type")
        if node.children[0].type != "new" or node.children[1] != kind:
            raise NotALiteral("not a literal: a new object of another object")
        made = library.make_object(library.plain(self.text(kind)) if kind else "", self.read_inside(node, depth))
        for body in node.named_children:
            if body.type == "class_body":
                self._fill(made, body, depth)
        return made

    def _fill(self, made: Any, body: Node, depth: int) -> None:
        """Reads ``{{ add(1); add(2); }}``: initialisers with only calls without an object."""
        for block in self.elements(body):
            for statement in self.elements(block):
                calls = self.elements(statement)
                if (block.type, statement.type, [call.type for call in calls]) != _FILLING:
                    raise NotALiteral("not a literal: a class")
                name = calls[0].child_by_field_name("name")
                if name is None or calls[0].child_by_field_name("object"):
                    raise NotALiteral("not a literal: a class")
                library.fill_collection(made, self.text(name), self.read_inside(calls[0], depth))


def _unescape(text: str) -> str:
    def _read_plain(escape_match: re.Match[str]) -> str:
        unit, octal, one = escape_match.groups()
        if unit:
            # Java reads these before it reads the string, which they would then end or break.
            if (char := chr(int(unit, 16))) in "\"'\\\r\n":
                raise NotALiteral(f"the escape \\u{unit} in a string")
            return char
        if octal:
            return chr(int(octal, 8))
        if one not in _ESCAPES and one not in ("\n", "\r\n"):
            raise NotALiteral(f"there is no escape \\{one}")
        return _ESCAPES.get(one, "")

    text = _ESCAPE.sub(_read_plain, text)
    # Two escapes may spell the halves of one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _read_text_block(text: str) -> str:
    """The string of a text block, without common indentation and without blanks at line ends."""
    blanks = (chr(int(escape[1], 16)) for escape in _ESCAPE.finditer(text) if escape[1])
    if any(map(str.isspace, blanks)) or _OTHER_BLANK.search(text):  # Java strips other blanks than Python
        raise NotALiteral("a blank in a text block that is neither a space nor a tab")
    first, *lines = text.replace("\r\n", "\n").split("\n")
    if first.strip() or not lines:
        raise NotALiteral('text after the """ that opens a text block')
    counted = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    shared = min(len(line) - len(line.lstrip()) for line in counted)
    return _unescape("\n".join(line[shared:].rstrip() for line in lines))
