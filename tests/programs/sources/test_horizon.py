"""The horizon: the same programs for a seed, as many executed steps as asked for, each state of the run known."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import AxisValue
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.horizon.states import STATES
from pytest_codereason.programs.sources.horizon import EXAMPLES, Horizon
from pytest_codereason.questions.suites.reading import load
from tests.programs.horizon.drawn import list_forms
from tests.toy import Toy

LANGUAGES = registry.list_printed_languages()
SOURCE = """\
def f(a, b, c, d):
    for i in range(2):
        if b < a:
            d = (d + 14) % 100
        else:
            d = (d + 70) % 100
        c = (c + d) % 100
        a = (a + b) % 100
        b = (b + c) % 100
    return [a, b, c, d]
"""


def list_axes(steps: int = 12) -> list[dict[str, AxisValue]]:
    return [{"state": state, "form": form, "steps": steps} for state in STATES for form in list_forms(state)]


@pytest.mark.parametrize("state", STATES)
def test_a_seed_gives_the_same_programs_in_any_order_and_number(state: str) -> None:
    axes: dict[str, AxisValue] = {"state": state, "form": list_forms(state)[-1], "steps": 12}
    few, many = Horizon(3, seed=7), Horizon(20, seed=7)
    backwards = [many.program("python", f"{i:04d}", axes) for i in reversed(range(20))][::-1]
    for i in range(3):
        one = few.program("python", f"{i:04d}", axes)
        assert (one.source, one.call, one.facts.output) == (
            backwards[i].source,
            backwards[i].call,
            backwards[i].facts.output,
        )
    assert Horizon(3, seed=8).program("python", "0000", axes).sha != backwards[0].sha


def test_programs_are_what_they_were() -> None:
    """The same on every machine: drawn with the one method of Random whose results Python promises to keep."""
    program = Horizon(1, seed=2026).program("python", "0000", {"state": "int", "form": "looped", "steps": 8})
    assert program.source == SOURCE
    assert (program.call, program.facts.output) == ("f(98, 90, 24, 12)", [28, 30, 90, 40])


@pytest.mark.parametrize("steps", [0, 1, 12])
def test_no_two_programs_are_the_same(steps: int) -> None:
    horizon = Horizon(100, seed=1)
    axes: dict[str, AxisValue] = {"state": "digits", "form": "unrolled", "steps": steps}
    programs = [horizon.program("python", name, axes) for name in horizon.names("python")]
    assert len({program.call for program in programs}) == len(programs)


def test_worked_examples_have_three_steps_and_are_no_programs() -> None:
    horizon = Horizon(50, seed=1)
    for state in STATES:
        axes: dict[str, AxisValue] = {"state": state, "form": "unrolled", "steps": 3}
        examples = horizon.shots("python", "0000", {**axes, "steps": 64}, EXAMPLES)
        assert [example.facts["executed"] for example in examples] == [3, 3]
        calls = [horizon.program("python", name, axes).call for name in horizon.names("python")]
        assert not {example.call for example in examples} & {*calls}
    with pytest.raises(UsageError, match="2 worked examples, not 3"):
        horizon.shots("python", "0000", {}, 3)


def test_the_facts_tell_the_run() -> None:
    for axes in list_axes():
        for language in LANGUAGES:
            values = registry.language(language).values
            facts = Horizon(1, seed=3).program(language, "0000", axes).facts
            assert facts["executed"] == 12
            assert len(facts["states"]) == len([*facts["states"]]) == 13
            assert values.equal(facts["states"][-1], facts.output)
            assert not any(values.equal(state, facts.output) for state in facts["states"][:-1])
            assert values.equal(values.read(values.write(facts.output)).value, facts.output)


def test_no_step_returns_the_start() -> None:
    for axes in list_axes(steps=0):
        facts = Horizon(1, seed=3).program("python", "0000", axes).facts
        assert [*facts["states"]] == [facts.output]


def test_a_list_grows_by_a_number_a_step() -> None:
    """The start stays as it is, so a condition is as easy late as early."""
    facts = Horizon(1, seed=3).program("python", "0000", {"state": "grow", "form": "unrolled", "steps": 256}).facts
    assert [len(state) for state in facts["states"]] == [*range(4, 261)]
    assert all(state[:4] == facts["states"][0] for state in facts["states"])


def test_more_steps_of_a_loop_are_no_longer_text() -> None:
    horizon = Horizon(5, seed=3)
    for state in STATES:
        if STATES[state].loops:
            short, long = ({"state": state, "form": "looped", "steps": steps} for steps in (16, 4096))
            assert len(horizon.program("python", "0000", long).source.splitlines()) <= 1.3 * len(
                horizon.program("python", "0000", short).source.splitlines()
            )


@pytest.mark.slow
def test_a_question_is_built_in_fifty_milliseconds() -> None:
    """Of processor time, at 1,024 steps, on the mean of all states and forms."""
    horizon, cells = Horizon(6, seed=5), list_axes(steps=1024)
    began = time.process_time()
    for axes, name in itertools.product(cells, horizon.names("python")):
        horizon.program("python", name, axes)
    assert (time.process_time() - began) / (6 * len(cells)) < 0.05


def test_settings_are_checked() -> None:
    assert Horizon.create({"count": 3}, seed=5).identity == {"name": "horizon", "version": 1, "count": 3, "seed": 5}
    for settings in ({"count": 0}, {"count": 1001}, {"counts": 3}, {"seed": 1.5}):
        with pytest.raises(BadSetting):
            Horizon.create(settings, seed=5)
    with pytest.raises(UsageError, match="0000 to 0002"):
        Horizon(3, seed=1).program("python", "0003", {})


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ('state = ["lists"]', "'state' cannot be 'lists' (did you mean 'list'?): it takes int, digits, grow, list,"),
        ('form = ["unroled"]', "'form' cannot be 'unroled' (did you mean 'unrolled'?)"),
        ("steps = [-1]", "'steps' cannot be -1: it takes whole numbers from 0 to 65,536"),
        ("steps = [2.5]", "'steps' cannot be 2.5"),
        ("steps = [100000]", "'steps' cannot be 100000"),
        ('form = ["unrolled"]\nsteps = [8, 1536]', "'unrolled' over 'int' have at most 1,024 steps, not 1,536"),
        ('form = ["unrolled"]\nstate = ["grid"]\nsteps = [768]', "over 'grid' have at most 512 steps, not 768"),
        ('state = ["int", "digits"]', "a loop over 'digits' soon repeats, so it has no form 'looped'"),
    ],
)
def test_what_does_not_exist_is_said_in_a_line(tmp_path: Path, lines: str, complaint: str) -> None:
    path = tmp_path / "own.suite.toml"
    path.write_text(f'task = "output-prediction"\n[source]\nname = "horizon"\n[matrix]\n{lines}\n')
    with pytest.raises(UsageError) as error:
        load(path)
    assert complaint in str(error.value)
    assert str(error.value).startswith(f"{path}:")
    assert "\n" not in str(error.value)


def test_a_language_without_a_printer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.suite.toml"
    path.write_text(f'task = "output-prediction"\nlanguages = ["{Toy.name}"]\n[source]\nname = "horizon"\n')
    with pytest.raises(
        UsageError, match=r"unknown language 'tests\.toy:Toy': the source horizon has python, javascript"
    ):
        load(path)
