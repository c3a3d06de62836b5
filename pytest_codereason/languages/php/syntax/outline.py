"""Lists the functions, statements and blocks of a PHP program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Block, Function, Span, Statement, new
from pytest_codereason.languages.php.syntax.tree import FUNCTIONS, PHPTree, list_children, name_function

if TYPE_CHECKING:
    from tree_sitter import Node

#: What a statement's kind is called. ``echo`` and ``unset`` are expressions in all but name.
STATEMENTS = {
    "break_statement": "break",
    "class_declaration": "class",
    "compound_statement": "block",
    "const_declaration": "declaration",
    "continue_statement": "continue",
    "declare_statement": "other",
    "do_statement": "do",
    "echo_statement": "expression",
    "empty_statement": "other",
    "enum_declaration": "class",
    "exit_statement": "expression",
    "expression_statement": "expression",
    "for_statement": "for",
    "foreach_statement": "for",
    "function_definition": "function",
    "function_static_declaration": "declaration",
    "global_declaration": "declaration",
    "goto_statement": "other",
    "if_statement": "if",
    "interface_declaration": "class",
    "named_label_statement": "other",
    "namespace_definition": "other",
    "namespace_use_declaration": "import",
    "return_statement": "return",
    "switch_statement": "switch",
    "trait_declaration": "class",
    "try_statement": "try",
    "unset_statement": "expression",
    "while_statement": "while",
}
#: Nodes that hold a list of statements; of a case, what follows the colon.
LISTS = frozenset({"program", "compound_statement", "colon_block", "case_statement", "default_statement"})
ASSIGNMENTS = frozenset(
    {
        "assignment_expression",
        "augmented_assignment_expression",
        "reference_assignment_expression",
        "update_expression",
    }
)
#: Code that has no name of its own and sees no variables of the function around it.
_HOOKS = frozenset({"property_hook"})
#: Nodes that may change the place, or that the outline lists.
_FRAMING = frozenset({*STATEMENTS, *LISTS, *FUNCTIONS, *_HOOKS})
_COMPOUND = frozenset({"if", "while", "do", "for", "switch", "try", "block"})


class PHPPlace(NamedTuple):
    """The surroundings of a node: function, statement, block."""

    function: str = ""  #: qualified name of the innermost function that has one
    depth: int = 0
    statement: Span | None = None
    #: those of the innermost function, with a name or without, and those of functions around it that it shares
    parameters: tuple[str, ...] = ()


class PHPVisit(NamedTuple):
    """A named node, its parent, and its surroundings."""

    node: Node
    parent: Node | None
    place: PHPPlace
    kind: str  #: the type of the node


class PHPNameless(NamedTuple):
    """A closure without a name, or other code of that kind with variables of its own."""

    span: Span
    own: tuple[str, ...]  #: its parameters
    parameters: tuple[str, ...]  #: the parameters that can be read in it: its own, and those of functions around it
    captured: frozenset[str] | None  #: what it sees of the variables around it; ``None`` if it sees all

    def sees(self, name: str) -> bool:
        """Whether a name means here what it means around it."""
        return name not in self.own and (self.captured is None or name in self.captured)


@dataclass(slots=True)
class PHPOutline:
    """The results of one walk over a tree.

    A closure has the name of the variable that it is assigned to. Blocks are braces, alternative syntax, cases, and the
    program itself.
    """

    tree: PHPTree
    functions: list[Function] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    visits: list[PHPVisit] = field(default_factory=list)
    lists: list[PHPVisit] = field(default_factory=list)  #: the nodes behind ``blocks``
    nameless: list[PHPNameless] = field(default_factory=list)  #: outer before inner

    @classmethod
    def of(cls, tree: PHPTree) -> PHPOutline:
        """The outline of a tree."""
        outline, kinds = cls(tree), tree.kinds
        add, enter = outline.visits.append, outline._enter
        stack: list[tuple[Node, Node | None, PHPPlace]] = [(tree.root, None, PHPPlace())]
        while stack:
            node, parent, place = stack.pop()
            kind = kinds[node.kind_id]
            if kind == "comment":
                continue
            if kind in _FRAMING:
                place = enter(kind, node, parent, place)
            else:
                add(new(PHPVisit, (node, parent, place, kind)))
            if children := node.named_children:
                children.reverse()
                stack += [(child, node, place) for child in children]
        return outline

    def _enter(self, kind: str, node: Node, parent: Node | None, place: PHPPlace) -> PHPPlace:
        """Notes a node. Returns the place of its children."""
        if kind in STATEMENTS and is_statement(node, parent):
            place = self._statement(kind, node, parent, place)
        self.visits.append(new(PHPVisit, (node, parent, place, kind)))
        if kind in LISTS:
            self.lists.append(self.visits[-1])
            self.blocks.append(self._block(node, place))
        elif kind in FUNCTIONS:
            place = self._enter_function(node, place)
        elif kind in _HOOKS:
            place = self._enter_nameless(place, PHPNameless(self.tree.span(node), (), (), frozenset()))
        return place

    def _statement(self, type_: str, node: Node, parent: Node | None, place: PHPPlace) -> PHPPlace:
        span, kind = self.tree.span(node), STATEMENTS[type_]
        if type_ == "expression_statement" and (children := list_children(node)):
            inner = children[0].type
            kind = "assignment" if inner in ASSIGNMENTS else "throw" if inner == "throw_expression" else kind
        self.statements.append(new(Statement, (kind, span, place.function, place.depth)))
        deeper = kind in _COMPOUND and (parent is None or parent.type != "else_clause")
        return new(PHPPlace, (place.function, place.depth + deeper, span, place.parameters))

    def _block(self, node: Node, place: PHPPlace) -> Block:
        span = measure_statement(self.tree, node)
        indent = self.tree.indent(span.start)
        if not list_statements(node) and node.type != "program":
            indent += "    "
        return Block(span=span, indent=indent, function=place.function)

    def _enter_function(self, node: Node, place: PHPPlace) -> PHPPlace:
        own, body = name_function(node, self.tree), node.child_by_field_name("body")
        if not own:
            return self._enter_nameless(place, self._read_closure(node, place))
        parameters = self._list_parameters(node)
        name = f"{place.function}.{own}" if place.function else own
        if body is not None:
            span = self.tree.span(node)
            self.functions.append(
                Function(
                    name=name,
                    span=span,
                    body=measure_statement(self.tree, body) if body.type in LISTS else self.tree.span(body),
                    parameters=parameters,
                    method=node.type == "method_declaration",
                )
            )
        return PHPPlace(name if body is not None else place.function, 0, place.statement, parameters)

    def _enter_nameless(self, place: PHPPlace, nameless: PHPNameless) -> PHPPlace:
        self.nameless.append(nameless)
        return place._replace(parameters=nameless.parameters)

    def _list_parameters(self, node: Node) -> tuple[str, ...]:
        parameters = node.child_by_field_name("parameters")
        if parameters is None:
            return ()
        names = [parameter.child_by_field_name("name") for parameter in list_children(parameters)]
        return tuple(self.tree.text(name).lstrip("&$. ") for name in names if name is not None)

    def _read_closure(self, closure: Node, around: PHPPlace) -> PHPNameless:
        """A closure without a name. It reads its own parameters, and those that it captures."""
        own, captured = self._list_parameters(closure), None
        if closure.type == "anonymous_function":
            clauses = [child for child in closure.named_children if child.type == "anonymous_function_use_clause"]
            used = (self.tree.text(name).lstrip("&$ ") for clause in clauses for name in list_children(clause))
            captured = frozenset(used)
        nameless = PHPNameless(self.tree.span(closure), own, (), captured)
        return nameless._replace(parameters=(*own, *filter(nameless.sees, around.parameters)))


def is_statement(node: Node, parent: Node | None) -> bool:
    """Whether a node is a statement of its own: not the body of another statement and not a member of a class."""
    if parent is None or parent.type in ("declaration_list", "enum_declaration_list"):
        return False
    return node.type != "compound_statement" or parent.type in LISTS


def list_statements(node: Node) -> list[Node]:
    """The statements in one of the :data:`LISTS`."""
    return [n for n in node.named_children if n.type in STATEMENTS]


def measure_statement(tree: PHPTree, node: Node) -> Span:
    """The span from the first statement of a list to the last. In an empty list, the place of the first."""
    if statements := list_statements(node):
        return Span(tree.at(statements[0].start_byte), tree.at(statements[-1].end_byte))
    if node.type == "compound_statement":
        return Span(tree.at(node.start_byte) + 1, tree.at(node.end_byte) - 1)
    if node.type == "program":
        return Span(len(tree.source), len(tree.source))
    end = tree.at(node.end_byte)
    return Span(end, end)
