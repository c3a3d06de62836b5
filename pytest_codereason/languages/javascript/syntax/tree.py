"""Parses JavaScript, and lists its words and types of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.syntax.amending import amend, may_amend

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


def read_words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


#: Words that cannot name a variable in some context, and those that read as if they could not.
RESERVED = read_words(
    """arguments async await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function get if implements import in instanceof interface let new null of package private
    protected public return set static super switch this throw true try typeof var void while with yield"""
)
#: What a runtime offers without a declaration, the names that node wraps around a file among them.
GLOBALS = read_words(
    """Array ArrayBuffer BigInt Boolean Buffer DataView Date Error Function Infinity JSON Map Math NaN Number Object
    Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError WeakMap WeakSet
    __dirname __filename clearInterval clearTimeout console escape exports global globalThis isFinite isNaN
    module parseFloat parseInt process queueMicrotask require self setImmediate setInterval setTimeout
    structuredClone undefined unescape window"""
)

FUNCTIONS = read_words(
    """function_declaration generator_function_declaration function_expression generator_function arrow_function
    method_definition"""
)
FUNCTION_DECLARATIONS = frozenset({"function_declaration", "generator_function_declaration"})
CLASSES = frozenset({"class_declaration", "class"})
#: Values that take the name they are given to, where they have none of their own.
NAMED_VALUES = frozenset({"function_expression", "generator_function", "arrow_function", "class"})
COMMENTS = frozenset({"comment"})
#: Statements, by the kind that is said of each.
STATEMENTS = {
    "break_statement": "break",
    "class_declaration": "class",
    "continue_statement": "continue",
    "debugger_statement": "other",
    "do_statement": "do",
    "empty_statement": "other",
    "export_statement": "export",
    "expression_statement": "expression",
    "for_in_statement": "for",
    "for_statement": "for",
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "if_statement": "if",
    "import_statement": "import",
    "labeled_statement": "other",
    "lexical_declaration": "declaration",
    "return_statement": "return",
    "statement_block": "block",
    "switch_statement": "switch",
    "throw_statement": "throw",
    "try_statement": "try",
    "variable_declaration": "declaration",
    "while_statement": "while",
    "with_statement": "other",
}
#: Nodes that hold a list of statements; of a case, what follows the colon.
LISTS = frozenset({"program", "statement_block", "switch_case", "switch_default"})
ASSIGNMENTS = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})

#: Where a part of a pattern has the names, and not a default or a key.
_BINDING_FIELD = {
    "variable_declarator": "name",
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
    "pair_pattern": "value",
}

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


def list_children(node: Node) -> list[Node]:
    """The named children of a node, without comments."""
    return [n for n in node.named_children if n.type not in COMMENTS]


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
        yield tree.text(name)
        return
    stack = [node]
    while stack:
        pattern = stack.pop()
        if pattern.type in ("identifier", "undefined", "shorthand_property_identifier_pattern"):
            yield tree.text(pattern)
        elif field := _BINDING_FIELD.get(pattern.type):
            stack.extend(filter(None, [pattern.child_by_field_name(field)]))
        else:
            stack.extend(reversed(list_children(pattern)))


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
    tree = Tree(make_parser(), source, amend if may_amend(source) else None)
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
