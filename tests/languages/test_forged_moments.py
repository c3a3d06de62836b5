"""Programs that try to write moments of their own run. What comes of each is tampering, or the moments that were."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pytest_codereason import languages
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.moments import LineProbe
from pytest_codereason.languages.frame.files import read_beside
from pytest_codereason.languages.python import tracer
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.sandbox.tiers import open_sandbox

FILE = "main.py"
#: Around each attack: line 2 runs twice, with another value each time. Line 5 never runs.
AROUND = """def a(n):
    n = n + 1
    return n
def b(n):
    return n
a(1)
{attack}
a(2)
"""
PROBE = LineProbe(FILE, 2, ("n",))


def read_attacks() -> dict[str, str]:
    """The text of each attack, by its name."""
    text = Path(__file__).with_name("forgeries").joinpath("moments-python.txt").read_text("utf-8")
    parts = [part.partition("\n") for part in text.removeprefix("=== ").split("\n=== ")]
    return {name: source for name, _, source in parts}


ATTACKS = read_attacks()


def attack(sandbox: Sandbox, name: str) -> Execution:
    source = AROUND.replace("{attack}", ATTACKS[name])
    return sandbox.run(Run(language="python", files={FILE: source}, entry=FILE, witnessed="moments", probes=(PROBE,)))


def is_forged(execution: Execution) -> bool:
    """Whether the trace says what did not happen, or leaves out what did."""
    if execution.trace is None or execution.trace.moments is None or not execution.trace.moments.whole:
        return False
    moments = execution.trace.moments
    [values] = moments.list_seen()
    return moments.lines.count(2) != 2 or 5 in moments.lines or values != [[1], [2]]


@pytest.mark.parametrize("name", ATTACKS)
def test_a_program_cannot_write_its_moments(name: str, sandbox: Sandbox) -> None:
    execution = attack(sandbox, name)
    assert execution.ending in ("returned", "raised", "tampered"), execution.words
    assert not is_forged(execution)
    assert execution.trace is not None or execution.ending == "tampered"


#: By the attack that it stops: the text of a protection, and what stands for it when it is off.
PROTECTIONS = {
    "the tracer, called by the program": (
        "if instruction in HEADS or (at in self.find_starts(code) and instruction not in WITHIN):",
        "if True:",
    ),
    "the tracer, called by an operator": ("at in self.find_starts(code) and ", ""),
}


@pytest.mark.skipif(hasattr(sys, "monitoring"), reason="only Python 3.11 sets a tracer")
@pytest.mark.parametrize("name", PROTECTIONS)
def test_an_attack_succeeds_without_its_protection(
    name: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    on, off = PROTECTIONS[name]
    plain = Path(languages.__file__).parent.joinpath("python", "moments.py").read_text("utf-8")
    assert plain.count(on) == 1
    protected = count_lines(attack(sandbox, name))

    def read(module: str, file: str) -> str:
        return plain.replace(on, off) if file == "moments.py" else read_beside(module, file)

    monkeypatch.setattr(tracer, "read_beside", read)
    with open_sandbox() as weakened:
        assert count_lines(attack(weakened, name)) > protected


def count_lines(execution: Execution) -> int:
    assert execution.trace is not None, execution.words
    assert execution.trace.moments is not None
    return len(execution.trace.moments.lines)
