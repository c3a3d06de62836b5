"""Finds calls of a module's functions in its documentation and in its tests."""

from __future__ import annotations

import ast
import builtins
import doctest
from collections import Counter
from collections.abc import Iterator, Mapping

from pytest_codereason.core.language.driving import DriverCall
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.languages.python.slicing import PythonModule

_BUILTINS = frozenset(vars(builtins))
#: Most calls of one function that are taken of the tests.
_MOST = 6
_STATEMENTS = (
    ast.Assign,
    ast.AugAssign,
    ast.FunctionDef,
    ast.ClassDef,
    ast.For,
    ast.Delete,
    ast.Import,
    ast.ImportFrom,
)


def read_doctests(module: PythonModule, names: frozenset[str]) -> Iterator[DriverCall]:
    """The calls in the examples of docstrings, each with the statements before it.

    Args:
        module: The module.
        names: The names at the top of the module.
    """
    for owner, node in _list_documented(module.tree):
        docstring = ast.get_docstring(node, clean=True)
        if docstring and ">>>" in docstring:
            yield from _read_examples(docstring, owner, names)


def _list_documented(tree: ast.Module) -> Iterator[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]]:
    yield "", tree
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def _read_examples(docstring: str, owner: str, names: frozenset[str]) -> Iterator[DriverCall]:
    try:
        examples = doctest.DocTestParser().get_examples(docstring)
    except ValueError:
        return
    setup: list[str] = []
    for example in examples:
        try:
            tree = parse(example.source)
        except NO_TREE:
            continue
        if len(tree.body) != 1 or example.exc_msg:
            continue
        statement, source = tree.body[0], example.source.rstrip("\n").rstrip(";")
        if isinstance(statement, ast.Expr):
            source = ast.get_source_segment(example.source, statement.value) or ""  # without a comment behind it
            if target := _find_target(statement, owner, names):
                yield DriverCall(target, source, tuple(setup), "documentation")
            if not example.want:
                setup.append(source)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            if not any((alias.asname or alias.name) in names for alias in statement.names):
                setup.append(source)
        elif isinstance(statement, _STATEMENTS):
            if _list_stored(statement) & names:
                return  # the example would replace what the module needs
            setup.append(source)


def _find_target(statement: ast.Expr, owner: str, names: frozenset[str]) -> str:
    """What an example shows: the first of the module's names that it calls, else what the docstring belongs to."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            return node.func.id
    calls = any(isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)) for node in ast.walk(statement))
    return owner if calls or not isinstance(statement.value, (ast.Name, ast.Constant)) else ""


def _list_stored(node: ast.AST) -> set[str]:
    stored = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    return stored | ({node.name} if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else set())


def read_uses(tests: Mapping[str, str], names: frozenset[str]) -> Iterator[DriverCall]:
    """The calls in tests whose arguments are written out, or are variables of the test that are."""
    counts: dict[str, int] = {}
    for text in tests.values():
        if not any(name in text for name in names):
            continue
        try:
            tree = parse(text)
        except NO_TREE:
            continue
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            values = _list_values(function)
            for node in ast.walk(function):
                name = _name_called(node, names)
                if not isinstance(node, ast.Call) or not name or counts.get(name, 0) >= _MOST:
                    continue
                free = _list_free(node)
                setup = tuple(f"{free_name} = {values[free_name]}" for free_name in sorted(free & values.keys()))
                if free - values.keys() or free & names or not (node.args or node.keywords):
                    continue
                counts[name] = counts.get(name, 0) + 1
                call = ast.unparse(ast.Call(ast.Name(name, ast.Load()), node.args, node.keywords))
                if len(call) <= 200:
                    yield DriverCall(name, call, setup, "tests")


def _name_called(node: ast.AST, names: frozenset[str]) -> str:
    """The name of the module that is called: ``f`` of ``f(1)`` and of ``package.f(1)``."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.attr if function.attr in names else ""
    return function.id if isinstance(function, ast.Name) and function.id in names else ""


def _list_values(function: ast.FunctionDef) -> dict[str, str]:
    """The variables of a test that are set once, to a value that is written out."""
    stored = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    values: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if stored[name] == 1 and not _list_free(value):
                if len(text := ast.unparse(value)) <= 120:
                    values[name] = text
    return values


def _list_free(node: ast.AST) -> set[str]:
    """The names that an expression reads from outside, the function that it calls and Python's own apart."""
    called = node.func if isinstance(node, ast.Call) else None
    bound = {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
    bound |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    skipped = (
        {id(inner) for inner in ast.walk(called)} if called is not None and isinstance(called, ast.Attribute) else set()
    )
    skipped.add(id(called))
    read = {i.id for i in ast.walk(node) if isinstance(i, ast.Name) and id(i) not in skipped}
    return read - bound - _BUILTINS
