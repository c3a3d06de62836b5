"""Lists the functions, statements and blocks of a Java program in one walk over the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Block, Function, Span, Statement, new
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.java.syntax.escapes import parse

if TYPE_CHECKING:
    from tree_sitter import Node

CLASSES = frozenset(f"{kind}_declaration" for kind in ("class", "interface", "enum", "record", "annotation_type"))
METHODS = frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"})
COMMENTS = frozenset({"line_comment", "block_comment"})
#: Nodes whose children run one after the other.
SEQUENCES = frozenset({"block", "constructor_body", "switch_block_statement_group"})
_BODIES = frozenset({"class_body", "interface_body", "enum_body_declarations"})
_HEADERS = frozenset({"package_declaration", "import_declaration", "module_declaration", ";"})
_KINDS = {
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "enhanced_for_statement": "for",
    "return_statement": "return",
    "throw_statement": "throw",
    "break_statement": "break",
    "continue_statement": "continue",
    "yield_statement": "yield",
    "assert_statement": "assert",
    "try_statement": "try",
    "try_with_resources_statement": "try",
    "synchronized_statement": "synchronized",
    "labeled_statement": "label",
    "explicit_constructor_invocation": "expression",
    "local_variable_declaration": "declaration",
    "field_declaration": "declaration",
    "constant_declaration": "declaration",
    "expression_statement": "expression",
    "switch_expression": "switch",
    "block": "block",
}
#: Nodes that change what stands around the nodes within them.
_PARTS = CLASSES | METHODS | SEQUENCES | _BODIES | _KINDS.keys() | {"object_creation_expression"}


class JavaVisit(NamedTuple):
    """A node with the nodes around it."""

    node: Node
    function: str
    statement: Span | None  #: the innermost statement, itself where it is one
    depth: int  #: blocks around it within its function
    path: str  #: the qualified name of a class or method that begins here
    kind: str  #: the type of the node


@dataclass(slots=True)
class JavaOutline:
    """The result of the walk. ``visits`` holds every named node in the order of the source, outer nodes first."""

    tree: Tree
    visits: list[JavaVisit] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    #: the sequences that became blocks, each with the function it belongs to
    sequences: list[tuple[Node, str]] = field(default_factory=list)
    #: class bodies with the qualified names of their classes
    bodies: list[tuple[Node, str]] = field(default_factory=list)


def parse_outline(source: str) -> JavaOutline:
    """The outline of a source.

    Raises:
        DoesNotParse: the text is not Java, or an escape such as ``\\u000a`` may end a line, a string or a comment.
            Java decodes such escapes first.
    """
    result = JavaOutline(parse(source))
    for node in result.tree.root.named_children:
        if node.type not in _HEADERS | CLASSES | COMMENTS:
            line = node.start_point[0] + 1
            raise DoesNotParse(f"{node.type.replace('_', ' ')} outside a class", line=line)
    _walk(result)
    return result


class _Around(NamedTuple):
    """What stands around a node: all that the nodes within it have to know."""

    parent: str = ""  #: the type of the node above, if that is a statement or a sequence
    function: str = ""
    path: str = ""  #: what qualifies names here
    statement: Span | None = None
    depth: int = -1


def _walk(result: JavaOutline) -> None:
    tree, kinds, add = result.tree, result.tree.kinds, result.visits.append
    nodes, surroundings = [tree.root], [_Around()]
    while nodes:
        node, around = nodes.pop(), surroundings.pop()
        kind = kinds[node.kind_id]
        if kind in _PARTS:
            around = _enter(result, node, kind, around)
        else:  # most nodes are parts of expressions
            parent, function, path, statement, depth = around
            add(new(JavaVisit, (node, function, statement, depth, "", kind)))
            if parent:
                around = new(_Around, ("", function, path, statement, depth))
        if children := node.named_children:
            children.reverse()
            nodes += children
            surroundings += [around] * len(children)


def _enter(result: JavaOutline, node: Node, kind: str, around: _Around) -> _Around:
    """Notes a class, method, statement or sequence. What it gives stands around the nodes within."""
    tree = result.tree
    parent, function, path, statement, depth = around
    if kind in CLASSES and (name := node.child_by_field_name("name")):
        if parent in SEQUENCES:
            statement = _statement(result, node, "class", function, depth)
        path = _join(path, tree.text(name))
    elif kind == "object_creation_expression" and (made := node.child_by_field_name("type")):
        path = _join(path, tree.text(made).split("<")[0])
    elif kind in METHODS and (name := node.child_by_field_name("name")):
        path = _join(path, tree.text(name))
        if body := node.child_by_field_name("body"):
            function, depth, statement = path, -1, None
            result.functions.append(_make_function(tree, node, path, body))
    elif kind in _KINDS and (label := _name_statement(kind, node, parent)) is not None:
        statement = _statement(result, node, label, function, max(depth, 0))
    own_path = path if path is not around.path else ""
    result.visits.append(new(JavaVisit, (node, function, statement, depth, own_path, kind)))
    if kind in SEQUENCES:
        depth += 1
        if kind != "switch_block_statement_group" or node.named_child_count > 1:
            result.sequences.append((node, function))
            result.blocks.append(_block(tree, node, function))
    elif kind in _BODIES:
        result.bodies.append((node, path))
        # What stands in a class inside a function belongs to no function until a method begins.
        function, depth, statement = "", -1, None
    return new(_Around, (kind, function, path, statement, depth))


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _name_statement(kind: str, node: Node, parent: str) -> str | None:
    """What a statement is called; ``None`` for a node that is none of its own."""
    if kind == "local_variable_declaration" and parent == "for_statement":
        return None
    if kind == "block":
        return "block" if parent in SEQUENCES else None
    if kind == "switch_expression":
        return "switch" if parent in SEQUENCES or parent.endswith("_statement") else None
    if kind == "expression_statement":
        inner = node.named_children[0].type if node.named_children else ""
        return {"assignment_expression": "assignment", "update_expression": "assignment"}.get(inner, "expression")
    return _KINDS[kind]


def _statement(result: JavaOutline, node: Node, kind: str, function: str, depth: int) -> Span:
    span = result.tree.span(node)
    result.statements.append(new(Statement, (kind, span, function, depth)))
    return span


def list_steps(node: Node) -> list[Node]:
    """The statements of a sequence."""
    return [n for n in node.named_children if n.type not in COMMENTS and n.type != "switch_label"]


def _find_inside(tree: Tree, node: Node) -> Span:
    """The span from the first statement of a sequence to the last, or between its braces."""
    if statements := list_steps(node):
        return Span(tree.at(statements[0].start_byte), tree.at(statements[-1].end_byte))
    return Span(tree.at(node.start_byte) + 1, tree.at(node.end_byte) - 1)


def _block(tree: Tree, node: Node, function: str) -> Block:
    span = _find_inside(tree, node)
    return Block(span=span, indent=find_indent(tree, node), function=function)


def find_indent(tree: Tree, node: Node) -> str:
    """The indentation of a sequence or of a class's body."""
    for step in list_steps(node):
        at = tree.at(step.start_byte)
        blanks = tree.indent(at)
        if tree.line_start(at) + len(blanks) == at:
            return blanks
    outer = tree.indent(tree.at(node.start_byte))
    return outer + ("\t" if outer.startswith("\t") else "    ")


def _make_function(tree: Tree, node: Node, name: str, body: Node) -> Function:
    span = tree.span(node)
    parameters = node.child_by_field_name("parameters")
    return Function(
        name=name,
        span=span,
        body=_find_inside(tree, body),
        parameters=tuple(_list_parameters(tree, parameters)) if parameters else (),
        method=True,
    )


def _list_parameters(tree: Tree, node: Node) -> list[str]:
    names = []
    for parameter in node.named_children:
        holder = parameter
        if parameter.type == "spread_parameter":
            holder = parameter.named_children[-1]
        if parameter.type in ("formal_parameter", "spread_parameter") and (name := holder.child_by_field_name("name")):
            names.append(tree.text(name))
    return names
