"""The ladder: programs of the right level, the same for a seed, right in every language."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.core.execution import Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.engine.building.drafts import begin
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.languages.python import Python
from pytest_codereason.programs.sources.ladder import EXAMPLES, LARGEST, LEVELS, Ladder, draw
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.sandbox import Sandbox

TOP = len(LEVELS)


def read_sources(ladder: Ladder, level: int, count: int, language: str = "python") -> list[str]:
    programs = [ladder.program(language, f"{i:04d}", {"level": level}) for i in range(count)]
    return [f"{program.source}{program.call}" for program in programs]


@pytest.mark.parametrize("level", range(1, TOP + 1))
def test_a_seed_gives_the_same_programs_in_any_order_and_number(level: int) -> None:
    few, many = Ladder(3, seed=7), Ladder(20, seed=7)
    backwards = [many.program("python", f"{i:04d}", {"level": level}) for i in reversed(range(20))][::-1]
    assert read_sources(few, level, 3) == [f"{one.source}{one.call}" for one in backwards[:3]]
    assert read_sources(Ladder(3, seed=8), level, 3) != read_sources(few, level, 3)


def test_programs_are_what_they_were() -> None:
    """The same on every machine: drawn with the one method of Random whose results Python promises to keep."""
    program = Ladder(1, seed=2026).program("python", "0000", {"level": 5})
    assert program.source == "def f(n):\n    for i in range(2):\n        n += 4\n    return n\n"
    assert (program.call, program.facts.output) == ("f(87)", 95)


@pytest.mark.parametrize("level", range(1, TOP + 1))
def test_no_two_programs_are_the_same(level: int) -> None:
    ladder = Ladder(50, seed=1)
    examples = [f"{one.source}{one.call}" for one in ladder.shots("python", "0000", {"level": level}, EXAMPLES)]
    sources = read_sources(ladder, level, 50) + examples
    assert len(set(sources)) == len(sources)


@given(st.integers(1, TOP - 1), st.integers(0, 2**32))
def test_a_level_has_nothing_of_the_levels_above(level: int, seed: int) -> None:
    drawn = draw(level, Draws(seed))
    if drawn is None:
        return
    module, output = drawn
    source = registry.language("python").printer.write_program(module)
    assert abs(output) <= LARGEST
    assert ("if " in source) <= (level in (4, 6, 7))
    assert ("for " in source) == (level >= 5)
    assert (source.count("def ") == 2) == (level == 7)
    assert all(word not in source for word in ("while", "'", "[", "and", "%"))


def test_outputs_are_what_python_returns(sandbox: Sandbox) -> None:
    check_outputs(("python",), 4, sandbox)


@pytest.mark.slow
def test_every_program_of_the_suite_is_right_in_every_language(sandbox: Sandbox) -> None:
    check_outputs(("python", "javascript", "php", "java"), 10, sandbox)


def check_outputs(languages: tuple[str, ...], count: int, sandbox: Sandbox) -> None:
    ladder = Ladder(count, seed=2026)
    programs = [
        ladder.program(language, f"{i:04d}", {"level": level})
        for language, level, i in itertools.product(languages, range(1, TOP + 1), range(count))
    ]
    runs = [Run.from_source(language=one.language, source=one.source, call=one.call) for one in programs]
    for program, execution in zip(programs, sandbox.run_all(runs), strict=True):
        values = registry.language(program.language).values
        assert execution.returned, program.source
        assert values.equal(execution.value, program.facts.output), program.source


def test_settings_are_checked() -> None:
    assert Ladder.create({"count": 3}, seed=5).identity == {"name": "ladder", "version": 1, "count": 3, "seed": 5}
    for settings in ({"count": 0}, {"count": 1001}, {"counts": 3}, {"count": True}, {"seed": 1.5}):
        with pytest.raises(BadSetting):
            Ladder.create(settings, seed=5)
    assert not Ladder.axes["level"].accepts(TOP + 1)
    with pytest.raises(UsageError, match="0000 to 0002"):
        Ladder(3, seed=1).program("python", "0003", {"level": 1})


class OwnPython(Python):
    """A language of one's own, with everything that Python has."""

    name = f"{__name__}:OwnPython"


@pytest.mark.parametrize("source", ["ladder", "semtrace"])
def test_programs_are_printed_in_a_language_of_ones_own(source: str, tmp_path: Path) -> None:
    path = tmp_path / "own.suite.toml"
    text = f'task = "output-prediction"\nlanguages = ["{{}}"]\n[source]\nname = "{source}"\ncount = 1\n'
    path.write_text(text.format(OwnPython.name))
    (spec,) = load(path).specs()
    assert spec.id == f"{OwnPython.name}/0000"
    assert begin(load(path), spec).program.source == begin(load(path), spec._replace(language="python")).program.source
    for name in ("tests.toy:Toy", "tests.toy:Nothing", "Python"):
        path.write_text(text.format(name))
        with pytest.raises(UsageError, match=f"unknown language {name!r}"):
            load(path)
