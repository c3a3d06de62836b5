"""Finds what the grammar reads in another way than JavaScript does, and writes what it reads rightly in its place.

    get                     get price() {}      a getter, not a field and a method
    price() {}
    a /* x                  a /* */             the line ends within the comment, so ``c`` is increased
    */ ++c                  ++c
    var yield = yield + 1   var yiel$ = yiel$ + 1

What is written has the same length in bytes, so that every node lies where it lies in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.tree import walk

if TYPE_CHECKING:
    from tree_sitter import Node

_END = r"(?:[\n\r\u2028\u2029])"
#: What stands in every program that may need it.
_PECULIAR = re.compile(
    rf"\*/[ \t]*[^\s/]|\b(?:yield|await)\b|\b(?:get|set|static|let)\s*(?:{_END}|/[/*])|\bof\s*=>"
    rf"|{_END}\s*\*\s*[\w$\[]"
)
_LINE_END = re.compile(rb"\n|\r|\xe2\x80[\xa8\xa9]")
_BLANKS = re.compile(rb"[ \t]*")
#: Blanks and comments.
_BETWEEN = re.compile(rb"(?:\s|\xe2\x80[\xa8\xa9]|\xc2\xa0|//[^\n\r]*|/\*(?s:.*?)\*/)*")
_NAME = re.compile(rb"[\w$#\"'\[\\\x80-\xff]")
_BOUND = re.compile(rb"[\w$\[{\\\x80-\xff]")
_ARROW_OF = re.compile(rb"(?<![\w$.])of(?=\s*=>)")
#: What follows each of these words on a later line and belongs to it, so that the line does not end the statement.
_JOINED = {
    **{b"get": _NAME, b"set": _NAME, b"static": re.compile(rb"[^;=(}]")},
    **{b"let": _BOUND, b"await": re.compile(rb"[^;]")},
}
#: Those that the grammar takes for names of variables there.
_VARIABLES = (b"let", b"await")
#: The types of nodes that these words are read as, where the line is taken to end what they begin.
_WORDS = frozenset({"property_identifier", "static", "get", "set", "static get", "identifier"})
_FUNCTIONS = frozenset(
    {
        *["function_declaration", "generator_function_declaration", "function_expression", "generator_function"],
        *["arrow_function", "method_definition"],
    }
)
#: What ends a member of a class without a line end.
_ENDS = (b";", b"{", b"}")
#: Nodes between a sign and the class that it stands in: an error and a method.
_ERRORS = 3
_GENERATORS = frozenset({"generator_function", "generator_function_declaration"})
_MODULE = frozenset({"import_statement", "export_statement"})


def may_amend(source: str) -> bool:
    """Whether a program may have such a place, by a glance at its text."""
    return _PECULIAR.search(source) is not None


def amend(code: bytes, root: Node) -> bytes:
    """The text for the grammar, given what the grammar made of the last one.

    Lines come first: where a line was taken to end too late or too early, nobody can tell yet which function is around.
    """
    lines = _amend_lines(code, root)
    return lines if lines != code else _amend_names(code, root)


def _amend_lines(code: bytes, root: Node) -> bytes:
    text, behind = bytearray(code), 0  # the end of the last token
    for node in walk(root):
        kind, start, end = node.type, node.start_byte, node.end_byte
        if kind == "comment":
            _end_line(text, start, end)
        elif kind == "*" and root.has_error and "class_body" in _list_kinds_around(node):
            _end_field(text, behind, start)
        elif kind in _WORDS:
            word = code[start:end]
            if word in _JOINED and (word in _VARIABLES) == (kind == "identifier") and _is_keyword(node, word):
                _join(text, end, word)
        if not node.child_count and kind != "comment" and start < end:
            behind = end
    return bytes(text)


def _amend_names(code: bytes, root: Node) -> bytes:
    """``yield``, ``await`` and ``of`` where they are names."""
    text = bytearray(code)
    awaits: list[Node] = []
    named = False  # whether ``await`` is a name here
    for node in walk(root):
        kind, start, end = node.type, node.start_byte, node.end_byte
        if kind == "yield" and not _is_in_generator(node):
            text[start:end] = b"yiel$"
        elif kind == "await" and not _is_in_async(node):
            awaits.append(node)
        elif kind == "identifier":
            named |= code[start:end] == b"await"
    if named and not any(node.type in _MODULE for node in root.named_children):
        for node in awaits:
            text[node.start_byte : node.end_byte] = b"awai$"
    return _ARROW_OF.sub(b"o$", bytes(text)) if root.has_error else bytes(text)


def _end_line(text: bytearray, start: int, end: int) -> None:
    """Puts the line end that a comment holds behind the comment, where the grammar looks for it."""
    if not text.startswith(b"/*", start) or not _LINE_END.search(text, start, end):
        return
    following = _BLANKS.match(text, end)
    assert following is not None
    if not _LINE_END.match(text, following.end()):
        text[start + 2 : end] = b"%b*/\n" % (b" " * (end - start - 5))


def _join(text: bytearray, at: int, word: bytes) -> None:
    """Blanks out the line ends and comments behind a word, if what follows belongs to the word."""
    between = _BETWEEN.match(text, at)
    assert between is not None
    if _LINE_END.search(text, at, between.end()) and _JOINED[word].match(text, between.end()):
        text[at : between.end()] = b" " * (between.end() - at)


def _end_field(text: bytearray, behind: int, at: int) -> None:
    """Ends a field that stands on a line before ``*method() {}``."""
    if text[behind - 1 : behind] not in _ENDS and _LINE_END.search(text, behind, at) and text[behind] in b" \t\n\r":
        text[behind : behind + 1] = b";"


def _is_keyword(node: Node, word: bytes) -> bool:
    """Whether a word may be one of the language here: where a member of a class begins, or in an async function."""
    if word == b"let":
        return True
    if word == b"await":
        return _is_in_async(node)
    return "member_expression" not in (around := [n.type for n in _list_around(node)]) and "class_body" in around


def _list_kinds_around(node: Node) -> list[str]:
    """The types of the three innermost nodes around a sign, which may stand in nodes of errors."""
    kinds: list[str] = []
    around = node.parent
    while around is not None and len(kinds) < _ERRORS:
        kinds.append(around.type)
        around = around.parent
    return kinds


def _list_around(node: Node) -> Iterator[Node]:
    """The nodes around a node, up to the innermost function."""
    around = node.parent
    while around is not None:
        yield around
        if around.type in _FUNCTIONS:
            return
        around = around.parent


def _find_function(node: Node) -> Node | None:
    """The function around a node, if there is one."""
    return next((around for around in _list_around(node) if around.type in _FUNCTIONS), None)


def _is_in_generator(node: Node) -> bool:
    function = _find_function(node)
    return function is not None and (
        function.type in _GENERATORS or any(child.type == "*" for child in function.children)
    )


def _is_in_async(node: Node) -> bool:
    function = _find_function(node)
    return function is not None and any(child.type == "async" for child in function.children)
