"""Parses JavaScript, and lists its words and types of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.outline import list_bound
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.frame.tree import Amend, Tree, walk
from pytest_codereason.languages.javascript.syntax.amending import amend, may_amend
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

#: Words that cannot name a variable in some context, and those that read as if they could not.
RESERVED = split_kinds(
    """arguments async await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function get if implements import in instanceof interface let new null of package private
    protected public return set static super switch this throw true try typeof var void while with yield"""
)
#: What a runtime offers without a declaration, the names that node wraps around a file among them.
GLOBALS = split_kinds(
    """Array ArrayBuffer BigInt Boolean Buffer DataView Date Error Function Infinity JSON Map Math NaN Number Object
    Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError WeakMap WeakSet
    __dirname __filename clearInterval clearTimeout console escape exports global globalThis isFinite isNaN
    module parseFloat parseInt process queueMicrotask require self setImmediate setInterval setTimeout
    structuredClone undefined unescape window"""
)

FUNCTIONS = STRUCTURE.functions
CLASSES = STRUCTURE.holders.keys()
COMMENTS = STRUCTURE.comments

_WORD = re.compile(r"(?![0-9])[\w$\u200c\u200d]+")
_ESCAPE = re.compile(r"\\(?:u\{0*([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)

#: What may be one of the things that the grammar reads in another way than the language: see :func:`_find_complaint`.
_DOUBTFUL = re.compile(
    r"</|/>"
    r"|<!--|-->"
    r"|\}[ \t]*[\n\r\u2028\u2029]\s*(?:[\[(`+-]|/(?![/*]))"
)

#: What an arrow function is no operand of, unless in parentheses.
_OPERATIONS = frozenset({"binary_expression", "call_expression", "member_expression", "subscript_expression"})


@cache
def make_parser() -> Parser:
    """The parser, which is created once."""
    import tree_sitter
    import tree_sitter_javascript

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))


list_children = STRUCTURE.list_children


def unescape(text: str) -> str:
    """``text`` with its escapes decoded: ``\\u0061`` names the variable ``a``. A letter's escape becomes a blank."""

    def plain(escape_match: re.Match[str]) -> str:
        brace, four, two, one = escape_match.groups()
        code = int(brace or four or two or "20", 16)
        return one if one and not one.isalnum() else chr(code) if code <= 0x10FFFF else " "

    return _ESCAPE.sub(plain, text) if "\\" in text else text


def list_words(text: str) -> frozenset[str]:
    """Every possible identifier in ``text``, also in strings and comments."""
    identifiers = set(_WORD.findall(text))
    if "\\" in text:
        identifiers.update(_WORD.findall(unescape(text)))
    return frozenset(identifiers)


def list_declared(tree: Tree, node: Node) -> Iterator[str]:
    """The names that a declaration or the parameters of a function bind."""
    if (name := node.child_by_field_name("name")) and node.type != "variable_declarator":
        return iter((tree.text(name),))
    return list_bound(tree, STRUCTURE, node)


def is_directive(node: Node) -> bool:
    """Whether a statement could be a directive such as ``"use strict"``: a string and nothing else."""
    if node.type != "expression_statement":
        return False
    children = list_children(node)
    return len(children) == 1 and children[0].type == "string"


def list_directives(body: Node) -> list[Node]:
    """The directive prologue of a program or a function body."""
    strings = []
    for statement in list_children(body):
        if statement.type == "hash_bang_line":
            continue
        if not is_directive(statement):
            break
        strings.append(statement)
    return strings


def is_strict(body: Node) -> bool:
    """Whether a program or a function body says ``"use strict"``."""
    return any(node.text is not None and node.text[1:11] == b"use strict" for node in list_directives(body))


def parse_source(source: str) -> Tree:
    """The tree of a program.

    Raises:
        DoesNotParse: the text is not JavaScript, or has markup (JSX), comments of HTML, or an arrow function that ends
            without a semicolon before ``[`` or the like.
    """
    return parse_by(make_parser(), source)


def parse_by(parser: Parser, source: str, *more: Amend) -> Tree:
    """The tree of a program, by the grammar of JavaScript or one that derives from it and takes ``more`` amendments."""
    amends = [amend] * may_amend(source) + [*more]

    def amend_all(code: bytes, root: Node) -> bytes:
        return next((text for each in amends if (text := each(code, root)) != code), code)

    tree = Tree(parser, source, amend_all if amends else None)
    if _DOUBTFUL.search(source):
        for node in walk(tree.root):
            if complaint := _find_complaint(tree, node):
                raise DoesNotParse(complaint, line=node.start_point[0] + 1)
    return tree


def _find_complaint(tree: Tree, node: Node) -> str:
    """The mistake in a node that the grammar accepts, empty if there is none."""
    if node.type == "arrow_function" and node.parent is not None and node.parent.type in _OPERATIONS:
        return "an arrow function ends without a semicolon"
    if node.type.startswith("jsx"):
        return "holds markup"
    if node.type == "html_comment" or (node.type == "<" and tree.bytes.startswith(b"<!--", node.start_byte)):
        return "holds a comment of HTML"
    return ""
