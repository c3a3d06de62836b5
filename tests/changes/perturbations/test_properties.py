"""What holds for every perturbation and for compositions in any order, over traps, generated and real programs."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.fuzzing.strategies.compositions import CHANGES
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import perturbations, programs
from tests.changes.perturbations.agreement import agrees, change_program, names_of, within, wrong
from tests.changes.perturbations.data_sets import cruxeval, cruxeval_x
from tests.changes.perturbations.drawn_texts import LANGUAGES, MEASURED, ORDERS, list_emitted, texts, trap
from tests.changes.perturbations.traps import TRAPS
from tests.examples import examples, take_every
from tests.sandbox.known_failures import LANGUAGES as SHORT
from tests.sandbox.scripts import list_failing

#: Of so many changes each trap is tried under one, and of so many programs of a data set one is tried.
EVERY = take_every(8)


@pytest.fixture(scope="module")
def trap_programs(sandbox: Sandbox) -> Mapping[tuple[str, str], Program]:
    """The traps with what they return unchanged."""
    keys = [(language, name) for language in LANGUAGES for name in TRAPS[language]]
    traps = [trap(*key) for key in keys]
    executions = sandbox.run_all([Run.from_program(p) for p in traps])
    by_trap = {}
    for key, program, execution in zip(keys, traps, executions, strict=True):
        assert execution.returned, (key, execution.words, execution.stderr)
        by_trap[key] = replace(program, facts=program.facts.replace(output=execution.value))
    return by_trap


def assert_values_kept(pairs: list[tuple[Program, Program]], sandbox: Sandbox) -> None:
    """Fails where a changed program is refused by the second parser, or returns something else."""
    for _, program in pairs:
        assert registry.language(program.language).syntax.check(program.source) == "", program.source
    broken = wrong(pairs, sandbox)
    assert not broken, "\n".join(broken)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_traps(language: str, trap_programs: Mapping[tuple[str, str], Program], sandbox: Sandbox) -> None:
    pairs = [
        pair
        for name in TRAPS[language]
        for text in ORDERS[: 1 if language == "java" else 2]
        for pair in list_emitted(trap_programs[language, name], text, 0)
    ]
    assert len(pairs) >= len(TRAPS[language])
    assert_values_kept(pairs, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_traps_under_compositions_in_any_order(
    language: str, trap_programs: Mapping[tuple[str, str], Program], sandbox: Sandbox
) -> None:
    rng = random.Random(5)
    texts = ["+".join(rng.sample(CHANGES, rng.randint(2, len(CHANGES)))) for _ in range(3)]
    texts += [*CHANGES, *ORDERS]  # every trap under every eighth of them
    assert_values_kept(
        [
            pair
            for place, name in enumerate(TRAPS[language])
            for seed, text in [*enumerate(texts)][place % EVERY :: EVERY]
            for pair in list_emitted(trap_programs[language, name], text, seed)
        ],
        sandbox,
    )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_generated_programs(language: str, sandbox: Sandbox) -> None:
    @settings(max_examples=examples(6 if language == "java" else 15))
    @given(programs([language]), perturbations(most=len(CHANGES)), st.integers(0, 2**32))
    def check(program: Program, text: str, seed: int) -> None:
        for original, variant in list_emitted(program, text, seed):
            assert registry.language(language).syntax.check(variant.source) == "", variant.source
            execution = sandbox.run(Run.from_program(variant))
            assert agrees(original, execution), f"{execution.words}\n{variant.source}\n{variant.call}"
            assert change_program(program, text, seed) == variant

    check()


@st.composite
def shapes(draw: st.DrawFn) -> Program:
    """A trap or a generated program."""
    language = draw(st.sampled_from(LANGUAGES))
    traps = st.sampled_from(list(TRAPS[language])).map(lambda name: trap(language, name))
    return draw(traps | programs([language]))


#: Those that keep the order of what they do not change.
ORDERED = [name for name in MEASURED if name != "function-order"]


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(shapes(), st.sampled_from(ORDERED), st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 12))
def test_more_strength_changes_a_superset(program: Program, name: str, seed: int, one: int, other: int) -> None:
    weak, strong = min(one, other), max(one, other)
    try:
        less, more = (
            change_program(program, f"{name}(strength={strength})", seed).source for strength in (weak, strong)
        )
    except Skip:
        return
    normal = registry.language(program.language).syntax.normalise(program.source).text
    if name in ("rename", "misleading-names"):
        name_sets = [names_of(normal) - names_of(text) for text in (less, more)]
        new = [names_of(text) - names_of(normal) for text in (less, more)]
        assert name_sets[0] <= name_sets[1]
        assert new[0] <= new[1]
    else:
        assert within(normal, less)
        assert within(less, more)


@settings(max_examples=examples(25))
@given(shapes(), st.sampled_from(ORDERED), st.integers(0, 2**32), st.floats(0, 1), st.floats(0, 1))
def test_more_density_changes_no_fewer_places(program: Program, name: str, seed: int, one: float, other: float) -> None:
    thin, dense = sorted((round(one, 2), round(other, 2)))
    try:
        less, more = (change_program(program, f"{name}(density={density})", seed).source for density in (thin, dense))
    except Skip:
        return
    normal = registry.language(program.language).syntax.normalise(program.source).text
    if name in ("rename", "misleading-names"):
        assert names_of(normal) - names_of(less) <= names_of(normal) - names_of(more)
    else:
        assert within(less, more)


@pytest.mark.slow
def test_another_process_with_other_hashes_gives_the_same_texts() -> None:
    command = "import json; from tests.changes.perturbations.drawn_texts import texts; print(json.dumps(texts()))"
    environment = os.environ | {"PYTHONHASHSEED": "17"}
    process = subprocess.run(
        [sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(process.stdout) == texts()


#: A script is what it prints, so nothing is printed in one.
SILENT = [name for name in MEASURED if name != "prints"]


def drawn_texts(count: int, seed: int, names: Sequence[str] = MEASURED) -> list[str]:
    """Compositions of several parts, each in a drawn order; hints need what a whole file lacks."""
    rng = random.Random(seed)
    return ["+".join(rng.sample(names, rng.randint(2, len(names)))) for _ in range(count)]


@pytest.mark.slow
def test_cruxeval_under_compositions(sandbox: Sandbox) -> None:
    """Every eighth program under a composition and an order of its own."""
    rows = cruxeval()
    pairs = [
        pair
        for number, (program, text) in [*enumerate(zip(rows, drawn_texts(len(rows), 3), strict=True))][::EVERY]
        for pair in list_emitted(program, text, number)
    ]
    assert len(pairs) > 0.97 * len(rows) / EVERY
    assert_values_kept(pairs, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("short", SHORT)
def test_cruxeval_x_under_compositions(short: str, sandbox: Sandbox) -> None:
    """The same for the other languages, whose programs test themselves."""
    rows = cruxeval_x(short, half=1)
    variants = {
        (number, text): variant
        for (number, program), text in [*zip(rows.items(), drawn_texts(len(rows), 4, SILENT), strict=True)][::EVERY]
        for _, variant in list_emitted(program, text, number)
    }
    assert len(variants) > 0.96 * len(rows) / EVERY
    assert not list_failing(variants, sandbox)
