"""Lists the functions, statements and blocks of a Python program."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Block, Function, Span, Statement
from pytest_codereason.languages.python.syntax.binder import is_alias
from pytest_codereason.languages.python.syntax.sites import Sites, is_blank, is_docstring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from pytest_codereason.languages.frame.tree import Tree

#: The kinds of statements that are no expressions, and no operator.
_KINDS = {
    **{f"{kind}_statement": (kind, "") for kind in ("if", "while", "for", "return", "try", "with", "match", "raise")},
    **{
        f"{kind}_statement": (kind, "")
        for kind in ("assert", "delete", "pass", "break", "continue", "global", "nonlocal")
    },
    **{f"{kind}_definition": (kind, "") for kind in ("function", "class")},
    **{f"{kind}_statement": ("import", "") for kind in ("import", "import_from", "future_import")},
}
#: What stands in a block besides statements.
_NO_STATEMENTS = frozenset({"comment", "line_continuation", "case_clause"})
#: What a compound statement is made of besides expressions.
_PARTS = frozenset(
    {"block", "if_clause", "elif_clause", "else_clause", "except_clause", "finally_clause", "case_clause"}
)
_BESIDE_EXPRESSIONS = _PARTS | {"comment", "line_continuation"}
#: What may begin with a docstring.
_DOCUMENTED = frozenset({"module", "class_definition", "function_definition"})
_DEFINITIONS = frozenset({"class_definition", "function_definition"})
_COMPOUND = frozenset(f"{kind}_statement" for kind in ("if", "while", "for", "try", "with", "match", "assert"))
_LOOPS = frozenset({"for", "while"})
#: What begins with a condition.
_HOLDERS = {"if_statement": "if", "elif_clause": "if", "while_statement": "while", "assert_statement": "assert"}


#: Statements behind which nothing is reached.
_LEAVING = frozenset({"return", "raise", "break", "continue"})


class IndentedBlock(NamedTuple):
    """A block on lines of its own."""

    spans: Sequence[Span]  #: of its statements
    indent: str
    function: str
    owner: str  #: the type of what it is the body of
    fixed: int  #: how many statements at its start, docstring and future imports, must stay first


class PythonOutline:
    """One pass over the statements of a tree.

    Lambdas have no name and are no functions. A decorated definition begins at its first decorator. ``elif``
    belongs to its ``if``. Blocks stand on lines of their own: ``if x: y`` has none.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.sites = Sites(tree)
        # by a glance at the text, which saves most programs a look at every node
        self._holds_statements_only = not ("#" in tree.source or "\\" in tree.source or "case" in tree.source)
        self.functions: list[Function] = []
        self.statements: list[Statement] = []
        self.bodies: list[IndentedBlock] = []
        self.docstrings: list[Span] = []  #: of these bodies
        self.leaving: set[Span] = set()  #: statements behind which nothing is reached
        self._read_block(self._list_statements(tree.root), "module", "", "", 0)

    @cached_property
    def blocks(self) -> list[Block]:
        """Its blocks."""
        return [
            Block(Span(spans[0].start, spans[-1].end), indent, function)
            for spans, indent, function, _, _ in self.bodies
        ]

    def _list_statements(self, block: Node) -> list[Node]:
        nodes, kinds = block.named_children, self._tree.kinds
        if self._holds_statements_only:
            return nodes
        return [node for node in nodes if kinds[node.kind_id] not in _NO_STATEMENTS]

    def _read_block(self, nodes: list[Node], owner: str, function: str, qualified: str, depth: int) -> bool:
        """Reads the statements of a block, and says whether what follows one of them is never reached.

        ``qualified`` is the prefix of the names of its definitions.
        """
        if not nodes:
            return False
        tree, sites = self._tree, self.sites
        kinds, spans = tree.kinds, tree.spans(nodes)
        leaves = False
        docstring = owner in _DOCUMENTED and is_docstring(nodes[0])
        self._add_body(nodes, spans, owner, function, docstring)
        for node, span in zip(nodes, spans):  # noqa: B905 - there is a span for each node
            inner, written = node, kinds[node.kind_id]
            if written == "decorated_definition":
                inner = node.named_children[-1]
                written = kinds[inner.kind_id]
                sites.visit([c for c in node.named_children if c.type == "decorator"], span, function)
            kind, form = _KINDS.get(written) or _name_kind(node, written, kinds)
            self.statements.append(Statement(kind, span, function, depth))
            if written in _COMPOUND:
                if kind in _LOOPS:
                    sites.add("loop", span, span, function, kind)
                if self._enter_compound(node, written, span, function, qualified, depth) and kind == "if":
                    self.leaving.add(span)
                    leaves = True
            elif written in _DEFINITIONS:
                self._enter_definition(inner, written, span, function, qualified, owner == "class_definition")
            elif docstring:  # which comes first
                docstring = False
            else:
                leaves |= self._add_simple(node, span, function, kind, form)
        return leaves

    def _add_simple(self, node: Node, span: Span, function: str, kind: str, form: str) -> bool:
        """Adds the site of a statement without a block, and says whether nothing behind it is reached."""
        if form:
            self.sites.add("assignment", span, span, function, form)
        elif kind == "return":
            self.sites.add("return", span, span, function, "")
        self.sites.visited.append(([node], span, function))
        if kind not in _LEAVING:
            return False
        self.leaving.add(span)
        return True

    def _add_body(self, nodes: list[Node], spans: Sequence[Span], owner: str, function: str, docstring: bool) -> None:
        """Adds a block, unless it stands on the line of its header."""
        source, start = self._tree.source, spans[0].start
        indent = source[source.rfind("\n", 0, start) + 1 : start]
        if indent.strip(" \t\f"):
            return
        fixed = _count_fixed(nodes, docstring) if owner == "module" else int(docstring)
        self.bodies.append(IndentedBlock(spans, indent.rpartition("\f")[2], function, owner, fixed))
        if docstring:
            self.docstrings.append(spans[0])

    def _enter_definition(
        self, node: Node, written: str, span: Span, function: str, qualified: str, is_method: bool
    ) -> None:
        tree, kinds = self._tree, self._tree.kinds
        children = node.named_children
        parts = {kinds[child.kind_id]: child for child in children}
        body, text = parts["block"], tree.text(parts["identifier"])
        name = f"{qualified}.{text}" if qualified else text
        nodes = self._list_statements(body)
        self.sites.visit([child for child in children if child is not body], span, function)
        if written == "function_definition":
            first, last = (nodes[0], nodes[-1]) if nodes else (body, body)
            inside = Span(tree.at(first.start_byte), tree.at(last.end_byte))
            parameters = self._list_parameters(parts["parameters"])
            self.functions.append(Function(name, span, inside, parameters, is_method))
            function = name
        self._read_block(nodes, written, function, name, 0)

    def _list_parameters(self, parameters: Node) -> tuple[str, ...]:
        kinds, names = self._tree.kinds, []
        for parameter in parameters.named_children:
            name, kind = parameter, kinds[parameter.kind_id]
            while kind != "identifier" and not kind.endswith("separator") and (inside := name.named_children):
                name = inside[0]
                kind = kinds[name.kind_id]
            if kind == "identifier":
                names.append(self._tree.text(name))
        return tuple(names)

    def _enter_compound(self, node: Node, written: str, span: Span, function: str, qualified: str, depth: int) -> bool:
        """Reads a compound statement other than a definition, or a clause: its clauses, blocks and expressions.

        Says of an ``if`` whether the code after it is never reached: there is an ``else``, and every branch leaves.
        """
        kinds, sites = self._tree.kinds, self.sites
        parts = [(child, kinds[child.kind_id]) for child in node.named_children]
        plain = [child for child, part in parts if part not in _BESIDE_EXPRESSIONS]
        if plain:
            if holder := _HOLDERS.get(written):
                sites.add_condition(plain[0], holder, span, function)
            sites.visited.append((plain, span, function))
        leaves = written != "if_statement" or parts[-1][1] == "else_clause"
        for child, part in parts:
            if part == "block" and written != "match_statement":
                inside = self._list_statements(child)
                leaves &= self._read_block(inside, written, function, qualified, depth + 1)
            elif part == "if_clause":
                guard = next(inner for inner in child.named_children if not is_blank(inner))
                sites.add_condition(guard, "case", span, function)
                sites.visit([guard], span, function)
            elif part in _PARTS:
                leaves &= self._enter_compound(child, part, span, function, qualified, depth)
        return leaves


def _count_fixed(statements: list[Node], docstring: bool) -> int:
    """The number of statements at the start of a file before which nothing can be inserted."""
    fixed = int(docstring)
    for i, statement in enumerate(statements):
        if statement.type == "future_import_statement":
            fixed = i + 1
    return fixed


def _name_kind(node: Node, written: str, kinds: Sequence[str]) -> tuple[str, str]:
    """The kind of a simple statement and, of an assignment, its operator: ``=`` or ``+=``."""
    if written == "type_alias_statement":
        return ("declaration", "") if is_alias(node) else ("assignment", "=")
    if written != "expression_statement":
        return "other", ""
    inner = node.named_children[0]
    kind = kinds[inner.kind_id]
    if kind == "assignment":
        return ("declaration", "") if inner.child_by_field_name("right") is None else ("assignment", "=")
    if kind == "augmented_assignment":
        operator = inner.child_by_field_name("operator")
        return "assignment", operator.type if operator is not None else "="
    return "expression", ""
