"""Lists the functions, statements and blocks of a JavaScript program, in a first walk over its tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Block, Function, Span, Statement, new
from pytest_codereason.languages.javascript.syntax.tree import (
    ASSIGNMENTS,
    CLASSES,
    COMMENTS,
    FUNCTIONS,
    LISTS,
    NAMED_VALUES,
    STATEMENTS,
    list_children,
    list_declared,
    read_words,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree

#: Nodes that have a value under a name, with the field of the name; a function or class there goes by that name.
_NAMING = {
    "variable_declarator": "name",
    "assignment_expression": "left",
    "pair": "key",
    "field_definition": "property",
}
#: Statements whose inner statements stand one block deeper.
_COMPOUND = read_words(
    """do_statement for_in_statement for_statement if_statement switch_statement try_statement while_statement
    with_statement"""
)
#: Nodes that may change the frame, or that the outline lists.
_FRAMING = frozenset({*STATEMENTS, *LISTS, *FUNCTIONS, *CLASSES, "object"})


class JavaScriptFrame(NamedTuple):
    """The surroundings of a node: function, statement, block."""

    path: str = ""  #: qualified name of the innermost function, class or named object
    function: str = ""  #: qualified name of the innermost named function
    depth: int = 0
    statement: Span | None = None


class JavaScriptVisit(NamedTuple):
    """A named node, its surroundings, and its parent."""

    node: Node
    parent: Node | None
    frame: JavaScriptFrame
    kind: str  #: the type of the node


@dataclass(slots=True)
class JavaScriptOutline:
    """A program's functions, statements and blocks, with every named node but comments.

    Functions are also methods, and closures that a variable or property names. The statements behind a ``case`` are one
    block.
    """

    tree: Tree
    functions: list[Function] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    visits: list[JavaScriptVisit] = field(default_factory=list)
    #: the lists of statements behind ``blocks``, with the frame of what stands in them
    lists: list[tuple[Node, JavaScriptFrame]] = field(default_factory=list)
    #: of each function node, the qualified name of the function its code belongs to
    owners: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: Tree) -> JavaScriptOutline:
        """The outline of a tree."""
        outline, kinds = cls(tree), tree.kinds
        add, enter = outline.visits.append, outline._enter
        stack: list[tuple[Node, Node | None, JavaScriptFrame]] = [(tree.root, None, JavaScriptFrame())]
        while stack:
            node, parent, frame = stack.pop()
            kind = kinds[node.kind_id]
            if kind in COMMENTS:
                continue
            if kind in _FRAMING:
                frame = enter(kind, node, parent, frame)
            else:
                add(new(JavaScriptVisit, (node, parent, frame, kind)))
            if children := node.named_children:
                children.reverse()
                stack += [(child, node, frame) for child in children]
        return outline

    def _enter(self, kind: str, node: Node, parent: Node | None, frame: JavaScriptFrame) -> JavaScriptFrame:
        """Notes a node. Returns the frame of its children."""
        if kind in STATEMENTS and is_statement(node, parent):
            frame = self._statement(kind, node, parent, frame)
        self.visits.append(new(JavaScriptVisit, (node, parent, frame, kind)))
        if kind in LISTS:
            self._block(node, frame)
        elif kind in FUNCTIONS:
            frame = self._enter_function(kind, node, parent, frame)
        elif kind in CLASSES:
            own = node.child_by_field_name("name")
            name = self.tree.text(own) if own else self._find_given_name(kind, parent)
            frame = frame._replace(path=_qualify(frame.path, name))
        elif kind == "object" and (name := self._find_given_name(kind, parent)):
            frame = frame._replace(path=_qualify(frame.path, name))
        return frame

    def _statement(self, kind: str, node: Node, parent: Node | None, frame: JavaScriptFrame) -> JavaScriptFrame:
        span = self.tree.span(node)
        self.statements.append(new(Statement, (_name_kind(kind, node), span, frame.function, frame.depth)))
        deeper = kind == "statement_block" or (kind in _COMPOUND and (parent is None or parent.type != "else_clause"))
        return new(JavaScriptFrame, (frame.path, frame.function, frame.depth + deeper, span))

    def _block(self, node: Node, frame: JavaScriptFrame) -> None:
        self.lists.append((node, frame))
        statements = list_statements(node)
        if statements:
            span = Span(self.tree.at(statements[0].start_byte), self.tree.at(statements[-1].end_byte))
            indent = self.tree.indent(span.start)
        else:
            span = find_hollow(self.tree, node)
            indent = self.tree.indent(span.start) + ("" if node.type == "program" else "    ")
        self.blocks.append(Block(span=span, indent=indent, function=frame.function))

    def _enter_function(self, kind: str, node: Node, parent: Node | None, frame: JavaScriptFrame) -> JavaScriptFrame:
        own = node.child_by_field_name("name")
        name = _read_property_name(self.tree, own) if own else self._find_given_name(kind, parent)
        qualified = _qualify(frame.path, name) if name else frame.function
        self.owners[node.id] = qualified
        if name:
            span = self.tree.span(node)
            parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
            self.functions.append(
                Function(
                    name=qualified,
                    span=span,
                    body=self._body(node),
                    parameters=tuple(list_declared(self.tree, parameters)) if parameters else (),
                    method=kind == "method_definition",
                )
            )
            return JavaScriptFrame(qualified, qualified, 0, frame.statement)
        return frame

    def _find_given_name(self, kind: str, parent: Node | None) -> str:
        """The name that the node above gives to a value of this kind, if the name is plain: ``f``, ``exports.f``."""
        if parent is None or parent.type not in _NAMING or (kind != "object" and kind not in NAMED_VALUES):
            return ""
        target = parent.child_by_field_name(_NAMING[parent.type])
        return _read_property_name(self.tree, target) if target else ""

    def _body(self, node: Node) -> Span:
        body = node.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return self.tree.span(body or node)
        statements = list_statements(body)
        if not statements:
            return find_hollow(self.tree, body)
        return Span(self.tree.at(statements[0].start_byte), self.tree.at(statements[-1].end_byte))


def is_statement(node: Node, parent: Node | None) -> bool:
    """Whether a node is a statement of its own: not a part of another's header, not a body, not a declaration
    after ``export``.
    """
    if parent is None:
        return False
    if node.type == "statement_block":
        return parent.type in LISTS
    if parent.type == "export_statement":
        return False
    return parent.type != "for_statement" or node == parent.child_by_field_name("body")


def list_statements(node: Node) -> list[Node]:
    """The statements in one of the :data:`LISTS`."""
    inner_statements = [n for n in list_children(node) if n.type in STATEMENTS]
    value = node.child_by_field_name("value") if node.type == "switch_case" else None
    return [n for n in inner_statements if n != value]


def find_hollow(tree: Tree, node: Node) -> Span:
    """The place of the first statement of an empty list: between the braces or after the colon."""
    if node.type == "program":
        return Span(len(tree.source), len(tree.source))
    if node.type == "statement_block":
        return Span(tree.at(node.start_byte) + 1, tree.at(node.end_byte) - 1)
    end = tree.at(node.end_byte)
    return Span(end, end)


def _name_kind(kind: str, node: Node) -> str:
    if kind == "expression_statement":
        children = list_children(node)
        return "assignment" if children and children[0].type in ASSIGNMENTS else "expression"
    return STATEMENTS[kind]


def _read_property_name(tree: Tree, node: Node) -> str:
    """The name of a property, empty if it is computed."""
    if node.type == "string":
        return tree.text(node)[1:-1]
    if node.type == "member_expression":
        text = tree.text(node)
        return text if text.replace(".", "").replace("_", "").replace("$", "").isalnum() else ""
    if node.type in ("computed_property_name", "subscript_expression", "object_pattern", "array_pattern"):
        return ""
    return tree.text(node)


def _qualify(path: str, name: str) -> str:
    return f"{path}.{name}" if path and name else path or name
