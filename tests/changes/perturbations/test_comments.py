from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason.changes.perturbations._messages import read_messages
from pytest_codereason.changes.perturbations.comments import Comments
from pytest_codereason.core import Dose
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import DoesNotParse, Skip
from pytest_codereason.programs.sources.cruxeval_x import CruxEvalX
from pytest_codereason.registry import language
from tests.changes.perturbations.calls import add_comments, program
from tests.changes.perturbations.programs import PROGRAMS
from tests.examples import examples, take_every

SAID = [message for messages in read_messages().values() for message in messages]


MARKS = {name: "# " if name == "python" else "// " for name in PROGRAMS}
PLACEMENTS = ("end-of-line", "own-line")


def list_added(name: str, source: str) -> list[str]:
    """The comments of a program, without what marks them."""
    return [line.partition(MARKS[name])[2] for line in source.splitlines() if MARKS[name] in line]


def list_messages(name: str, source: str) -> list[str]:
    """The messages of a program, each with the code of its line in front."""
    return [
        f"{code.strip()} {message.strip()}"
        for code, _, comment in (line.partition(MARKS[name]) for line in source.splitlines())
        for message in re.findall(r"[^.]+\.", comment)
    ]


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", PROGRAMS)
@settings(max_examples=examples(15))
@given(seed=st.integers(0, 2**64 - 1), density=st.floats(0, 1), strength=st.none() | st.integers(1, 20))
def test_nothing_but_comments_is_added(
    name: str, placement: str, seed: int, density: float, strength: int | None
) -> None:
    lang, plain = language(name), language(name).syntax.normalise(PROGRAMS[name]).text
    source = add_comments(name, Dose(density=density, strength=strength, placement=placement), seed)
    assert lang.syntax.normalise(source).text == plain
    messages = [message for comment in list_added(name, source) for message in re.findall(r"[^.]+\.", comment)]
    assert {message.strip() for message in messages} <= {*SAID}
    assert strength is None or len(messages) <= strength
    assert [code for line in source.splitlines() if (code := line.partition(MARKS[name])[0].rstrip())] == [
        line for line in plain.splitlines() if line
    ]


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_more_strength_and_density_keep_the_comments_of_less(name: str, placement: str) -> None:
    for doses in (
        [Dose(strength=n, placement=placement) for n in (1, 2, 5, 9)] + [Dose(placement=placement)],
        [Dose(density=share, placement=placement) for share in (0.0, 0.2, 0.5, 0.9)] + [Dose(placement=placement)],
    ):
        messages = [list_messages(name, add_comments(name, dose, 3)) for dose in doses]
        for fewer, more in pairwise(messages):
            left = iter(more)
            assert all(message in left for message in fewer), "a stronger dose changes what a weaker one does"
        assert len(messages[0]) < len(messages[-1])


def test_a_place_is_a_quarter_of_the_file() -> None:
    for placement in PLACEMENTS:
        lines = add_comments("python", Dose(place=4, placement=placement)).splitlines()
        assert [line for line in lines[:12] if "# " in line] == []
        assert [line for line in lines[12:] if "# " in line] != []


SOURCE = (
    'def f(xs):\n    """Doc."""\n    for x in xs:\n        if x:\n            return x\n'
    "        elif f(x):\n            xs.pop()\n        y = xs.pop()\n"
)


def show_shape(source: str) -> list[str]:
    """The lines of a program, with the kind of each message in its place."""
    kinds = {message: kind for kind, messages in read_messages().items() for message in messages}
    for message, kind in kinds.items():
        source = source.replace(message, kind)
    return source.splitlines()


def test_comments_stand_at_the_ends_of_their_lines() -> None:
    variant = Comments().apply(program("python", SOURCE), Draws(1), Dose(), "output").source
    assert show_shape(variant) == [
        "def f(xs):  # function",
        '    """Doc."""',
        "    for x in xs:  # for",
        "        if x:  # if",
        "            return x  # return",
        "        elif f(x):  # if",
        "            xs.pop()  # pop",
        "        y = xs.pop()  # assignment pop",
    ]


def test_comments_stand_on_lines_of_their_own_if_told_so() -> None:
    variant = Comments().apply(program("python", SOURCE), Draws(1), Dose(placement="own-line"), "output").source
    assert show_shape(variant) == [
        "def f(xs):",
        '    """Doc."""',
        "    # function",
        "    # for",
        "    for x in xs:",
        "        # if",
        "        if x:",
        "            # return",
        "            return x",
        "        elif f(x):",
        "            # if",
        "            # pop",
        "            xs.pop()",
        "        # assignment",
        "        # pop",
        "        y = xs.pop()",
    ]


def test_a_program_without_a_place_is_left_out() -> None:
    with pytest.raises(Skip, match="no place"):
        Comments().apply(program("python", "pass\n"), Draws(0), Dose(), "output")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_cruxeval_keeps_its_code(name: str) -> None:
    if not Path(os.environ.get("CODEREASON_DATA", ""), "cruxeval.jsonl").exists():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval.jsonl")
    lang, source = language(name), CruxEvalX.create({}, seed=0)
    count = 0
    for known in [*source.names(name)][:: take_every(4)]:
        plain = source.program(name, known, {})
        try:
            text = lang.syntax.normalise(plain.source).text
            variant = Comments().apply(program(name, text), Draws(count), Dose(), "output").source
        except (Skip, DoesNotParse):
            continue
        assert lang.syntax.normalise(variant).text == text
        count += 1
    assert count > 500 // take_every(4)
