"""Gives a JavaScript program a uniform layout: no comments, a statement a line, four blanks a block.

A line ends only between statements and between members of a class. Every semicolon is written, so no line end has a
meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.languages.frame.layout import LaidOut, walk_tokens
from pytest_codereason.languages.frame.tables import Kinds, Structure, split_kinds
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.javascript.syntax.grammar import STRUCTURE
from pytest_codereason.languages.javascript.syntax.tree import (
    COMMENTS,
    FUNCTIONS,
    parse_source,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: Nodes that end in a semicolon, written or not.
_TERMINATED = split_kinds(
    """break_statement continue_statement debugger_statement do_statement expression_statement export_statement
    field_definition import_statement lexical_declaration return_statement throw_statement
    variable_declaration"""
)
#: What stands behind ``export default`` without a semicolon.
_DEFINITIONS = frozenset({"function_expression", "generator_function", "class"})
#: What holds a statement that is none of a sequence.
_HOLDING = frozenset({"export_statement", "ambient_declaration"})
_ATOMS = frozenset({"string", "regex", "number"})
_SKIPPED = COMMENTS | {"hash_bang_line"}
_CASES = frozenset({"switch_case", "switch_default"})
_CHOICES = frozenset({"ternary_expression", "conditional_type"})
_STARS = frozenset({"generator_function", "generator_function_declaration", "yield_expression"})
_PREFIXED = frozenset({"unary_expression", "update_expression"})
_NAMES = frozenset({"identifier", "property_identifier", "private_property_identifier", "string", "number"})
_TIGHT_AFTER = frozenset({"(", "[", ".", "?.", "...", "@"})
_TIGHT_BEFORE = frozenset({")", "]", ",", ";", ".", "?."})


class LayoutToken(NamedTuple):
    """A token to print."""

    text: str
    type: str
    parent: str  #: the type of the node above it
    first: bool = False  #: whether it is the first there: of an operator, that it stands before its operand


class _Part(NamedTuple):
    """A node to print, and the level its lines are indented to."""

    node: Node
    parent: Node | None
    level: int


def _is_never(left: LayoutToken, right: LayoutToken) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutRules:
    """What differs between JavaScript and a language that derives from it."""

    parse: Callable[[str], Tree] = parse_source
    structure: Structure = STRUCTURE
    terminated: Kinds = _TERMINATED
    whole: Kinds = _ATOMS  #: what is printed as it stands
    members: Kinds = frozenset({"field_definition"})  #: of those, what has its semicolon beside it
    braced: Kinds = frozenset({"statement_block", "class_body", "switch_body"})
    is_tight: Callable[[LayoutToken, LayoutToken], bool] = (
        _is_never  #: whether a token follows without a blank, besides
    )


_RULES = LayoutRules()

#: A number is the level of a line that begins here.
_Item = LayoutToken | _Part | int


def normalise(source: str, rules: LayoutRules = _RULES) -> LaidOut:
    """The program in the uniform layout, with its map."""
    # Parses anew for the map: a layout is kept for long, and would keep its tree as long.
    return LaidOut(source, _print(rules.parse(source), rules), lambda: _find_tokens(rules.parse(source), rules.whole))


def _print(tree: Tree, rules: LayoutRules) -> str:
    printer = _LayoutPrinter(rules)
    stack: list[_Item] = [_Part(tree.root, None, 0)]
    while stack:
        item = stack.pop()
        if isinstance(item, int):
            printer.line = item
        elif isinstance(item, LayoutToken):
            printer.emit(item)
        else:
            stack.extend(reversed(_list_items(tree, item, rules)))
    return "".join(printer.out) + ("\n" if printer.out else "")


def _find_tokens(tree: Tree, whole: Kinds) -> Iterator[tuple[int, int]]:
    """The spans of the tokens. A template is cut into its text and its code."""
    for node in walk_tokens(tree.root, whole | {"template_string"}, _SKIPPED):
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
            elif item.type in whole or not item.child_count:
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
    rules: LayoutRules
    out: list[str] = field(default_factory=list)
    last: LayoutToken | None = None
    line: int | None = None  #: level of the line that is to begin

    def emit(self, token: LayoutToken) -> None:
        """Writes a token with the blanks before it."""
        if self.last is not None:
            self.out.append(
                _choose_gap(self.last, token, self.rules) if self.line is None else "\n" + "    " * self.line
            )
        self.line = None
        self.out.append(token.text)
        self.last = token


def _list_items(tree: Tree, part: _Part, rules: LayoutRules) -> list[_Item]:
    """The printed parts of a node."""
    node, parent, level = part
    if node.type == "template_string":
        return _split_template(tree, part)
    if node.type in rules.whole or not node.children:
        above = parent.type if parent is not None else ""
        first = parent is not None and parent.children[0] == node
        text = ";" if node.type == ";" else tree.text(node)  # a line end may stand for it
        return [LayoutToken(text, node.type, above, first)] if node.end_byte > node.start_byte else []
    children = [n for n in node.children if n.type not in _SKIPPED]
    structure = rules.structure
    statements = {n.id for n in structure.list_statements(node)} if node.type in structure.sequences else set()
    braced = node.type in rules.braced and len(children) > 2
    inner = level + (braced or node.type in _CASES)
    items: list[_Item] = []
    for child in children:
        if child.id in statements or (braced and child.is_named):
            items += [inner, _Part(child, node, inner)]
        elif braced and child == children[-1]:
            items += [level, _Part(child, node, level)]
        elif _hangs(node, child, structure):
            items += [level + 1, _Part(child, node, level + 1), level]
        else:
            items.append(_Part(child, node, inner))
    if _lacks_semicolon(node, parent, children, rules):
        items.append(LayoutToken(";", ";", node.type))
    return items


def _hangs(node: Node, child: Node, structure: Structure) -> bool:
    """Whether a child is the body of a statement and has no braces."""
    if child.type == "statement_block" or not structure.is_statement(child.type, child, node):
        return False
    if node.type == "else_clause":
        return child.type != "if_statement"
    return node.type in structure.statements and node.type not in ("labeled_statement", "statement_block")


def _lacks_semicolon(node: Node, parent: Node | None, children: list[Node], rules: LayoutRules) -> bool:
    if node.type not in rules.terminated or children[-1].type == ";":
        return False
    if node.type in rules.members:
        following = node.next_sibling
        while following is not None and following.type in COMMENTS:
            following = following.next_sibling
        return following is None or following.type not in (";", ",")
    if node.type == "export_statement":
        value = node.child_by_field_name("value")
        is_definition = value is not None and value.type in _DEFINITIONS
        return node.child_by_field_name("declaration") is None and not is_definition
    return rules.structure.is_statement(node.type, node, parent) or (parent is not None and parent.type in _HOLDING)


def _split_template(tree: Tree, part: _Part) -> list[_Item]:
    """A template: the text stays, the code in it is laid out."""
    node, parent, level = part
    above = parent.type if parent is not None else ""
    items: list[_Item] = []
    at = node.start_byte
    for child in node.children:
        if child.type == "template_substitution":
            text = tree.bytes[at : child.start_byte + 2].decode()
            items.append(LayoutToken(text, "template", above, at == node.start_byte))
            items += [_Part(n, child, level) for n in child.children[1:-1] if n.type not in _SKIPPED]
            at = child.end_byte - 1
    text = tree.bytes[at : node.end_byte].decode()
    return [*items, LayoutToken(text, "template", above, at == node.start_byte)]


def _choose_gap(left: LayoutToken, right: LayoutToken, rules: LayoutRules) -> str:
    """The text between two tokens of a line."""
    return " " if not (_is_tight(left, right) or rules.is_tight(left, right)) or _would_merge(left.text, right) else ""


def _is_tight(left: LayoutToken, right: LayoutToken) -> bool:
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


def _is_tight_for_its_place(left: LayoutToken, right: LayoutToken) -> bool:
    """Whether a token follows without a blank in this construct."""
    match right.text:
        case "(":
            is_name = left.type in _NAMES and left.parent in FUNCTIONS
            is_definition = right.parent == "formal_parameters" and (is_name or left.parent == "computed_property_name")
            tight = right.parent == "arguments" or is_definition
        case "[":
            tight = right.parent == "subscript_expression"
        case ":":
            tight = right.parent not in _CHOICES
        case "*":
            tight = right.parent in _STARS
        case "++" | "--":
            tight = not right.first
        case _:
            tight = False
    return tight


def _would_merge(left: str, right: LayoutToken) -> bool:
    """Whether two texts without a blank between them would be read as something else."""
    a, b = left[-1], right.text[0]
    if right.type == "template":
        return False
    if _is_in_word(a) and _is_in_word(b):
        return True
    return (a == b and a in "+-/") or (b == "." and left.isdigit())


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character in "_$\\#" or ord(character) > 127
