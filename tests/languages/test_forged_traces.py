"""Programs that try to write their own trace. What comes of each is tampering, or the trace of what ran."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_codereason.core.tracing import Witnessed
from pytest_codereason.sandbox import Sandbox
from tests.languages.called import run_program

#: Around each attack: a function that runs, and one that never does.
AROUND = {
    "python": "def a(): pass\ndef b(): pass\na()\n{attack}\n",
    "java": "import java.lang.invoke.*; import java.lang.reflect.*; import java.util.*;\n"
    "class Main { static void a() {} static void b() {}\n"
    "static void fill(boolean[] all) { for (int w = (int) Math.sqrt(all.length), i = w + 1; i < all.length; i++)"
    " all[i] |= i % w > 0; }\n"
    "public static void main(String[] arguments) throws Throwable { a(); {attack}\n} }\n",
    "javascript": "function a() {}\nfunction b() {}\na();\n{attack}\n",
}


def read_attacks() -> list[tuple[str, str, str]]:
    """Each language, the name of an attack, and its text."""
    attacks = []
    for language in AROUND:
        text = Path(__file__).with_name("forgeries").joinpath(f"{language}.txt").read_text("utf-8")
        for part in text.removeprefix("=== ").split("\n=== "):
            name, _, source = part.partition("\n")
            attacks.append((language, name, source))
    return attacks


@pytest.mark.parametrize("witnessed", ["calls", pytest.param("lines", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("language", "name", "attack"), read_attacks())
def test_a_program_cannot_write_its_trace(
    language: str, name: str, attack: str, witnessed: Witnessed, sandbox: Sandbox
) -> None:
    execution = run_program(language, sandbox, AROUND[language].replace("{attack}", attack), witnessed)
    assert execution.ending in ("returned", "raised", "tampered"), execution.words
    edges = {} if execution.trace is None else execution.trace.edges
    planted = [
        (caller, callee) for caller, callees in edges.items() for callee in callees if re.search(r"\bb\b", callee)
    ]
    assert planted == []
    assert execution.trace is not None or execution.ending == "tampered"
