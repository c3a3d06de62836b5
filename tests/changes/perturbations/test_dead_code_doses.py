"""How much dead code a dose puts into a program, and where."""

from __future__ import annotations

import difflib
import re

import pytest

from pytest_codereason.changes.perturbations.dead_code import DeadCode
from pytest_codereason.core import Dose, Program, Source
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.registry import find, language

pytestmark = pytest.mark.slow
LANGUAGES = ("python", "java", "javascript", "php")


def insert(program: Program, dose: Dose) -> list[tuple[int, list[str]]]:
    """The lines that dead code adds, each stretch with the line of the program before which it stands, from 0."""
    before = program.source.split("\n")
    after = DeadCode().apply(program, Draws(5), dose, "fault").source.split("\n")
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    assert {kind for kind, *_ in steps} <= {"equal", "insert"}, "no line of the program is changed"
    return [(start, after[i:j]) for kind, start, _, i, j in steps if kind == "insert"]


def count_pieces(name: str, lines: list[str]) -> int:
    forms = language(name).dialect.dead_code
    assert forms is not None
    text = "\n".join(lines)
    stems = "|".join([forms.variable, *forms.function_names])
    numbered = set(re.findall(rf"\b(?:{stems})(\d+)", text))
    templates = [re.escape(form).replace(r"%\(name\)s", r"\S+").replace(r"%\(n\)s", r"\d+") for form in forms.globals]
    others = [line.strip() for line in lines if forms.variable not in line]
    return len(numbered) + sum(any(re.fullmatch(each, line) for each in templates) for line in others)


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("name", LANGUAGES)
def test_strength_is_the_number_of_pieces_and_all_stand_in_the_quarter(name: str, place: int) -> None:
    source = find(Source, "corpus").create({}, seed=0)
    tried = 0
    for each in source.names(name):
        program = source.program(name, each, {})
        if len(program.files) > 1 or program.source.count("\n") < 80:
            continue
        lines = program.source.count("\n") + (not program.source.endswith("\n"))
        try:
            counts = []
            for strength in range(1, 9):
                new = insert(program, Dose(strength=strength, place=place))
                counts.append(count_pieces(name, [line for _, stretch in new for line in stretch]))
                for start, _ in new:  # the text may begin with the end of the line before
                    assert not place or place in {min(4, 1 + 4 * line // lines) for line in (start, start - 1)}
        except Skip:
            continue  # nothing can stand in that quarter
        most = max(counts)
        assert counts == [min(strength, most) for strength in range(1, 9)]
        tried += most == 8
        if tried == 2:
            return
    assert tried, "no program has room for eight pieces"
