"""Finds the definitions of a Python program that can change places with their neighbours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_codereason.core.language.structure import Span, Unit
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.python.syntax.bindings import TRANSPARENT
from pytest_codereason.languages.python.syntax.effects import find_effects, has_hook
from pytest_codereason.languages.python.syntax.grammar import STRUCTURE
from pytest_codereason.languages.python.syntax.hooks import begins_line, ends_line

if TYPE_CHECKING:
    from tree_sitter import Node

#: Statements at whose turn nothing runs that could use a definition beside them.
_INERT = frozenset({"import_statement", "import_from_statement", "future_import_statement", "pass_statement"})
#: Fields with the name of a parameter or an attribute, which is no name of a definition beside it, and fields with what
#: is executed later.
_LEFT_OUT = {
    **dict.fromkeys(("default_parameter", "typed_default_parameter", "keyword_argument"), "name"),
    "attribute": "attribute",
    **dict.fromkeys(("function_definition", "lambda"), "body"),
}
#: Nodes in which a plain name is that of a parameter.
_LISTING = frozenset({"parameters", "lambda_parameters", "typed_parameter"})
#: Bases that run no method of a class while it is defined.
_INERT_BASE = re.compile(
    r"object|dict|list|set|frozenset|tuple|str|bytes|int|float|complex|\w*(?:Exception|Error|Warning)"
)
_LITERALS = frozenset({"integer", "float", "string", "true", "false", "none"})


def list_units(tree: Tree) -> tuple[Unit, ...]:
    """Functions, classes and methods that can change places with their neighbours.

    A statement between definitions may use the definitions before it. So only one run of definitions is returned: the
    longest with only imports and constants between them that no definition of the run reads at once. Definitions with
    unknown decorators or equal names stay.
    """
    movable: list[Unit] = []
    mentions = _Mentions(tree)
    blocks: list[tuple[Node, str]] = [(tree.root, "")]
    while blocks:
        block, parent = blocks.pop()
        runs: list[list[tuple[Node, Node]]] = [[]]
        names: list[str] = []
        bound: set[str] = set()  # by imports and constants since the run began
        for statement in block.named_children:
            definition = statement.child_by_field_name("definition") or statement
            if not definition.type.endswith("_definition") or definition.type == "decorated_definition":
                if statement.type not in STRUCTURE.comments and not _is_inert(statement):
                    runs.append([])
                bound = bound | mentions.list_early(statement) if runs[-1] else set()
                continue
            name = tree.read(definition)
            names.append(name)
            if definition.type == "class_definition" and (body := definition.child_by_field_name("body")):
                blocks.append((body, f"{parent}.{name}" if parent else name))
            if _is_decorated(tree, statement):
                runs.append([])
            elif bound and bound & mentions.list_early(statement):
                runs.append([(statement, definition)])
                bound = set()
            else:
                runs[-1].append((statement, definition))
        longest = max(runs, key=len)
        if len({tree.read(d) for _, d in longest}) == len(longest):
            twice = {name for name in names if names.count(name) > 1}
            if not twice & {tree.read(d) for _, d in longest}:
                movable += _run(tree, longest, parent, mentions)
    return tuple(sorted(movable, key=lambda unit: unit.span.start))


def _run(tree: Tree, run: list[tuple[Node, Node]], parent: str, mentions: _Mentions) -> list[Unit]:
    names = {tree.read(definition) for _, definition in run}
    ready = set[str]()  # classes that run none of their methods when they are defined
    early = dict[str, set[str]]()
    for statement, definition in run:
        is_inert = definition.type != "class_definition" or _is_inert_class(tree, definition, ready)
        if is_inert:
            ready.add(tree.read(definition))
        mentioned_names = mentions.list_early(statement) if is_inert else mentions.list_all(statement)
        early[tree.read(definition)] = mentioned_names & names
    anywhere = {tree.read(d): mentions.list_all(s) & names for s, d in run}
    kept = _keep_effects(tree, run, mentions)
    movable = []
    for statement, definition in run:
        name = tree.read(definition)
        needs, new = set[str](), (early[name] | kept[name]) - {name}  # the header has the name itself
        while new:
            needs |= new
            new = set[str]().union(*(anywhere[other] for other in new)) - needs
        span = Span(_include_comments(tree, statement), tree.at(statement.end_byte))
        if begins_line(tree, span.start) and ends_line(tree, span.end):
            movable.append(Unit(name=name, span=span, parent=parent, needs=frozenset(needs - {name})))
    return movable


def _keep_effects(tree: Tree, run: list[tuple[Node, Node]], mentions: _Mentions) -> dict[str, set[str]]:
    """The definitions that each must stay behind because they act when they are executed, or because it acts itself."""
    siblings = run[0][0].parent.named_children if run and run[0][0].parent is not None else []
    fixed = {tree.read(sibling.child_by_field_name("definition") or sibling) for sibling in siblings}
    acting, reading, hooked = set[str](), set[str](), set[str]()
    kept = dict[str, set[str]]()
    for statement, definition in run:
        name, read = tree.read(definition), mentions.list_early(statement)
        effects = find_effects(tree, statement, read, fixed)
        acts = effects.acts or bool(read & hooked)
        kept[name] = acting | reading if acts else set(acting) if effects.reads else set()
        if acts:
            acting.add(name)
        if effects.reads:
            reading.add(name)
        if definition.type == "class_definition" and (has_hook(tree, definition) or read & hooked):
            hooked.add(name)
    return kept


def _is_inert_class(tree: Tree, definition: Node, ready: set[str]) -> bool:
    """Whether no base or metaclass runs a method of a class while the class is defined, as ``Enum`` does.

    ``ready`` are classes of the file that run none.
    """
    bases = definition.child_by_field_name("superclasses")
    texts = [tree.text(base) for base in bases.named_children] if bases is not None else []
    return all(text in ready or _INERT_BASE.fullmatch(text) for text in texts)


def _is_inert(node: Node) -> bool:
    if node.type in _INERT:
        return not any(child.type == "wildcard_import" for child in node.named_children)
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


class _Mentions:
    """The names that statements mention. Each statement is read once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._read: dict[int, tuple[set[str], set[str]]] = {}

    def list_early(self, statement: Node) -> set[str]:
        """The names that are read when the statement is executed: not those in bodies of functions."""
        return self._list(statement)[0]

    def list_all(self, statement: Node) -> set[str]:
        """All names."""
        return set.union(*self._list(statement))

    def _list(self, statement: Node) -> tuple[set[str], set[str]]:
        names = self._read.get(statement.id)
        if names is None:
            bodies: list[Node] = []
            early = self._collect([statement], bodies)
            names = self._read[statement.id] = early, self._collect(bodies, bodies)
        return names

    def _collect(self, stack: list[Node], bodies: list[Node]) -> set[str]:
        """The names in nodes. The bodies of functions are put into ``bodies``, which may be the nodes themselves."""
        kinds, text, names = self._tree.kinds, self._tree.text, set[str]()
        while stack:
            node = stack.pop()
            kind = kinds[node.kind_id]
            if kind == "identifier":
                names.add(text(node))
                continue
            children = node.named_children
            if (field := _LEFT_OUT.get(kind)) and (left_out := node.child_by_field_name(field)):
                children = [child for child in children if child != left_out]
                if field == "body":
                    bodies.append(left_out)
            elif kind in _LISTING:
                children = [child for child in children if child.type != "identifier"]
            stack += children
        return names


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
