"""What holds for every perturbation in every language: the folder says which there are."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import NAMED, Part, perturb
from pytest_codereason.core import Dose, Facts, Perturbation, Program
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from pytest_codereason.strategies import semtrace_programs
from tests.changes.perturbations.agreement import (
    LANGUAGES,
    NAMES,
    PAIRS,
    PROGRAMS,
    change_program,
    changes,
    names_of,
    within,
    wrong,
)
from tests.examples import mostly_slow

#: Those that take or move nothing of the program.
INSERTING = [name for name in NAMES if name not in ("rename", "misleading-names", "function-order")]


@pytest.mark.parametrize(("name", "language"), mostly_slow(PAIRS, 3))
def test_every_perturbation_finds_something_and_keeps_the_value(name: str, language: str, sandbox: Sandbox) -> None:
    pairs = [*changes(PROGRAMS[language], name)][:1]
    assert pairs, "these examples have a place for each"
    assert not wrong(pairs, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_the_same_of_more_programs(name: str, language: str, sandbox: Sandbox) -> None:
    pairs = [*changes(PROGRAMS[language], name, seed=1)]
    assert pairs
    assert not wrong(pairs, sandbox)


def orders(names: Sequence[str], length: int) -> list[str]:
    return ["+".join(names) for names in itertools.permutations(names, length)]


@pytest.mark.slow
def test_two_in_any_order_keep_the_value(sandbox: Sandbox) -> None:
    texts = [*orders(NAMES, 2), *NAMED]
    pairs = [pair for text in texts for pair in changes(PROGRAMS["python"][-1:], text)]
    assert len(pairs) >= len(texts)
    assert not wrong(pairs, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_in_any_order_keep_the_value(language: str, sandbox: Sandbox) -> None:
    some = slice(None, None, 3 if language == "python" else 40)
    pairs = [pair for text in orders(NAMES, 3)[some] for pair in changes(PROGRAMS[language][-1:], text)]
    assert not wrong(pairs, sandbox)


@pytest.mark.parametrize("length", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_parser_accepts_every_order(language: str, length: int) -> None:
    speaker = registry.language(language)
    for text in (*orders(NAMES, length), *NAMED):
        for _, program in changes(PROGRAMS[language], text):
            assert speaker.syntax.check(program.source) == "", program.source


#: Words in a name that would tell that its code is no part of the program, or does nothing.
TELLING = re.compile(
    r"idle|dead|unused|useless|never|unreach|fake|dummy|noop|nothing|junk|garbage|trap|decoy|endless|forever|"
    r"ignore|distract|mislead|inject|insert|perturb|mutat|obfuscat|confus",
    re.IGNORECASE,
)


def declared_names(program: Program) -> set[str]:
    code = registry.language(program.language).syntax.parse(program.source, program.call)
    return {binding.name for binding in code.bindings} | {function.name for function in code.functions}


@pytest.mark.parametrize(("name", "language"), PAIRS)
def test_no_name_that_is_added_tells_that_it_is(name: str, language: str) -> None:
    dialect = registry.language(language).dialect
    for original, changed in (pair for seed in range(8) for pair in changes(PROGRAMS[language], name, seed)):
        added = declared_names(changed) - declared_names(original)
        assert not [each for each in added if TELLING.search(each)], changed.source
        if name == "psc-all" and dialect.dead_code:
            assert not [each for each in added if each.startswith(dialect.dead_code.variable)], changed.source


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_dead_code_tells_that_it_is(language: str) -> None:
    forms = registry.language(language).dialect.dead_code
    assert forms
    texts = [*forms.function_names, *forms.functions, *forms.branches, *forms.globals, forms.variable]
    assert not [text for text in texts if TELLING.search(text)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Program, str]:
    language = draw(st.sampled_from(LANGUAGES))
    programs: st.SearchStrategy[Program] = st.sampled_from(PROGRAMS[language])
    if language != "java":
        programs |= semtrace_programs([language])
    return draw(programs), draw(st.sampled_from(NAMES))


@given(cases(), st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 12))
def test_more_strength_keeps_what_less_changes(case: tuple[Program, str], seed: int, one: int, other: int) -> None:
    program, name = case
    kind: type[Perturbation] = registry.find(Perturbation, name)
    least, most = kind.strengths
    texts = []
    for strength in sorted((one, other)):
        part = Part(kind, Dose(strength=min(max(strength, least), most)))
        try:
            texts.append(perturb(program, [part], seed, "x", "output").source)
        except Skip:
            return
    normal = registry.language(program.language).syntax.normalise(program.source).text
    weak, strong = texts
    if name in INSERTING:
        assert within(normal, weak), weak
        assert within(weak, strong), f"{weak}\n{strong}"
    assert len(names_of(weak) & names_of(normal)) >= len(names_of(strong) & names_of(normal))


@given(cases(), st.integers(0, 2**32), st.floats(0, 1))
def test_the_same_seed_gives_the_same_text_that_parses(case: tuple[Program, str], seed: int, density: float) -> None:
    program, name = case
    try:
        first, second = (change_program(program, f"{name}(density={density:.2f})", seed) for _ in range(2))
    except Skip:
        return
    assert first == second
    registry.language(program.language).syntax.parse(first.source, first.call)


@given(semtrace_programs(["python"]), st.sampled_from(NAMES), st.integers(0, 2**32))
def test_generated_programs_keep_their_value(program: Program, name: str, seed: int) -> None:
    for original, variant in changes([program], name, seed):
        scope: dict[str, object] = {}
        exec(variant.source, scope)
        assert eval(variant.call, scope) == original.facts["output"]


#: Programs of four quarters alike, four lines each. A hint stands in the function that is called, so all of its
#: quarters lie in one function; names that are renamed appear in one quarter only.
FOUR_FUNCTIONS = "".join(
    f"def f{number}(x):\n    if x > {number}:\n        x = x + {number}\n    return x\n" for number in range(4)
)
FOUR_RETURNS = "def f(x):\n" + "".join(
    f"    if x == {number}:\n        return {number} + x\n    x = x + 0\n    x = x - 0\n" for number in range(4)
).removesuffix("    x = x - 0\n")
QUARTERED = {
    name: Program.from_source(language="python", source=FOUR_RETURNS, call="f(3)", facts=Facts(output=6, input="3"))
    if name == "hint"
    else Program.from_source(language="python", source=FOUR_FUNCTIONS, call="f0(4)", facts=Facts(output=4, input="4"))
    for name in NAMES
    # A definition that is moved comes into another quarter, and a name that is changed is changed in all.
    if name not in ("vanilla", "function-order", "misleading-names")
}
#: So much that every quarter is changed, where a perturbation alone changes less.
STRENGTHS = {"hint": "strength=9,", "dead-code": "strength=99,"}
PLACES = [*itertools.product(QUARTERED, (1, 2, 3, 4))]


def changes_only_quarter(before: str, after: str, place: int) -> bool:
    """Whether two programs differ in one quarter of the first, and nowhere else."""
    lines = before.splitlines(keepends=True)
    assert len(lines) == 16
    start, end = "".join(lines[: 4 * (place - 1)]), "".join(lines[4 * place :])
    return before != after and len(after) >= len(start + end) and after.startswith(start) and after.endswith(end)


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_a_place_says_where(name: str, place: int) -> None:
    program = QUARTERED[name]
    after = change_program(program, f"{name}({STRENGTHS.get(name, '')}place={place})").source
    assert changes_only_quarter(program.source, after, place)


@pytest.mark.parametrize(("name", "place"), PLACES)
def test_without_a_place_all_quarters_are_changed(name: str, place: int) -> None:
    """So the test above fails where the place of a dose is ignored."""
    program = QUARTERED[name]
    after = change_program(program, f"{name}({STRENGTHS.get(name, '')}density=1)").source
    assert not changes_only_quarter(program.source, after, place)
