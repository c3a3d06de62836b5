"""Finds mistakes in ``-m`` and ``-k``, which pytest answers with an empty or a wrong selection and without a word."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

import pytest

from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.session.collecting.items import Question

#: Values of an axis that a message shows.
MOST_SHOWN = 12


def check_markers(expression: str, items: Sequence[pytest.Item], registered: Sequence[str]) -> None:
    """Checks the markers of axes in ``-m``, such as ``levle(n=3)`` where ``level`` was meant.

    Args:
        items: all items, those that the expression leaves out too.
        registered: the markers that pytest knows, as its configuration has them.

    Raises:
        UsageError: a marker is none but looks like one of an axis, or an axis has no such value.
    """
    used = list(_list_markers(expression))
    if not used:
        return
    axes = _list_axes(items)
    known = {re.split(r"[:(]", line, maxsplit=1)[0].strip() for line in registered}
    for name, settings in used:
        if name in axes:
            _check_settings(name, settings, axes[name])
        elif axes and name not in known and not any(item.get_closest_marker(name) for item in items):
            meant = suggest_name(name, axes)
            if meant or settings:
                raise UsageError(f"-m: no suite has a marker {name!r}{meant}: there is {', '.join(sorted(axes))}")


def _check_settings(name: str, settings: dict[str, object], values: set[object]) -> None:
    key = "name" if any(isinstance(value, str) for value in values) else "n"
    shown = sorted(values, key=lambda value: (isinstance(value, str), value))[:MOST_SHOWN]
    there = ", ".join(repr(value) if isinstance(value, str) else str(value) for value in shown)
    for given, value in settings.items():
        if given != key:
            raise UsageError(f"-m: {name} has no {given!r}: write {name}({key}={shown[0]!r})")
        if value not in values:
            meant = suggest_name(value, map(str, values)) if isinstance(value, str) else ""
            raise UsageError(f"-m: no question has {name}({key}={value!r}){meant}: {name} is {there}")


def explain_keyword(expression: str, items: Sequence[pytest.Item]) -> str:
    """What to say where ``-k`` selects no question: a word like the one that was typed; else empty."""
    questions = [item for item in items if isinstance(item, Question)]
    words = {word for item in questions for word in (*item.listextrakeywords(), item.spec.language)}
    for typed in re.findall(r"\w+", expression):
        if typed not in ("and", "or", "not") and typed not in words and (meant := suggest_name(typed, words)):
            return f"-k {expression!r} selects no question: none has the word {typed!r}{meant}"
    return ""


def _list_markers(expression: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The markers that an expression names, each with its arguments."""
    try:
        tree = parse(expression.strip(), "eval")
    except NO_TREE:
        return  # pytest says so itself, or its syntax is wider than Python's
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            values = {each.arg: each.value for each in node.keywords if each.arg}
            yield (
                node.func.id,
                {name: each.value for name, each in values.items() if isinstance(each, ast.Constant)},
            )
        elif isinstance(node, ast.Name) and id(node) not in called:
            yield node.id, {}


def _list_axes(items: Sequence[pytest.Item]) -> dict[str, set[object]]:
    """The values of each axis, and the languages, of all questions."""
    values: dict[str, set[object]] = {}
    for item in items:
        if isinstance(item, Question):
            values.setdefault("language", set()).add(item.spec.language)
            for axis, value in item.spec.axes:
                values.setdefault(axis, set()).add(value)
    return values
