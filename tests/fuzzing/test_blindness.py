"""Scripted models with one blindness each: found, and shrunk to the least that shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.core import Program
from pytest_codereason.core.text.change_pieces import list_pieces
from pytest_codereason.fuzzing.probes import count_statements, measure_change
from tests.examples import take_every
from tests.fuzzing.blind import CODE, BelievesDeadCode, Blindness, CannotAddAbove999, IgnoresElif, blind
from tests.fuzzing.conftest import READS, SURVIVES, Fuzzed
from tests.servers import Answer, Body, Server

COMMENTS = """
@settings(max_examples=150)
@given(case=perturbed(programs(["python"]), perturbations(["comments"])))
def test_comments(case, codereason):
    codereason.survives(case)
"""
SAID = re.compile(r"found with (\d+) requests, shrunk with (\d+) more")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("how", "test", "least", "seed"),
    [
        (IgnoresElif, READS, 5, 0),  # the function, if with elif, a statement under each, return
        (CannotAddAbove999, READS, 2, 1),  # the function, return
        (BelievesDeadCode, SURVIVES, 2, 0),
    ],
)
def test_a_blindness_is_found_and_shrunk(
    fuzzed: Fuzzed, how: type[Blindness], test: str, least: int, seed: int
) -> None:
    fuzzed.test(test)
    with Server(blind(how)) as server:
        result = fuzzed.run(server, f"--eval-seed={seed}")
    assert result.ret == 1
    searched, shrunk = map(int, SAID.findall(result.stdout.str())[0])
    assert searched + shrunk == len(server.requests)
    assert searched < 150
    assert shrunk < 300
    counterexample = fuzzed.read_counterexample()
    program: Program = counterexample["ORIGINAL" if test is SURVIVES else "PROGRAM"]
    assert count_statements(program) <= least, program.source
    if test is SURVIVES:
        assert measure_change(program, counterexample["CHANGED"])[0] == 1


def believe(text: str) -> Answer:
    """A model that reads programs as they are, but for those with such a text."""
    reads = blind()

    def answer(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        code = CODE.findall(str(messages[0]["content"]))[-1]
        return "'nonsense'" if re.search(text, code) else reads(messages, body)

    return answer


@pytest.mark.parametrize("seed", range(2 // take_every(2)))
def test_a_change_keeps_no_piece_that_it_does_not_need(fuzzed: Fuzzed, seed: int) -> None:
    """A branch and a function, because neither alone misleads, and nothing besides."""
    both = believe(r"(?s)(?=.*def [gh]\d)(?=.*Temp_Var)")
    result, _ = fuzzed.ask(SURVIVES, both, f"--eval-seed={seed}")
    assert result.ret == 1
    counterexample = fuzzed.read_counterexample()
    assert len(list_pieces(counterexample["ORIGINAL"].source, counterexample["CHANGED"].source)) == 2


@pytest.mark.parametrize(
    ("believed", "seed"),
    [(r"return[^\n]*#", 0), (r"def f[^\n]*#", 1)],
    ids=["return", "function"],
)
def test_a_belief_in_some_comments_is_shrunk_to_one_comment(fuzzed: Fuzzed, believed: str, seed: int) -> None:
    """One comment, whichever of the places that a comment may have is the one that is believed."""
    result, _ = fuzzed.ask(COMMENTS, believe(believed), f"--eval-seed={seed}")
    assert result.ret == 1
    counterexample = fuzzed.read_counterexample()
    assert counterexample["CHANGED"].source.count("#") == 1
    assert count_statements(counterexample["ORIGINAL"]) <= 3
