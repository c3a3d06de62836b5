"""JavaScript: what answers give beside literals: ``new Set([1])``, and what consoles print: ``Map(1) { 'a' => 1 }``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.javascript.syntax.tree import make_parser
from pytest_codereason.languages.javascript.values.literals import BigInt, JavaScriptReader, name_property

if TYPE_CHECKING:
    from tree_sitter import Node

#: A string, or what node prints before or between the values of an object.
_TOKEN = re.compile(
    r"""'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`"""
    r"|(?P<set>\bSet(?:\(\d+\))?[ ]?\{)|(?P<map>\bMap(?:\(\d+\))?[ ]?\{)"
    r"|(?P<array>\b[A-Z]\w*Array\(\d+\)[ ]?(?=\[)|\A\s*\(\d+\)[ ](?=\[))"
    r"|(?P<object>\[Object: null prototype\][ ]?(?=\{)|\b[A-Z]\w*[ ](?=\{))"
    r"|(?P<open>[{\[(])|(?P<close>[}\])])|(?P<arrow>=>)"
)
_MAY_BE_PRINTED = re.compile(r"\b(?:Set|Map)\b|[A-Z]\w*Array\(|\A\s*\(\d+\) \[|null prototype\]|\b[A-Z]\w* \{")


def read_answer(text: str) -> Value:
    """The value of a literal, of a new set, map or array, or of what node prints.

    Raises:
        NotALiteral: The text is none of these.
    """
    return _AnswerReader.read(make_parser(), _write_printed(text) if _MAY_BE_PRINTED.search(text) else text)


def _write_printed(text: str) -> str:
    """What node prints as the literal of the same value; a set is the list of its elements, a map an object."""
    parts: list[str] = []
    opened: list[str] = []
    at = 0
    for token in _TOKEN.finditer(text):
        kind, shown = token.lastgroup, token[0]
        if kind == "set":
            shown = "["
            opened.append("]")
        elif kind == "map":
            shown = "{"
            opened.append("map")
        elif kind == "open":
            opened.append("")
        elif kind == "close" and opened:
            shown = {"]": "]", "map": "}", "": shown}[opened.pop()]
        elif kind == "arrow" and opened[-1:] == ["map"]:
            shown = ":"
        elif kind in ("array", "object"):
            shown = ""
        parts += [text[at : token.start()], shown]
        at = token.end()
    return "".join([*parts, text[at:]])


class _AnswerReader(JavaScriptReader):
    """Reads a literal, a new collection, or ``BigInt(5)``."""

    def on_new_expression(self, node: Node, depth: int) -> Any:
        name, arguments = node.child_by_field_name("constructor"), self.read_inside(node, depth)
        match self.text(name) if name else "", arguments:
            case "Set", [] | [list()]:
                return _drop_repeated([item for items in arguments for item in items])
            case "Map", [] | [list()]:
                pairs = [item for items in arguments for item in items]
                if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                    return {name_property(key): value for key, value in pairs}
            case "Array", [] | [_, _, *_]:
                return arguments
        raise NotALiteral("not a literal: a new object")

    def on_call_expression(self, node: Node, depth: int) -> Any:
        function, arguments = node.child_by_field_name("function"), self.read_inside(node, depth)
        match self.text(function) if function else "", arguments:
            case "BigInt", [number] if type(number) is int:
                return BigInt(number)
            case "Object.freeze", [value]:
                return value
            case "Array.of", _:
                return arguments
        raise NotALiteral("not a literal: a call")


def _drop_repeated(items: list[Any]) -> list[Any]:
    kept: dict[tuple[str, str], Any] = {}
    for item in items:
        kept.setdefault(
            (type(item).__name__, repr(item)) if not isinstance(item, list | dict) else ("", str(id(item))), item
        )
    return list(kept.values())
