"""Programs of CRUXEval-X without the test at their end, which calls the program and compares the value."""

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


def find_closing(text: str, start: int) -> int | None:
    """The offset of the bracket that closes the one before ``start``; brackets in strings do not count."""
    depth = 1
    for token in _TOKEN.finditer(text, start):
        depth += 1 if token[0] in "([{" else -1 if token[0] in ")]}" else 0
        if depth == 0:
            return token.start()
    return None


def cut_javascript(code: str) -> Tested | None:
    """``assert.deepEqual(candidate(ARGUMENTS),VALUE);``"""
    head, separator, test = code.partition("const assert = require('node:assert');")
    opened = re.search(r"assert\.deepEqual\(candidate\(", test)
    if not separator or opened is None:
        return None
    return _cut(head, "f", test, opened, between=",")


def cut_php(code: str) -> Tested | None:
    """``if (candidate(ARGUMENTS) !== VALUE) { throw ...``

    A function that takes a reference cannot be called with literals, as its test does through ``candidate``.
    """
    head, separator, test = code.partition("function candidate(...$args)")
    opened = re.search(r"if \(candidate\(", test)
    if not separator or opened is None or re.search(r"\bfunction f\([^)]*&", head):
        return None
    return _cut(head, "f", test, opened, between="!==")


def cut_java(code: str) -> Tested | None:
    """``assert(f(ARGUMENTS).equals(VALUE));`` or ``assert(f(ARGUMENTS) == (VALUE));`` in the method ``main``."""
    main = re.search(r"^[ \t]*public static void main\(String\[\] args\) \{\s*assert\(f\(", code, re.MULTILINE)
    if main is None:
        return None
    brace = code.index("{", main.start()) + 1
    end = find_closing(code, brace)
    if end is None:
        return None
    rest = code[end + 1 :].lstrip()
    source = f"{code[: main.start()].rstrip()}\n{rest}"
    test = code[main.end() : end]
    equals = _cut(source, "Problem.f", test, None, between=".equals")
    return equals or _cut(source, "Problem.f", test, None, between="==")


def _cut(source: str, function: str, test: str, opened: re.Match[str] | None, *, between: str) -> Tested | None:
    """The program, with the arguments and the value of ``test``: they stand after ``opened``, around ``between``."""
    start = opened.end() if opened else 0
    end = find_closing(test, start)
    if end is None:
        return None
    after = test[end + 1 :].lstrip()
    if not after.startswith(between):
        return None
    value = after[len(between) :]
    last = find_closing(value, 0)
    if last is None:
        return None
    return Tested(source.strip() + "\n", f"{function}({test[start:end].strip()})", value[:last].strip())


CUTTERS: Mapping[str, Callable[[str], Tested | None]] = {"javascript": cut_javascript, "php": cut_php, "java": cut_java}
