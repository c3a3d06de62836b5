"""Changed programs of PHP say nothing that the original does not say: no warning, no notice, no deprecation."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping

import pytest

from pytest_codereason.changes.stages.perturbation import NAMED
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.agreement import NAMES, agrees, changes
from tests.examples import take_every

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("CODEREASON_DATA" not in os.environ, reason="CODEREASON_DATA names no folder with cruxeval-x"),
]

#: What a message says of places and names; a change moves the one and renames the other.
_PLACES_AND_NAMES = re.compile(r"\$\w+|\w+(?=\(\))| on line \d+")

#: Each so many-th program is tried.
EVERY = take_every(16)


def count_messages(execution: Execution) -> Counter[str]:
    """The messages of all levels: the harness asks for them on the output for errors."""
    return Counter(_PLACES_AND_NAMES.sub("", line) for line in execution.stderr.splitlines() if line.strip())


@pytest.fixture(scope="module")
def originals(sandbox: Sandbox) -> Mapping[str, tuple[Program, Execution]]:
    """The programs that return what their tests expect, by their text, each with how it ran unchanged."""
    source = CruxEvalX.create({}, seed=0)
    programs = [source.program("php", name, {}) for name in [*source.names("php")][::EVERY]]
    runs = sandbox.run_all([Run.from_program(program) for program in programs])
    ended = {p.source + p.call: (p, run) for p, run in zip(programs, runs, strict=True) if agrees(p, run)}
    assert len(ended) > 0.98 * len(programs)
    return ended


#: Every place for dead code as well, because a place may lie in a closure.
TEXTS = [*NAMES, *NAMED, "dead-code(strength=100)"]


@pytest.mark.parametrize("text", TEXTS)
def test_no_new_message(text: str, originals: Mapping[str, tuple[Program, Execution]], sandbox: Sandbox) -> None:
    pairs = [*changes([program for program, _ in originals.values()], text)]
    runs = sandbox.run_all([Run.from_program(variant) for _, variant in pairs])
    for (original, variant), run in zip(pairs, runs, strict=True):
        assert agrees(original, run), f"{run.words}\n{variant.source}"
        _, unchanged = originals[original.source + original.call]
        added = count_messages(run) - count_messages(unchanged)
        assert not added, f"{dict(added)}\n{variant.source}"
    # A program is one function, and not each has a condition.
    expected = {"function-order": 0, "conditions": 450 // EVERY}
    assert len(pairs) >= expected.get(text, len(originals) - 5)
