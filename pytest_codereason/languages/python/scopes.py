"""Which names are seen where in a tree of Python, and which names a scope binds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def list_bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a scope binds with these nodes, without those of imports and of scopes within."""
    waiting = [*nodes]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                yield name
        waiting += ast.iter_child_nodes(node)


def walk_scopes(statement: ast.AST, names: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """All nodes of a statement, each with the names that are seen there: those given, and those of scopes around it."""
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(statement, names)]
    while waiting:
        node, seen = waiting.pop()
        yield node, seen
        inside = [*list_inside(node)]
        inner = seen.union(list_bound(inside)) if inside else seen
        waiting += ((child, seen if child not in inside else inner) for child in _list_children(node))


def _list_children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes right below a node, with the parts of arguments and comprehensions in place of these."""
    for child in ast.iter_child_nodes(node):
        yield from ast.iter_child_nodes(child) if isinstance(child, ast.arguments | ast.comprehension) else (child,)


def list_inside(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that lie in its own scope. Defaults and decorators lie in the scope around it."""
    match node:
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) | ast.Lambda(args=args):
            body = node.body
            yield from body if isinstance(body, list) else [body]
            yield from (arg for arg in ast.walk(args) if isinstance(arg, ast.arg))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            first = node.generators[0].iter
            yield from (child for child in _list_children(node) if child is not first)
