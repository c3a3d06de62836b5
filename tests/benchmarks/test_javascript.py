"""Milliseconds that a function of CRUXEval-X takes in JavaScript: parsed, resolved, told apart, laid out.

Prints figures and never fails on a clock; parsing and resolving are meant to stay under 2 ms.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_codereason.languages.javascript import JavaScript
from pytest_codereason.languages.javascript.syntax.tree import make_parser

pytestmark = pytest.mark.benchmark

JAVASCRIPT = JavaScript()


@pytest.fixture
def sources() -> list[str]:
    folder = os.environ.get("CODEREASON_DATA")
    if not folder:
        pytest.skip("needs CODEREASON_DATA")
    rows = json.loads((Path(folder) / "cruxeval-x" / "js.json").read_text())
    return [row["code"] for row in rows if "code" in row]


def everything(source: str) -> None:
    code = JAVASCRIPT.syntax.parse(source)
    assert code.bindings
    assert code.sites
    assert code.insertions
    assert code.units


def test_speed(sources: list[str]) -> None:
    ways: dict[str, Callable[[str], object]] = {
        "bare parser": lambda source: make_parser().parse(source.encode()),
        "parse": JAVASCRIPT.syntax.parse,
        "parse, bindings": lambda source: JAVASCRIPT.syntax.parse(source).bindings,
        "everything": everything,
        "normalise": JAVASCRIPT.syntax.normalise,
    }
    for name, way in ways.items():
        start = time.perf_counter()
        for source in sources:
            way(source)
        print(f"{name}: {(time.perf_counter() - start) / len(sources) * 1e3:.2f} ms")
