"""What a program of CRUXEval-X costs in Java: milliseconds a program, and how many of its names are safe.

Prints figures and never fails on a clock; parsing and resolving names are meant to stay well under 3 ms.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import process_time

import pytest

from pytest_codereason.languages.java import Java

pytestmark = pytest.mark.benchmark


def test_structure() -> None:
    path = Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval-x", "java.json")
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval-x/java.json")
    java = Java()
    sources = [row["code"] for row in json.loads(path.read_text()) if row.get("code")]
    begun = process_time()
    codes = [java.syntax.parse(source) for source in sources]
    for part in ("parse", "bindings", "sites", "insertions", "units"):
        for code in codes:
            getattr(code, part, None)
        end = process_time()
        print(f"{part}: {(end - begun) / len(sources) * 1e3:.2f} ms")
        begun = end
    for source in sources:
        java.syntax.normalise(source)
    print(f"normalise: {(process_time() - begun) / len(sources) * 1e3:.2f} ms")
    safe = [not binding.unsafe for code in codes for binding in code.bindings]
    print(f"safe names: {sum(safe)} of {len(safe)}")
