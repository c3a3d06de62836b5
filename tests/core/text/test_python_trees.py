"""Trees of Python are made as well by several threads as by one."""

from __future__ import annotations

import ast
import gc
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pytest_codereason.core.text.python_trees import parse

DEEP = f"x = {'[' * 50}1{']' * 50}"


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns also while a tree is made: the collector runs often, and it waits."""

    def wait(phase: str, facts: dict[str, int]) -> None:
        time.sleep(0)

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    gc.callbacks.append(wait)
    yield
    gc.callbacks.remove(wait)
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


def parse_within(calls: int) -> ast.Module:
    """A tree that is made so many calls deep."""
    return parse_within(calls - 1) if calls else parse(DEEP)


@pytest.mark.usefixtures("hasty")
def test_threads_do_not_disturb_each_other() -> None:
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(parse_within, [0, 20, 40, 60] * 6))
    assert {ast.dump(tree) for tree in trees} == {ast.dump(parse(DEEP))}


def test_a_text_of_one_expression() -> None:
    assert parse("f(1)", "eval").body.lineno == 1
    with pytest.raises(SyntaxError):
        parse("x = 1", "eval")
