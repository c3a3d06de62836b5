"""Cases: a program and a change of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse
from pytest_codereason.core import Facts, Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import UsageError
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import Case, perturbations, perturbed, programs
from tests.examples import examples

LANGUAGES = registry.list_printed_languages()

FEW = settings(max_examples=examples(25), deadline=None)


@FEW
@given(perturbed(programs(["python"]), perturbations()))
def test_a_case_changes_the_program_and_keeps_its_value(case: Case) -> None:
    variant = case.changed()
    assert variant == case.changed()
    assert variant.source != case.original.source
    scope: dict[str, object] = {}
    exec(variant.source, scope)
    assert eval(variant.call, scope) == case.program.facts["output"]


@FEW
@given(perturbed(programs(), perturbations()))
def test_a_case_can_be_pasted(case: Case) -> None:
    assert eval(repr(case), {"Case": Case, "Facts": Facts, "Program": Program}) == case


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_change_keeps_the_value_in_the_real_interpreter(language: str, sandbox: Sandbox) -> None:
    """Each change alone, and all in compositions."""
    cases: list[Case] = []
    names = [name for name in registry.list_shipped(Perturbation) if name != "vanilla"]
    for number, among in enumerate([names, *([name] for name in names)]):

        @seed(number)
        @settings(max_examples=2 if language == "java" else 4, database=None, deadline=None)
        @given(perturbed(programs([language]), perturbations(among)))
        def collect(case: Case) -> None:
            cases.append(case)

        collect()
    assert len({case.program.sha for case in cases}) > len(names)
    variants = [case.changed() for case in cases]
    runs = [Run.from_source(language=language, source=program.source, call=program.call) for program in variants]
    for case, program, execution in zip(cases, variants, sandbox.run_all(runs), strict=True):
        equal = registry.language(language).values.equal
        assert execution.returned, f"{case}: {execution.words}\n{program.source}"
        assert equal(execution.value, case.program.facts["output"]), f"{case}\n{program.source}"


@settings(max_examples=examples(100))
@given(perturbations(["tests.changes.stages.own_perturbations:Undosed"]))
def test_a_part_that_takes_no_dose_gets_none(value: str) -> None:
    assert value == "tests.changes.stages.own_perturbations:Undosed"


@given(st.integers(1, 3).flatmap(lambda most: st.tuples(st.just(most), perturbations(most=most))))
def test_compositions_are_read(count_and_text: tuple[int, str]) -> None:
    most, text = count_and_text
    parts = parse(text)
    assert 1 <= len(parts) <= most
    assert len({part.kind for part in parts}) == len(parts)


def test_a_simpler_case_lacks_one_piece_of_the_change() -> None:
    program = Program.from_source(language="python", source="def f(n):\n    n += 1\n    return n\n", call="f(1)")
    case = Case(program, "comments(strength=3)")
    assert case.changed().source.count("#") == 3
    single: list[Case] = []
    fewer: list[Case] = []
    for simpler in case.list_simpler():
        (single if simpler.kept is None else fewer).append(simpler)
    assert {simpler.changed().source.count("#") for simpler in single} == {1}
    assert [simpler.kept for simpler in fewer] == [(1, 2), (0, 2), (0, 1)]
    assert {simpler.changed().source.count("#") for simpler in fewer} == {2}
    again = [simpler for simpler in fewer[0].list_simpler() if simpler.kept is not None]
    known = {simpler.changed().source for simpler in single}  # a piece alone may be one of these
    lone = [replace(fewer[0], kept=(number,)) for number in (2, 1)]
    assert again == [case for case in lone if case.changed().source not in known]
    assert again
    assert eval(repr(fewer[0]), {"Case": Case, "Program": Program, "Facts": Facts}) == fewer[0]


@pytest.mark.slow
def test_the_simplest_case() -> None:
    shrink = settings(database=None, deadline=None, phases=(Phase.generate, Phase.shrink))  # explaining takes long
    case = find(perturbed(programs(), perturbations()), lambda _: True, settings=shrink)
    assert (case.perturbation, case.seed) == ("comments(strength=1)", 0)
    assert case.program.source == "def f(n):\n    return n\n"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "needs at least one name"),
        (["none"], "'none' changes nothing"),
        (["rename", "vanilla"], "'vanilla' changes nothing"),
        (["unheard-of"], "unknown perturbation 'unheard-of'"),
        (["dead_code"], r"unknown perturbation 'dead_code' \(did you mean 'dead-code'\?\)"),
        ("comments", r"takes a list of names: perturbations\(\['comments'\]\)"),
    ],
)
def test_what_cannot_be_is_said(names: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        perturbations(names)
