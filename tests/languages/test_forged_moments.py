"""Programs that try to write moments of their own run. What comes of each is tampering, or the moments that were."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pytest_codereason import languages
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.java import runner as java_runner
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import open_sandbox
from tests.examples import mostly_slow
from tests.languages.called import FILES

#: Around each attack: line 2 runs twice, with another value each time. Line 5 never runs.
AROUND = {
    "python": """def a(n):
    n = n + 1
    return n
def b(n):
    return n
a(1)
{attack}
a(2)
""",
    "php": """<?php function a($n) {
    $n = $n + 1; return $n;
}
function b($n) {
    return $n;
}
a(1);
{attack}
a(2);
""",
    "javascript": """function a(n) {
  n = n + 1; return n;
}
function b(n) {
  return n;
}
a(1);
{attack}
a(2);
""",
    "java": """import java.lang.invoke.*; import java.lang.reflect.*; class Main { static int a(int n) {
    n = n + 1;
    return n; }
static int b(int n) {
    return n; }
public static void main(String[] arguments) throws Throwable {
a(1);
{attack}
a(2);
} }
class Late { static int a(int n) {
    return n; } }
""",
}


def read_attacks(language: str) -> dict[str, str]:
    """The text of each attack, by its name."""
    text = Path(__file__).with_name("forgeries").joinpath(f"moments-{language}.txt").read_text("utf-8")
    parts = [part.partition("\n") for part in text.removeprefix("=== ").split("\n=== ")]
    return {name: source for name, _, source in parts}


ATTACKS = {language: read_attacks(language) for language in AROUND}


def attack(sandbox: Sandbox, language: str, name: str) -> Execution:
    source, file = AROUND[language].replace("{attack}", ATTACKS[language][name]), FILES[language]
    probe = LineProbe(file, 2, ("n",))
    return sandbox.run(Run(language=language, files={file: source}, entry=file, witnessed="moments", probes=(probe,)))


def is_forged(execution: Execution) -> bool:
    """Whether the trace says what did not happen, or leaves out what did."""
    if execution.trace is None or execution.trace.moments is None or not execution.trace.moments.whole:
        return False
    moments = execution.trace.moments
    [values] = moments.list_seen()
    expected = [[1], [2]] if execution.returned else [[1], [2]][: len(values)]  # an attack may fail on its way
    return moments.lines.count(2) != len(values) or 5 in moments.lines or values != expected


@pytest.mark.parametrize(
    ("language", "name"), mostly_slow(((each, name) for each in ATTACKS for name in ATTACKS[each]), 5)
)
def test_a_program_cannot_write_its_moments(language: str, name: str, sandbox: Sandbox) -> None:
    execution = attack(sandbox, language, name)
    assert execution.ending in ("returned", "raised", "tampered"), execution.words
    assert not is_forged(execution)
    assert execution.trace is not None or execution.ending == "tampered"


class Protection(NamedTuple):
    """A part of a witness that stops an attack, and what stands for it when it is off."""

    language: str
    attack: str
    file: str
    on: str
    off: str


TRACER = pytest.mark.skipif(hasattr(sys, "monitoring"), reason="only Python 3.11 sets a tracer")
PROTECTIONS = [
    pytest.param(
        Protection(
            "python",
            "the tracer, called by the program",
            "moments.py",
            "if instruction in HEADS or (at in self.find_starts(code) and instruction not in WITHIN):",
            "if True:",
        ),
        marks=TRACER,
    ),
    pytest.param(
        Protection(
            "python", "the tracer, called by an operator", "moments.py", "at in self.find_starts(code) and ", ""
        ),
        marks=TRACER,
    ),
    Protection(
        "javascript",
        "a note, called by code that is made",
        "moments.js",
        "return script !== undefined && script.file === mark.file && "
        "apply(getPosition, found[0], []) - script.shift === mark.position;",
        "return true;",
    ),
    Protection("php", "one note", "witness.php", "random_int(1, \\PHP_INT_MAX)", "$number"),
    Protection(
        "java",
        "a note of a line that never runs",
        "Moments.java",
        "return there && frame.getDeclaringClass() == mark.type",
        "return true || frame.getDeclaringClass() == mark.type",
    ),
    Protection(
        "java",
        "a class of the program, loaded once more",
        "Moments.java",
        "frame.getDeclaringClass() == mark.type",
        "frame.getDeclaringClass().getName().equals(mark.type.getName())",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("protection", PROTECTIONS)
def test_an_attack_succeeds_without_its_protection(
    protection: Protection, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    language, name, file, on, off = protection
    plain = Path(languages.__file__).parent.joinpath(language, file).read_text("utf-8")
    assert plain.count(on) == 1
    protected = count_lines(attack(sandbox, language, name))

    read_text = Path.read_text

    def read(path: Path, *given: str, **named: str) -> str:
        return plain.replace(on, off) if path.name == file else read_text(path, *given, **named)

    monkeypatch.setattr(Path, "read_text", read)
    caches = [read_beside, java_runner._describe_compiler]
    try:
        for cache in caches:
            cache.cache_clear()
        with open_sandbox() as weakened:
            assert count_lines(attack(weakened, language, name)) > protected
    finally:
        for cache in caches:
            cache.cache_clear()


def count_lines(execution: Execution) -> int:
    moments = execution.trace.moments if execution.trace else None
    return len(moments.lines) if moments else 0
