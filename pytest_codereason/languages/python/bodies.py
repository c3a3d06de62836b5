"""Finds the functions and classes of a Python file and names them, as a trace writes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.errors import DoesNotParse

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_Named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parse_file(file: str, text: str) -> ast.Module:
    """The tree of a file.

    Raises:
        DoesNotParse: The text is no Python; the message names the file.
    """
    try:
        return parse(text)
    except NO_TREE as error:
        raise DoesNotParse(f"{file}: {error}") from error


def name_module(file: str) -> str:
    """The name by which Python imports a file: ``shop.prices`` for ``shop/prices.py``."""
    name = file.removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


def list_definitions(around: ast.AST, prefix: str) -> Iterator[tuple[Definition, str]]:
    """The functions and classes within a module, class or function, each with its qualified name."""
    lambdas = 0
    inside = sorted(_list_inside(around), key=_find_body)
    for node in inside:
        if isinstance(node, ast.Lambda):
            lambdas += 1
        name = f"{prefix}.<lambda{lambdas}>" if isinstance(node, ast.Lambda) else f"{prefix}.{node.name}"
        yield node, name
        yield from list_definitions(node, name)


def _list_inside(around: ast.AST) -> Iterator[Definition]:
    """The functions, classes and lambdas directly within a node.

    Decorators, defaults, annotations and bases belong to what is around a definition.
    """
    if isinstance(around, _Named):
        children: list[ast.AST] = [*around.body]
    elif isinstance(around, ast.Lambda):
        children = [around.body]
    else:
        children = [*ast.iter_child_nodes(around)]
    waiting = children[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Named):
            yield node
            outside = [child for child in ast.iter_child_nodes(node) if child not in node.body]
            waiting += outside[::-1]
        elif isinstance(node, ast.Lambda):
            yield node
            waiting.append(node.args)
        else:
            waiting += [*ast.iter_child_nodes(node)][::-1]


def _find_body(node: Definition) -> tuple[int, int]:
    """The line and column where a body begins."""
    first = node.body if isinstance(node, ast.Lambda) else node.body[0]
    return first.lineno, first.col_offset
