"""What closures without a name see of the variables around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.core.language.structure import Span
from pytest_codereason.languages.frame.outline import Outline, list_bound
from pytest_codereason.languages.frame.tree import Tree
from pytest_codereason.languages.php.syntax.grammar import FUNCTIONS, STRUCTURE

if TYPE_CHECKING:
    from tree_sitter import Node


class Closure(NamedTuple):
    """A closure without a name, or other code of that kind with variables of its own, such as a hook of a property."""

    span: Span
    own: tuple[str, ...]  #: its parameters
    parameters: tuple[str, ...]  #: the parameters that can be read in it: its own, and those of functions around it
    captured: frozenset[str] | None  #: what it sees of the variables around it; ``None`` if it sees all

    def sees(self, name: str) -> bool:
        """Whether a name means here what it means around it."""
        return name not in self.own and (self.captured is None or name in self.captured)


def list_closures(outline: Outline) -> list[Closure]:
    """The closures without a name, outer before inner."""
    closures: list[Closure] = []
    around: list[tuple[int, tuple[str, ...]]] = [(outline.tree.root.end_byte, ())]  #: where functions end, and theirs
    for node, _, frame, kind in outline.visits:
        if kind not in FUNCTIONS and kind != "property_hook":
            continue
        while around[-1][0] <= node.start_byte:
            around.pop()
        parameters = _list_parameters(outline.tree, node)
        if kind == "property_hook" or outline.owners[node.id] == frame.function:
            closure = Closure(outline.tree.span(node), parameters, (), _list_captured(outline.tree, node))
            parameters = (*parameters, *filter(closure.sees, around[-1][1]))
            closures.append(closure._replace(parameters=parameters))
        around.append((node.end_byte, parameters))
    return closures


def _list_parameters(tree: Tree, node: Node) -> tuple[str, ...]:
    parameters = node.child_by_field_name("parameters") if node.type in FUNCTIONS else None
    return () if parameters is None else tuple(list_bound(tree, STRUCTURE, parameters))


def _list_captured(tree: Tree, node: Node) -> frozenset[str] | None:
    """What stands behind ``use``; an arrow function sees all."""
    if node.type == "arrow_function":
        return None
    clauses = [child for child in node.named_children if child.type == "anonymous_function_use_clause"]
    return frozenset([name for clause in clauses for name in list_bound(tree, STRUCTURE, clause)])
