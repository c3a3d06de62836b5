"""What happens when a Python definition is executed: its defaults, decorators, bases and class body run at once.

Example: ``def g(a=note(1))`` calls ``note`` when it is defined. Beside ``def h(b=note(2))`` its place matters, even if
neither names the other.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.languages.frame.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

#: Callees that change nothing and notice no change: they make a value of their arguments.
_MAKING = frozenset(
    "auto bool bytearray bytes chr complex count compile dataclass Decimal dict divmod enumerate field float Fraction "
    "frozenset int isinstance issubclass itemgetter attrgetter len list lru_cache cache max min namedtuple NamedTuple "
    "NewType object ord Path property range reversed round set singledispatch slice sorted str sum timedelta "
    "total_ordering tuple type TypeVar wraps zip".split()
)
#: The modules that such a callee may be named by.
_MODULES = frozenset(
    "collections dataclasses datetime decimal enum fractions functools itertools operator pathlib re typing".split()
)
#: What else may change something outside of a definition.
_ACTING = frozenset(
    {"await", "yield", "global_statement", "nonlocal_statement", "delete_statement", "import_from_statement"}
    | {"import_statement", "exec_statement", "print_statement", "raise_statement", "assert_statement"}
)
#: Methods that a class runs while another class is defined.
_HOOKS = frozenset({"__init_subclass__", "__set_name__", "__class_getitem__", "__mro_entries__", "__prepare__"})
_BUILTINS = frozenset(dir(builtins))


class DefinitionEffects(NamedTuple):
    """What a definition does when it is executed."""

    acts: bool  #: it may change something outside of itself
    reads: frozenset[str]  #: names that something else may have changed before


def find_effects(tree: Tree, statement: Node, read: set[str], fixed: set[str]) -> DefinitionEffects:
    """The effects of one definition.

    Args:
        read: the names that are read at once.
        fixed: names of definitions, which no call changes.
    """
    acts = any(_acts(tree, node, fixed) for node in _walk_early(statement))
    return DefinitionEffects(acts, frozenset(read - fixed - _BUILTINS))


def has_hook(tree: Tree, definition: Node) -> bool:
    """Whether a class has a method that runs while a class derived from it, or one that holds it, is defined."""
    body = definition.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        inner = member.child_by_field_name("definition") or member
        name = inner.child_by_field_name("name") if inner.type == "function_definition" else None
        if name is not None and tree.text(name) in _HOOKS:
            return True
    return False


def _acts(tree: Tree, node: Node, fixed: set[str]) -> bool:
    if node.type == "call":
        callee = node.child_by_field_name("function")
        module, _, name = tree.text(callee).rpartition(".") if callee is not None else ("", "", "")
        return name not in _MAKING - fixed or module not in _MODULES | {""}
    if node.type in ("assignment", "augmented_assignment"):
        left = node.child_by_field_name("left")
        return left is not None and left.type in ("attribute", "subscript")
    return node.type in _ACTING


def _walk_early(statement: Node) -> Iterator[Node]:
    """The nodes that are executed with a definition: not the bodies of functions."""
    stack = [statement]
    while stack:
        node = stack.pop()
        yield node
        body = node.child_by_field_name("body") if node.type in ("function_definition", "lambda") else None
        stack += [child for child in node.named_children if child != body]
