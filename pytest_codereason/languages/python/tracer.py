"""Witnesses the calls of Python programs."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from pytest_codereason.core.execution import Harness
from pytest_codereason.core.languages import Tracer
from pytest_codereason.core.tracing import Body, Witnessed
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.python.runner import PythonRunner

_Named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@cache
def _witness() -> str:
    return Path(__file__).with_name("witness.py").read_text(encoding="utf-8")


class PythonTracer(Tracer):
    """Witnesses calls by the interpreter's own hooks.

    A file's code is named as Python imports the file: ``main``, ``shop.prices``. A function has the names of what
    encloses it before its own: ``main.Stack.push``, ``main.outer.inner``. The lambdas of one function, class or module
    are numbered in the order in which their bodies begin: ``main.<lambda1>``. What a comprehension or a class body
    calls is called by the function or module around it. The body of a generator is entered when its first value is
    asked for, so the caller is who asks.
    """

    def harness(self, files: Mapping[str, str], entry: str, call: str, witnessed: Witnessed) -> Harness:
        """How to run a program under trace."""
        trace = {
            "entry": entry,
            "modules": {file: name_module(file) for file in files if file == entry or file.endswith(".py")},
            "lines": witnessed == "lines",
        }
        plain = PythonRunner().harness(files, entry, call)
        return replace(plain, files={**plain.files, "witness.py": _witness(), "trace": json.dumps(trace)})

    def list_bodies(self, files: Mapping[str, str], entry: str) -> list[Body]:
        """Every module and function of a program."""
        bodies = []
        for file, text in files.items():
            if file != entry and not file.endswith(".py"):
                continue
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                raise DoesNotParse(f"{file}: {error}") from error
            module = name_module(file)
            bodies.append(Body(module, file, 1, callable=False))
            bodies += [Body(name, file, line) for name, line in _list_functions(tree, module)]
        return bodies


def name_module(file: str) -> str:
    """The name by which Python imports a file: ``shop.prices`` for ``shop/prices.py``."""
    name = file.removesuffix(".py").replace("/", ".")
    return name.removesuffix(".__init__")


def _list_functions(around: ast.AST, prefix: str) -> Iterator[tuple[str, int]]:
    """The functions within a module, class or function, with their first lines."""
    lambdas = 0
    inside = sorted(_list_named(around), key=_find_body)
    for node in inside:
        if isinstance(node, ast.Lambda):
            lambdas += 1
        name = f"{prefix}.<lambda{lambdas}>" if isinstance(node, ast.Lambda) else f"{prefix}.{node.name}"
        if not isinstance(node, ast.ClassDef):
            yield name, node.lineno
        yield from _list_functions(node, name)


def _list_named(around: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda]:
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


def _find_body(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda) -> tuple[int, int]:
    """The line and column where a body begins."""
    first = node.body if isinstance(node, ast.Lambda) else node.body[0]
    return first.lineno, first.col_offset
