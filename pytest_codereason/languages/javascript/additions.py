"""What a writer may add to a file of JavaScript: definitions of its own, stubs of what it loads, and calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_codereason.languages.frame.additions import FilePart, list_added, read_tokens, refuse
from pytest_codereason.languages.frame.tables import split_kinds
from pytest_codereason.languages.frame.tree import Tree, walk
from pytest_codereason.languages.javascript.kept import VALUES, KeptFunctions
from pytest_codereason.languages.javascript.syntax.tree import (
    CLASSES,
    FUNCTIONS,
    GLOBALS,
    RESERVED,
    list_children,
    list_declared,
    parse_source,
    unescape,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_WHOLE = frozenset({"string", "template_string", "regex"})
#: The forms that an addition may have. No property is computed, so that all of them can be read.
_FORMS = split_kinds(
    """comment program expression_statement lexical_declaration variable_declaration variable_declarator
    function_declaration generator_function_declaration class_declaration class class_heritage class_body
    method_definition field_definition class_static_block function_expression generator_function arrow_function
    formal_parameters assignment_pattern object_assignment_pattern rest_pattern object_pattern array_pattern
    pair_pattern statement_block return_statement if_statement else_clause for_statement for_in_statement
    while_statement do_statement switch_statement switch_body switch_case switch_default break_statement
    continue_statement empty_statement try_statement catch_clause finally_clause throw_statement
    parenthesized_expression call_expression new_expression arguments member_expression optional_chain
    subscript_expression array object pair spread_element identifier property_identifier private_property_identifier
    shorthand_property_identifier shorthand_property_identifier_pattern string string_fragment escape_sequence
    template_string template_substitution number true false null undefined regex regex_pattern regex_flags this
    super unary_expression binary_expression update_expression ternary_expression assignment_expression
    augmented_assignment_expression await_expression
    yield_expression sequence_expression"""
)
#: Properties that lead from a value to its type, to the stack, or to the runtime.
_INNER = re.compile(
    r"__\w+__|constructor|prototype|(?:define|set|get)(?:Own)?Propert(?:y|ies)\w*|(?:get|set)PrototypeOf|assign|caller|"
    r"callee|stack\w*|prepareStackTrace|captureStackTrace|process|global|globalThis|mainModule|require|binding|"
    r"Function|eval|groupBy"
)
#: What names are seen within: those that a node declares itself, and those that are declared below it.
_NAMED_INSIDE = frozenset(
    {"function_expression", "generator_function", "arrow_function", "class", "for_in_statement", "catch_clause"}
)
_SCOPES = FUNCTIONS | split_kinds("statement_block for_statement for_in_statement catch_clause switch_body class_body")
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
_WRITES = frozenset({"assignment_expression", "augmented_assignment_expression"})
_EXPORT = re.compile(r"^(?:module\s*\.\s*)?exports\b")
_STARTS = re.compile(r"^if\s*\(\s*require\.main\b|^if\s*\(\s*import\.meta\b")
_PROPERTIES = frozenset(
    {
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }
)


def check_additions(before: str, after: str) -> None:
    """Refuses a program that does more than add definitions of its own, stubs and calls to a file.

    Raises:
        Refused: says which line does something else.
        DoesNotParse: a text is no program.
    """
    file, whole = parse_source(before), parse_source(after)
    statements = list_children(whole.root)
    places = list_added(
        [_make_piece(file, node) for node in list_children(file.root)],
        [_make_piece(whole, node) for node in statements],
    )
    _Check(file, whole, [statements[place] for place in places]).check()


def _make_piece(tree: Tree, node: Node) -> FilePart:
    inner = node.child_by_field_name("declaration") if node.type == "export_statement" else None
    return FilePart(read_tokens(tree, inner or node, _WHOLE), inner is None and _is_replaceable(tree, node))


def _is_replaceable(tree: Tree, node: Node) -> bool:
    """Whether a statement loads or exports something, or starts the program."""
    text = tree.text(node)
    if node.type in ("import_statement", "export_statement", "hash_bang_line") or _STARTS.match(text):
        return True
    if node.type in _DECLARATIONS:
        return all(_loads(tree, declarator) for declarator in list_children(node))
    return node.type == "expression_statement" and bool(_EXPORT.match(text))


def _loads(tree: Tree, declarator: Node) -> bool:
    value = declarator.child_by_field_name("value")
    return value is not None and tree.text(value).startswith("require(")


class _Check:
    """The look at all additions of a program."""

    def __init__(self, file: Tree, whole: Tree, added: list[Node]) -> None:
        self._tree, self._added = whole, added
        loaded = {name for node in list_children(file.root) for name in _list_loaded(file, node)}
        own = {name for node in list_children(file.root) for name in _list_top(file, node)} - loaded
        declared = {name for node in walk(file.root) for name in _list_names(file, node)}
        used = {file.text(node) for node in file.find_nodes("identifier", "shorthand_property_identifier")}
        self._taken = own | GLOBALS | RESERVED | (used - declared - loaded)
        self._readable = own | VALUES
        #: the stretches of the program in which names of the driver are seen
        self._mine: dict[str, list[tuple[int, int]]] = {}
        for one in added:
            for node in walk(one):
                for name in _list_names(whole, node):
                    scope = _find_scope(node)
                    self._mine.setdefault(name, []).append((scope.start_byte, scope.end_byte))
        self._definitions = {
            file.text(named) for node in walk(file.root) if (named := node.child_by_field_name("name")) is not None
        }

        stubs = loaded & {name for one in added for name in _list_top(whole, one)}
        self._kept = KeptFunctions(file, whole, added, stubs, self._is_mine)

    def check(self) -> None:
        for statement in self._added:
            for name in _list_top(self._tree, statement):
                if name in self._taken:
                    raise refuse(statement.start_point[0] + 1, f"gives the name {name} another meaning")
            for node in walk(statement):
                if what := self._find_objection(node):
                    raise refuse(node.start_point[0] + 1, what)
                if kept := self._kept.find(node):
                    raise refuse(node.start_point[0] + 1, f"keeps {kept} in a place that the file may call")

    def _is_mine(self, node: Node) -> bool:
        """Whether a name is one of the driver's, by where it stands."""
        spans = self._mine.get(self._tree.text(node), ())
        return any(start <= node.start_byte < end for start, end in spans)

    def _find_objection(self, node: Node) -> str:
        if not node.is_named:
            return ""
        text = self._tree.text(node)
        if node.type not in _FORMS:
            return f"has a form that no driver needs: {text[:40].splitlines()[0]}"
        if "\\" in text and node.type in _PROPERTIES | {"identifier"}:
            return f"writes {text} with an escape"
        if node.type in ("identifier", "shorthand_property_identifier"):
            return "" if text in self._readable or self._is_mine(node) else f"names {text}"
        if node.type in _PROPERTIES and _INNER.fullmatch(text):
            return "" if _is_constructor(node) else f"reaches for {text}"
        if node.type == "string" and _INNER.fullmatch(unescape(text[1:-1])) and _is_key(node):
            return f"reaches for {text}"
        if node.type == "subscript_expression" and _get_type(node, "index") not in ("number", "string"):
            return "computes the name of a property"
        if node.type == "this" and not _is_in_class(node):
            return "names this outside a class"
        if node.type == "unary_expression" and text.startswith("delete"):
            return f"deletes {text[6:40].strip()}"
        if node.type in _WRITES or (node.type == "for_in_statement" and node.child_by_field_name("kind") is None):
            target = node.child_by_field_name("left")
        else:
            target = node.child_by_field_name("argument") if node.type == "update_expression" else None
        return self._refuse_target(target) if target is not None else ""

    def _refuse_target(self, target: Node) -> str:
        text = self._tree.text(target)
        if target.type == "identifier":
            return "" if self._is_mine(target) else f"gives the name {text} another meaning"
        if target.type not in ("member_expression", "subscript_expression"):
            return f"assigns to {text[:40]}"
        holder, name = target.child_by_field_name("object"), target.child_by_field_name("property")
        foreign = holder is not None and holder.type == "identifier" and not self._is_mine(holder)
        patches = name is not None and self._tree.text(name) in self._definitions
        return f"patches {text[:40]}" if foreign or patches else ""


