"""Facts: absent is not None, names and attributes say the same, and a user's own fact moves itself."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.core import ABSENT, Facts, Fault, Movement, OwnFact, Program
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert, Replace
from pytest_codereason.errors import BadEdit


def test_an_absent_fact_is_not_none() -> None:
    nothing, none = Facts(), Facts(output=None)
    assert "output" not in nothing
    assert "output" in none
    assert none.output is None
    with pytest.raises(KeyError):
        _ = nothing.output
    assert nothing != none
    assert none.replace(output=ABSENT) == nothing


def test_facts_are_read_by_attribute_or_by_name() -> None:
    known: dict[str, Any] = {
        "output": 3,
        "input": "1, 2",
        "reasoning": "It adds.",
        "edges": {"f": ("g",)},
        "fault": Fault(2),
        "specification": "Adds two numbers.",
    }
    facts = Facts(**known)
    assert dict(facts) == known
    assert {name: getattr(facts, name) for name in known} == known
    assert frozenset({"input", "age"}) - facts.keys() == {"age"}


def test_replacing_a_fact_leaves_the_others_and_the_original() -> None:
    facts = Facts(output=3, loops=2)
    assert facts.replace(output=4, depth=1) == Facts(output=4, loops=2, depth=1)
    assert facts == Facts(output=3, loops=2)


def test_facts_are_written_as_python() -> None:
    facts = Facts(output=[1], input="1", fault=Fault(2))
    assert eval(repr(facts), {"Facts": Facts, "Fault": Fault}) == facts


class Loop(OwnFact):
    """The line at which a loop begins, the offset of its name, and the function that holds it."""

    def __init__(self, line: int, offset: int | None, function: str) -> None:
        self.place = (line, offset, function)

    def move(self, movement: Movement) -> Loop:
        line, offset, function = self.place
        assert offset is not None
        return Loop(
            movement.move_line("main", line), movement.move_offset("main", offset), movement.move_name(function)
        )


def test_a_fact_of_a_users_own_moves_itself() -> None:
    source = "def f():\n    for x in y: pass\n"
    facts = Facts(loop=Loop(2, source.index("x"), "f"), colour="red")
    program = Program.from_source(language="python", source=source, facts=facts)
    edits = (Insert(0, "# new\n"), Replace(Span(4, 5), "total"))
    moved = change(program, Change(edits=edits, names={"f": "total"}))
    assert moved.facts["loop"].place == (3, moved.source.index("x"), "total")
    assert moved.facts["colour"] == "red"
    with pytest.raises(BadEdit, match="removes line 2"):
        change(program, Change(edits=(Replace(Span(9, len(source)), ""),)))
