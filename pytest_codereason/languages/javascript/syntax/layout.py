"""Gives a JavaScript program a uniform layout: no comments, a statement a line, four blanks a block.

A line ends only between statements and between members of a class. Every semicolon is written, so no line end has a
meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.languages.frame.layout import LaidOut, walk_tokens
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import (
    COMMENTS,
    FUNCTIONS,
    parse_source,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree

#: Nodes that end in a semicolon, written or not.
_TERMINATED = split_kinds(
    """break_statement continue_statement debugger_statement do_statement expression_statement export_statement
    field_definition import_statement lexical_declaration return_statement throw_statement
    variable_declaration"""
)
#: What stands behind ``export default`` without a semicolon.
_DEFINITIONS = frozenset({"function_expression", "generator_function", "class"})
_ATOMS = frozenset({"string", "regex", "number"})
_SKIPPED = COMMENTS | {"hash_bang_line"}
_BRACED = frozenset({"statement_block", "class_body", "switch_body"})
_CASES = frozenset({"switch_case", "switch_default"})
_STARS = frozenset({"generator_function", "generator_function_declaration", "yield_expression"})
_PREFIXED = frozenset({"unary_expression", "update_expression"})
_NAMES = frozenset({"identifier", "property_identifier", "private_property_identifier", "string", "number"})
_TIGHT_AFTER = frozenset({"(", "[", ".", "?.", "...", "@"})
_TIGHT_BEFORE = frozenset({")", "]", ",", ";", ".", "?."})


class _Token(NamedTuple):
    text: str
    type: str
    parent: str  #: the type of the node above it
    first: bool = False  #: whether it is the first there: of an operator, that it stands before its operand


class _Part(NamedTuple):
    """A node to print, and the level its lines are indented to."""

    node: Node
    parent: Node | None
    level: int


#: A number is the level of a line that begins here.
_Item = _Token | _Part | int


def normalise(source: str) -> LaidOut:
    """The program in the uniform layout, with its map."""
    # Parses anew for the map: a layout is kept for long, and would keep its tree as long.
    return LaidOut(source, _print(parse_source(source)), lambda: _find_tokens(parse_source(source)))


def _print(tree: Tree) -> str:
    printer = _LayoutPrinter()
    stack: list[_Item] = [_Part(tree.root, None, 0)]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            printer.line = item
        elif isinstance(item, _Token):
            printer.emit(item)
        else:
            stack.extend(reversed(_list_items(tree, item)))
    return "".join(printer.out) + ("\n" if printer.out else "")


def _find_tokens(tree: Tree) -> Iterator[tuple[int, int]]:
    """The spans of the tokens. A template is cut into its text and its code."""
    for node in walk_tokens(tree.root, _ATOMS | {"template_string"}, _SKIPPED):
        if node.type != "template_string":
            yield tree.span(node)
            continue
        stack: list[Node | tuple[int, int]] = [node]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                yield tree.at(item[0]), tree.at(item[1])
            elif item.type == "template_string":
                stack.extend(reversed(_cut_template(item)))
            elif item.type in _ATOMS or not item.child_count:
                if item.type not in _SKIPPED and item.end_byte > item.start_byte:
                    yield tree.span(item)
            else:
                stack.extend(reversed(item.children))


def _cut_template(node: Node) -> list[Node | tuple[int, int]]:
    """The texts of a template, as offsets in bytes, and the code between them."""
    pieces: list[Node | tuple[int, int]] = []
    at = node.start_byte
    for child in node.children:
        if child.type == "template_substitution":
            pieces += [(at, child.start_byte + 2), *child.children[1:-1]]
            at = child.end_byte - 1
    return [*pieces, (at, node.end_byte)]


@dataclass(slots=True)
class _LayoutPrinter:
    out: list[str] = field(default_factory=list)
    last: _Token | None = None
    line: int | None = None  #: level of the line that is to begin

    def emit(self, token: _Token) -> None:
        """Writes a token with the blanks before it."""
        if self.last is not None:
            self.out.append(_choose_gap(self.last, token) if self.line is None else "\n" + "    " * self.line)
        self.line = None
        self.out.append(token.text)
        self.last = token


def _list_items(tree: Tree, part: _Part) -> list[_Item]:
    """The printed parts of a node."""
    node, parent, level = part
    if node.type == "template_string":
        return _split_template(tree, part)
    if node.type in _ATOMS or not node.children:
        above = parent.type if parent is not None else ""
        first = parent is not None and parent.children[0] == node
        text = ";" if node.type == ";" else tree.text(node)  # a line end may stand for it
        return [_Token(text, node.type, above, first)] if node.end_byte > node.start_byte else []
    children = [n for n in node.children if n.type not in _SKIPPED]
    statements = {n.id for n in STRUCTURE.list_statements(node)} if node.type in STRUCTURE.sequences else set()
    braced = node.type in _BRACED and len(children) > 2
    inner = level + (braced or node.type in _CASES)
    items: list[_Item] = []
    for child in children:
        if child.id in statements or (braced and child.is_named):
            items += [inner, _Part(child, node, inner)]
        elif braced and child == children[-1]:
            items += [level, _Part(child, node, level)]
        elif _hangs(node, child):
            items += [level + 1, _Part(child, node, level + 1), level]
        else:
            items.append(_Part(child, node, inner))
    if _lacks_semicolon(node, parent, children):
        items.append(_Token(";", ";", node.type))
    return items


def _hangs(node: Node, child: Node) -> bool:
    """Whether a child is the body of a statement and has no braces."""
    if child.type == "statement_block" or not STRUCTURE.is_statement(child.type, child, node):
        return False
    if node.type == "else_clause":
        return child.type != "if_statement"
    return node.type in STRUCTURE.statements and node.type not in ("labeled_statement", "statement_block")


def _lacks_semicolon(node: Node, parent: Node | None, children: list[Node]) -> bool:
    if node.type not in _TERMINATED or children[-1].type == ";":
        return False
    if node.type == "field_definition":
        following = node.next_sibling
        while following is not None and following.type in COMMENTS:
            following = following.next_sibling
        return following is None or following.type != ";"
    if node.type == "export_statement":
        value = node.child_by_field_name("value")
        is_definition = value is not None and value.type in _DEFINITIONS
        return node.child_by_field_name("declaration") is None and not is_definition
    return STRUCTURE.is_statement(node.type, node, parent) or (parent is not None and parent.type == "export_statement")


def _split_template(tree: Tree, part: _Part) -> list[_Item]:
    """A template: the text stays, the code in it is laid out."""
    node, parent, level = part
    above = parent.type if parent is not None else ""
    items: list[_Item] = []
    at = node.start_byte
    for child in node.children:
        if child.type == "template_substitution":
            text = tree.bytes[at : child.start_byte + 2].decode()
            items.append(_Token(text, "template", above, at == node.start_byte))
            items += [_Part(n, child, level) for n in child.children[1:-1] if n.type not in _SKIPPED]
            at = child.end_byte - 1
    text = tree.bytes[at : node.end_byte].decode()
    return [*items, _Token(text, "template", above, at == node.start_byte)]


def _choose_gap(left: _Token, right: _Token) -> str:
    """The text between two tokens of a line."""
    return " " if not _is_tight(left, right) or _would_merge(left.text, right) else ""


def _is_tight(left: _Token, right: _Token) -> bool:
    if right.type == "template":
        return not right.first or right.parent == "call_expression"
    return (
        right.text in _TIGHT_BEFORE
        or left.text in _TIGHT_AFTER
        or (left.text == "{" and right.text == "}")
        or (left.type == "template" and left.text.endswith("${"))
        or (left.first and left.parent in _PREFIXED)
        or (left.text == "*" and left.parent == "method_definition")
        or _is_tight_for_its_place(left, right)
    )


def _is_tight_for_its_place(left: _Token, right: _Token) -> bool:
    """Whether a token follows without a blank in this construct."""
    match right.text:
        case "(":
            is_name = left.type in _NAMES and left.parent in FUNCTIONS
            is_definition = right.parent == "formal_parameters" and (is_name or left.parent == "computed_property_name")
            tight = right.parent == "arguments" or is_definition
        case "[":
            tight = right.parent == "subscript_expression"
        case ":":
            tight = right.parent != "ternary_expression"
        case "*":
            tight = right.parent in _STARS
        case "++" | "--":
            tight = not right.first
        case _:
            tight = False
    return tight


def _would_merge(left: str, right: _Token) -> bool:
    """Whether two texts without a blank between them would be read as something else."""
    a, b = left[-1], right.text[0]
    if right.type == "template":
        return False
    if _is_in_word(a) and _is_in_word(b):
        return True
    return (a == b and a in "+-/") or (b == "." and left.isdigit())


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in "_$\\#" or ord(character) > 127
