"""Lists the functions, statements and blocks of a Python program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core.structure import Block, Function, Span, Statement, new
from pytest_codereason.languages.python.syntax.binder import is_alias
from pytest_codereason.languages.python.syntax.sites import Sites, is_docstring

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from pytest_codereason.languages.shared.tree import Tree

KINDS = {
    **{f"{kind}_statement": kind for kind in ("if", "while", "for", "return", "try", "with", "match", "raise")},
    **{f"{kind}_statement": kind for kind in ("assert", "delete", "pass", "break", "continue", "global", "nonlocal")},
    **{f"{kind}_definition": kind for kind in ("function", "class")},
    **{f"{kind}_statement": "import" for kind in ("import", "import_from", "future_import")},
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
_COMPOUND = frozenset(f"{kind}_statement" for kind in ("if", "while", "for", "try", "with", "match", "assert"))
#: What begins with a condition.
_HOLDERS = {"if_statement": "if", "elif_clause": "if", "while_statement": "while", "assert_statement": "assert"}


#: The statements of a block: nodes, where they stand, their kinds (as :attr:`Statement.kind` has them), the type of
#: what the block is the body of, and whether the first of them is a docstring.
Suite = tuple[list["Node"], list[Span], list[str], str, bool]


class PythonOutline:
    """One pass over the statements of a tree.

    Lambdas have no name and are no functions. A decorated definition begins at its first decorator. ``elif``
    belongs to its ``if``. Blocks stand on lines of their own: ``if x: y`` has none.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.sites = Sites(tree)
        self.functions: list[Function] = []
        self.statements: list[Statement] = []
        self.blocks: list[Block] = []
        self.suites: list[Suite] = []  #: of each of these blocks
        self._block(self._make_suite(tree.root, "module"), "", "", 0)

    def _make_suite(self, node: Node, owner: str) -> Suite:
        kinds = self._tree.kinds
        statements = [child for child in node.named_children if kinds[child.kind_id] not in _NO_STATEMENTS]
        docstring = owner in _DOCUMENTED and bool(statements) and is_docstring(statements[0])
        return statements, self._tree.spans(statements), [], owner, docstring

    def _block(self, suite: Suite, function: str, qualified: str, depth: int) -> None:
        """Reads a block. ``qualified`` is the prefix of the names of its definitions."""
        statements, spans, kinds, owner, docstring = suite
        if not statements:
            return
        start = spans[0].start
        indent = self._tree.source[self._tree.line_start(start) : start]
        if not indent.strip(" \t\f"):
            inside = new(Span, (start, spans[-1].end))
            self.blocks.append(new(Block, (inside, indent.rpartition("\f")[2], function)))
            self.suites.append(suite)
        for statement, span in zip(statements, spans, strict=True):
            kinds.append(self._statement(statement, span, owner, function, qualified, depth, docstring))
            docstring = False

    def _statement(
        self, node: Node, span: Span, owner: str, function: str, qualified: str, depth: int, docstring: bool
    ) -> str:
        kinds, inner, operator = self._tree.kinds, node, ""
        written = kinds[node.kind_id]
        if written == "decorated_definition":
            inner = node.named_children[-1]
            written = kinds[inner.kind_id]
        kind = KINDS.get(written, "")
        if not kind:
            kind, operator = _name_kind(inner, kinds)
        self.statements.append(new(Statement, (kind, span, function, depth)))
        sites = self.sites
        sites.enter(span, function)
        if kind == "return":
            sites.add("return", span, "")
        elif kind == "assignment":
            sites.add("assignment", span, operator)
        elif kind in {"for", "while"}:
            sites.add("loop", span, kind)
        if kind in {"function", "class"}:
            if inner is not node:
                sites.expressions([c for c in node.named_children if c.type == "decorator"])
            self._enter_definition(inner, span, function, qualified, owner == "class_definition")
        elif written in _COMPOUND:
            self._enter_compound(node, span, function, qualified, depth)
        elif not docstring:
            sites.expressions([node])
        return kind

    def _enter_definition(self, node: Node, span: Span, function: str, qualified: str, method: bool) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        assert name_node is not None
        assert body is not None
        text = self._tree.text(name_node)
        name = f"{qualified}.{text}" if qualified else text
        kinds = self._tree.kinds
        kind = kinds[node.kind_id]
        is_function = kind == "function_definition"
        suite = self._make_suite(body, kind)
        if is_function:
            spans = suite[1]
            inside = Span(spans[0].start, spans[-1].end) if spans else self._tree.span(body)
            self.functions.append(Function(name, span, inside, tuple(self._list_parameters(node)), method))
        self.sites.expressions([child for child in node.named_children if kinds[child.kind_id] != "block"])
        self._block(suite, name if is_function else function, name, 0)

    def _list_parameters(self, node: Node) -> list[str]:
        parameters = node.child_by_field_name("parameters")
        names = []
        for parameter in parameters.named_children if parameters is not None else ():
            name = parameter
            while name.type != "identifier" and name.named_children and not name.type.endswith("separator"):
                name = name.named_children[0]
            if name.type == "identifier":
                names.append(self._tree.text(name))
        return names

    def _enter_compound(self, node: Node, span: Span, function: str, qualified: str, depth: int) -> None:
        """Reads a compound statement other than a definition: its clauses, its blocks and its expressions."""
        kinds = self._tree.kinds
        kind = kinds[node.kind_id]
        parts = [(child, kinds[child.kind_id]) for child in node.named_children]
        plain = [child for child, part in parts if part not in _BESIDE_EXPRESSIONS]
        if holder := _HOLDERS.get(kind):
            self.sites.condition(plain[0], holder)
        self.sites.expressions(plain)
        for child, part in parts:
            if part == "block" and kind != "match_statement":
                self._block(self._make_suite(child, kind), function, qualified, depth + 1)
                self.sites.enter(span, function)
            elif part == "if_clause":
                self.sites.guard(child)
            elif part in _PARTS:
                self._enter_compound(child, span, function, qualified, depth)


def _name_kind(node: Node, kinds: Sequence[str]) -> tuple[str, str]:
    """The kind of a simple statement and, of an assignment, its operator: ``=`` or ``+=``."""
    written = kinds[node.kind_id]
    if written == "type_alias_statement":
        return ("declaration", "") if is_alias(node) else ("assignment", "=")
    if written != "expression_statement":
        return "other", ""
    inner = node.named_children[0]
    match kinds[inner.kind_id]:
        case "assignment":
            return ("declaration", "") if inner.child_by_field_name("right") is None else ("assignment", "=")
        case "augmented_assignment":
            operator = inner.child_by_field_name("operator")
            return "assignment", operator.type if operator is not None else "="
    return "expression", ""