def _find_scope(node: Node) -> Node:
    """The node within which the names are seen that a node declares."""
    if node.type in _NAMED_INSIDE:
        return node
    outer = node.parent
    while outer is not None and outer.parent is not None and outer.type not in _SCOPES:
        outer = outer.parent
    return outer or node


def _get_type(node: Node, field: str) -> str:
    inner = node.child_by_field_name(field)
    return inner.type if inner is not None else ""


def _is_constructor(node: Node) -> bool:
    """Whether a name is that of a constructor, which a class defines."""
    return node.text == b"constructor" and node.parent is not None and node.parent.type == "method_definition"


def _is_key(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("subscript_expression", "pair", "pair_pattern")


def _is_in_class(node: Node) -> bool:
    """Whether ``this`` stands in a class, whose code is strict: ``this`` is never the global object there."""
    outer = node.parent
    while outer is not None and outer.type != "class_body":
        outer = outer.parent
    return outer is not None


def _list_loaded(tree: Tree, statement: Node) -> Iterator[str]:
    """The names that a statement gives to what it loads."""
    if statement.type == "import_statement":
        yield from (tree.text(node) for node in walk(statement) if node.type == "identifier")
    elif statement.type in _DECLARATIONS and _is_replaceable(tree, statement):
        yield from _list_top(tree, statement)


def _list_top(tree: Tree, statement: Node) -> Iterator[str]:
    """The names that a statement declares at the top of a file, those of ``var`` in its blocks among them."""
    nodes = [statement]
    while nodes:
        node = nodes.pop()
        yield from _list_names(tree, node, top=True)
        if node.type not in FUNCTIONS | CLASSES:
            nodes += node.named_children


def _list_names(tree: Tree, node: Node, *, top: bool = False) -> Iterator[str]:
    """The names that a node itself declares; with ``top`` without those of parameters."""
    if node.type == "variable_declarator":
        yield from list_declared(tree, node)
    elif node.type in FUNCTIONS | CLASSES:
        name = node.child_by_field_name("name")
        if name is not None and node.type != "method_definition":
            yield tree.text(name)
        parameter = node.child_by_field_name("parameter")
        if parameter is not None and not top:
            yield tree.text(parameter)
    elif node.type == "formal_parameters" and not top:
        yield from list_declared(tree, node)
    elif node.type == "catch_clause" and (caught := node.child_by_field_name("parameter")) is not None:
        yield from list_declared(tree, caught)
    elif node.type == "for_in_statement" and node.child_by_field_name("kind") is not None:
        left = node.child_by_field_name("left")
        if left is not None:
            yield from list_declared(tree, left)
