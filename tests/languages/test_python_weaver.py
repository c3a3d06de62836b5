"""The call that Python's tracer writes into a function: it is made once at the start, and nothing else changes."""

from __future__ import annotations

import dis
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from pytest_codereason.languages.python.weaver import weave, write_call
from tests.examples import take_every

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="later versions of Python need no woven calls")


def list_functions(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_flags & 1:
                yield inner
            yield from list_functions(inner)


def weave_function(function: Callable[..., Any]) -> tuple[Callable[..., Any], list[int]]:
    """A woven copy of a function, and a list that grows with each start."""
    starts: list[int] = []
    assert isinstance(function, FunctionType)
    code = weave(function.__code__, lambda: starts.append(1))
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    return made, starts


@pytest.mark.parametrize(
    ("pattern", "step"), [("json/*.py", 1), pytest.param("**/*.py", take_every(3), marks=pytest.mark.slow)]
)
def test_places_and_handlers_of_instructions_stay_as_they_are(pattern: str, step: int) -> None:
    checked = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob(pattern))[::step]:
        if {"lib2to3", "test", "site-packages", "dist-packages"} & {*path.parts}:
            continue
        for code in list_functions(compile(path.read_bytes(), path, "exec")):
            woven = weave(code, print)
            more = (len(woven.co_code) - len(code.co_code)) // 2
            places, now = list(code.co_positions()), list(woven.co_positions())
            start = next(at for at, (a, b) in enumerate(zip([*places, None], now, strict=False)) if a != b)
            assert now[:start] + now[start + more :] == places
            assert set(now[start : start + more]) == {(None,) * 4}
            handlers = [tuple(entry) for entry in dis._parse_exception_table(code)]  # type: ignore[attr-defined]
            shifted = [
                (first - 2 * more, end - 2 * more, target - 2 * more, *rest)
                for first, end, target, *rest in dis._parse_exception_table(woven)  # type: ignore[attr-defined]
            ]
            assert shifted == handlers
            checked += 1
    assert checked > 30


@pytest.mark.parametrize("count", [3, 300, pytest.param(70_000, marks=pytest.mark.slow)])
def test_a_call_reaches_constants_of_every_number(count: int) -> None:
    scope: dict[str, Any] = {"y": 1}
    exec(f"def f(): return ({', '.join(f'{n}.5 + y' for n in range(count))},)", scope)
    made, starts = weave_function(scope["f"])
    assert made() == tuple(n + 1.5 for n in range(count))
    assert starts == [1]
    assert len(write_call(count)) == len(write_call(0)) + 2 * (count > 255) + 2 * (count > 65535)


def test_a_generator_calls_at_its_start_only() -> None:
    def count(n: int) -> Iterator[int]:
        for i in range(n):
            try:
                yield i
            finally:
                n -= 1

    made, starts = weave_function(count)
    values = made(3)
    assert not starts
    assert (list(values), starts) == ([0, 1, 2], [1])


def test_a_loop_at_the_start_does_not_call_again() -> None:
    def halve(n: int) -> int:
        while n % 2 == 0:
            n //= 2
        return n

    def close() -> Callable[[], int]:
        return lambda: halve(48)

    made, starts = weave_function(halve)
    assert (made(48), starts) == (3, [1])
    inner, starts = weave_function(close())
    assert (inner(), starts) == (3, [1])
