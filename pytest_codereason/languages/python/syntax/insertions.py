"""Finds where lines can be inserted into a Python program, and which definitions can be moved."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

from pytest_codereason.core.structure import Insertion, Place, Span, Unit, new
from pytest_codereason.languages.python.syntax.bindings import TRANSPARENT
from pytest_codereason.languages.python.syntax.outline import KINDS, PythonOutline
from pytest_codereason.languages.python.syntax.sites import is_blank

if TYPE_CHECKING:
    from tree_sitter import Node

    from pytest_codereason.languages.shared.tree import Tree

#: Statements behind which nothing is reached.
_LEAVING = frozenset({"return", "raise", "break", "continue"})
#: Statements at whose turn nothing runs that could use a definition beside them.
_INERT = frozenset({"import_statement", "import_from_statement", "future_import_statement", "pass_statement"})
#: What stands directly in a file or a class.
_PLACES: Mapping[str, Place] = {"module": "top", "class_definition": "member"}
_LITERALS = frozenset({"integer", "float", "string", "true", "false", "none"})


def list_insertions(tree: Tree, outline: PythonOutline) -> tuple[Insertion, ...]:
    """The places for whole lines: before each statement, and after the last statement of each block.

    There is no place before a docstring or ``from __future__``, between statements joined by ``;``, or in a block on
    the line of its header. Places at the top of a file are ``top``; places in the body of a class are ``member``.
    """
    source = tree.source
    newline = "\r\n" if "\r\n" in source else "\n"
    if not outline.statements:
        before = "" if not source or source.endswith("\n") else newline
        return (Insertion(at=len(source), place="top", function="", indent="", before=before, after=newline),)
    spots: list[Insertion] = []
    ends: list[Insertion] = []
    dead: list[tuple[int, int]] = []
    runs_on = "\\" in source
    for (inside, indent, function), suite in zip(outline.blocks, outline.suites, strict=True):
        nodes, spans, kinds, owner, docstring = suite
        place, end = _PLACES.get(owner, "statement"), _find_line_end(source, inside.end)
        for i, kind in enumerate(kinds):
            if kind in _LEAVING or (kind == "if" and _leaves(nodes[i])):
                dead.append((spans[i].end, max(inside.end, end or 0)))
                break
        opening, width = "\n" + indent, len(indent)
        for start, _ in spans[_find_fixed(nodes, owner, docstring) :]:
            line = start - width
            if runs_on or source[line - 1 : start] != opening:
                line = source.rfind("\n", 0, start) + 1
                if not _begins_line(source, line, start):
                    continue
            alive = not dead or _alive(line, dead)
            spots.append(new(Insertion, (line, place, function, indent, indent, newline, alive)))
        if end is not None:
            alive = not dead or _alive(end, dead)
            ends.append(new(Insertion, (end, place, function, indent, newline + indent, "", alive)))
    spots += reversed(ends)
    spots.sort(key=itemgetter(0))
    return tuple(spots)


def _alive(at: int, dead: list[tuple[int, int]]) -> bool:
    for start, end in dead:  # noqa: SIM110 - a generator costs more than all there is to do
        if start <= at <= end:
            return False
    return True


def _find_fixed(statements: list[Node], owner: str, docstring: bool) -> int:
    """The number of statements at the start of a block before which nothing can be inserted."""
    fixed = int(docstring)
    for i, statement in enumerate(statements) if owner == "module" else ():
        if statement.type == "future_import_statement":
            fixed = i + 1
    return fixed


def _begins_line(source: str, line: int, at: int) -> bool:
    """Whether a statement is first on its line, and the line before does not continue."""
    blanks = source[line:at]
    if blanks.strip(" \t\f") or "\f" in blanks.lstrip("\f"):
        return False
    return not source.endswith(("\\\n", "\\\r\n"), max(0, line - 3), line)


def _find_line_end(source: str, at: int) -> int | None:
    """The end of the line of ``at``, if only a comment follows on this line."""
    end = source.find("\n", at)
    if at == end:
        return end
    rest = (source[at:end] if end >= 0 else source[at:]).rstrip("\r")
    code = rest.partition("#")[0].strip(" \t\f;")
    return None if code else at + len(rest)


def _leaves(node: Node) -> bool:
    """Whether the code after an ``if`` is never reached: there is an ``else``, and every branch leaves."""
    clauses = node.children_by_field_name("alternative")
    if not clauses or clauses[-1].type != "else_clause":
        return False
    bodies = [body for part in (node, *clauses) for body in part.named_children if body.type == "block"]
    return all(any(_ends(statement) for statement in body.named_children) for body in bodies)


def _ends(statement: Node) -> bool:
    kind = statement.type
    return KINDS.get(kind) in _LEAVING or (kind == "if_statement" and _leaves(statement))


def list_units(tree: Tree) -> tuple[Unit, ...]:
    """Functions, classes and methods that can change places with their neighbours.

    A statement between definitions may use the definitions before it. So only one run of definitions is returned: the
    longest with only imports and constants between them. Definitions with unknown decorators or equal names stay.
    """
    movable: list[Unit] = []
    blocks: list[tuple[Node, str]] = [(tree.root, "")]
    while blocks:
        block, parent = blocks.pop()
        runs: list[list[tuple[Node, Node]]] = [[]]
        names: list[str] = []
        for statement in block.named_children:
            definition = statement.child_by_field_name("definition") or statement
            if not definition.type.endswith("_definition") or definition.type == "decorated_definition":
                if not is_blank(statement) and not _is_inert(statement):
                    runs.append([])
                continue
            name = _name(tree, definition)
            names.append(name)
            if definition.type == "class_definition" and (body := definition.child_by_field_name("body")):
                blocks.append((body, f"{parent}.{name}" if parent else name))
            if _is_decorated(tree, statement):
                runs.append([])
            else:
                runs[-1].append((statement, definition))
        longest = max(runs, key=len)
        if len({_name(tree, d) for _, d in longest}) == len(longest):
            twice = {name for name in names if names.count(name) > 1}
            if not twice & {_name(tree, d) for _, d in longest}:
                movable += _run(tree, longest, parent)
    return tuple(sorted(movable, key=lambda unit: unit.span.start))


def _run(tree: Tree, run: list[tuple[Node, Node]], parent: str) -> list[Unit]:
    names = {_name(tree, definition) for _, definition in run}
    early = {_name(tree, d): _list_mentioned(tree, s, early=True) & names for s, d in run}
    anywhere = {_name(tree, d): _list_mentioned(tree, s, early=False) & names for s, d in run}
    movable = []
    for statement, definition in run:
        name = _name(tree, definition)
        needs, new = set[str](), set(early[name])
        while new:
            needs |= new
            new = set[str]().union(*(anywhere[other] for other in new)) - needs
        span = Span(_include_comments(tree, statement), tree.at(statement.end_byte))
        if (
            _begins_line(tree.source, tree.line_start(span.start), span.start)
            and _find_line_end(tree.source, span.end) is not None
        ):
            movable.append(Unit(name=name, span=span, parent=parent, needs=frozenset(needs - {name})))
    return movable


def _name(tree: Tree, definition: Node) -> str:
    name = definition.child_by_field_name("name")
    return tree.text(name) if name is not None else ""


def _is_inert(node: Node) -> bool:
    if node.type in _INERT:
        return True
    if node.type != "expression_statement":
        return False
    inner = node.named_children[0]
    if inner.type == "assignment":
        value = inner.child_by_field_name("right")
        left = inner.child_by_field_name("left")
        return value is not None and value.type in _LITERALS and left is not None and left.type == "identifier"
    return inner.type == "string"


def _is_decorated(tree: Tree, statement: Node) -> bool:
    """Whether the definition has a decorator that may do more than wrap it."""
    decorators = [child.named_children[0] for child in statement.named_children if child.type == "decorator"]
    texts = [tree.text(d).partition("(")[0].rpartition(".")[2].strip() for d in decorators]
    return any(text not in TRANSPARENT | {"dataclass", "total_ordering"} for text in texts)


def _list_mentioned(tree: Tree, statement: Node, *, early: bool) -> set[str]:
    """The names that a definition mentions. With ``early``, only names that are read when it is executed."""
    mentioned_names = set()
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            mentioned_names.add(tree.text(node))
        inside = node.type in {"function_definition", "lambda"} and early
        stack.extend(c for c in node.named_children if not (inside and node.child_by_field_name("body") == c))
    return mentioned_names


def _include_comments(tree: Tree, statement: Node) -> int:
    """The start of a definition, including the comments right above it."""
    first = statement
    while (above := first.prev_sibling) is not None and above.type == "comment":
        own_line = not tree.source[tree.line_start(tree.at(above.start_byte)) : tree.at(above.start_byte)].strip()
        if not own_line or above.start_point[0] != first.start_point[0] - 1:
            break
        if above.start_point[1] != statement.start_point[1]:
            break
        first = above
    return tree.at(first.start_byte)
