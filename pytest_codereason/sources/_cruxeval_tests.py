"""Cuts programs of CRUXEval-X apart: each ends with a test that calls it and compares the value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Tested(NamedTuple):
    """A program without its test, the call in the test, and the value it should have."""

    source: str
    call: str
    value: str


_TOKEN = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`|[()\[\]{}]", re.DOTALL)


def closing(text: str, start: int) -> int | None:
    """The offset of the bracket that closes the one before ``start``; brackets in strings do not count."""
    depth = 1
    for token in _TOKEN.finditer(text, start):
        depth += 1 if token[0] in "([{" else -1 if token[0] in ")]}" else 0
        if depth == 0:
            return token.start()
    return None


def javascript(code: str) -> Tested | None:
    """``assert.deepEqual(candidate(ARGUMENTS),VALUE);``"""
    head, found, test = code.partition("const assert = require('node:assert');")
    opened = re.search(r"assert\.deepEqual\(candidate\(", test)
    if not found or opened is None:
        return None
    return _cut(head, "f", test, opened, between=",")


def php(code: str) -> Tested | None:
    """``if (candidate(ARGUMENTS) !== VALUE) { throw ...``

    A function that takes a reference cannot be called with literals, as its test does through ``candidate``.
    """
    head, found, test = code.partition("function candidate(...$args)")
    opened = re.search(r"if \(candidate\(", test)
    if not found or opened is None or re.search(r"\bfunction f\([^)]*&", head):
        return None
    return _cut(head, "f", test, opened, between="!==")


def java(code: str) -> Tested | None:
    """``assert(f(ARGUMENTS).equals(VALUE));`` or ``assert(f(ARGUMENTS) == (VALUE));`` in the method ``main``."""
    main = re.search(r"^[ \t]*public static void main\(String\[\] args\) \{\s*assert\(f\(", code, re.MULTILINE)
    if main is None:
        return None
    brace = code.index("{", main.start()) + 1
    end = closing(code, brace)
    if end is None:
        return None
    rest = code[end + 1 :].lstrip()
    source = f"{code[: main.start()].rstrip()}\n{rest}"
    test = code[main.end() : end]
    equals = _cut(source, "Problem.f", test, None, between=".equals")
    return equals or _cut(source, "Problem.f", test, None, between="==")


def _cut(source: str, function: str, test: str, opened: re.Match[str] | None, *, between: str) -> Tested | None:
    """What stands in ``test`` after ``opened``: the arguments, ``between``, and the value."""
    start = opened.end() if opened else 0
    end = closing(test, start)
    if end is None:
        return None
    after = test[end + 1 :].lstrip()
    if not after.startswith(between):
        return None
    value = after[len(between) :]
    last = closing(value, 0)
    if last is None:
        return None
    return Tested(source.strip() + "\n", f"{function}({test[start:end].strip()})", value[:last].strip())


CUTTERS: Mapping[str, Callable[[str], Tested | None]] = {"javascript": javascript, "php": php, "java": java}
