"""Programs that keep their own layout and comments behave as before under every perturbation."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.files.program_folders import read_program
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.agreement import LANGUAGES, NAMES

CORPUS = Path(__file__).parents[3] / "corpus"
#: A hint needs the value of a call, and a script gets no prints.
KINDS = [name for name in NAMES if name not in ("hint", "prints")]
COMPOSED = "function-order+dead-code(strength=8)+misleading-names(strength=8)+misleading-comments(strength=8)"


def change_in_turn(language: str, step: int) -> list[tuple[str, Program, Program]]:
    """Programs of the corpus, each under one perturbation or under all of the fourth study."""
    texts = [*KINDS, COMPOSED]
    changed = []
    for number, folder in enumerate(sorted(CORPUS.glob(f"{language}/*"))[::step]):
        program = read_program(folder, registry.language(language))
        text = texts[number % len(texts)]
        try:
            changed.append((text, program, perturb(program, parse(text), number, folder.name, "output", keep="layout")))
        except Skip:
            continue
    return changed


def check_behaviour(changed: list[tuple[str, Program, Program]], sandbox: Sandbox) -> None:
    runs = [Run.from_program(program) for _, before, after in changed for program in (before, after)]
    executions = list(sandbox.run_all(runs))
    for (text, _, after), first, second in zip(changed, executions[::2], executions[1::2], strict=True):
        ends = [(e.returned, e.value, e.stdout, e.message) for e in (first, second)]
        assert ends[0] == ends[1], f"{text}: {second.words}\n{after.text}"


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_parser_accepts_what_keeps_its_layout(language: str) -> None:
    check = registry.language(language).syntax.check
    for _, before, after in change_in_turn(language, 12):
        changed = [text for file, text in after.files.items() if text != before.files[file]]
        assert not [complaint for text in changed[:2] if (complaint := check(text))]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_that_keep_their_layout_behave_as_before(language: str, sandbox: Sandbox) -> None:
    changed = change_in_turn(language, 2 if language in ("php", "typescript") else 5)
    assert len(changed) > 9
    check_behaviour(changed, sandbox)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_but_the_places_of_a_perturbation_changes(language: str) -> None:
    folder = sorted(CORPUS.glob(f"{language}/*"))[3]
    program = read_program(folder, registry.language(language))
    assert perturb(program, parse("vanilla"), 0, "x", "output", keep="layout") == program
    changed = perturb(program, parse("misleading-names(strength=1)"), 0, "x", "output", keep="layout")
    for file, text in program.files.items():
        assert changed.files[file].count("\n") == text.count("\n")
    commented = perturb(program, parse("comments(strength=2)"), 0, "x", "output", keep="layout")
    for file, text in program.files.items():
        rest = iter(commented.files[file])
        assert all(character in rest for character in text), "a character of the program is missing"
