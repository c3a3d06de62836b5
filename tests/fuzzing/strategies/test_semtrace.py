from __future__ import annotations

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from pytest_codereason.core import Program
from pytest_codereason.programs.sources.semtrace import TraceSpec, output
from pytest_codereason.strategies import semtrace_programs, semtrace_specs
from tests.programs.sources.traces import could_make

QUIET = settings(max_examples=500, database=None, suppress_health_check=list(HealthCheck), derandomize=True)


@given(data=st.data(), digits=st.integers(2, 6))
def test_every_example_could_be_made(data: st.DataObject, digits: int) -> None:
    assert could_make(data.draw(semtrace_specs(digits)), digits)


@given(semtrace_programs(["php"], digits=3))
def test_programs_are_those_of_the_source(program: Program) -> None:
    assert program.language == "php"
    assert len(program.facts["output"]) == program.source.count("] = ")
    assert program.call.startswith("f(")


@pytest.mark.parametrize("digits", [2, 4])
def test_the_smallest_example(digits: int) -> None:
    low = 10 ** (digits - 1)
    assert find(semtrace_specs(digits), lambda _: True, settings=QUIET) == TraceSpec(low, (0,) * 4, (0, 1, 2, 3))


def test_numbers_shrink_one_by_one() -> None:
    spec = find(semtrace_specs(), lambda s: any(y <= -7 for y in s.values), settings=QUIET)
    assert (spec.x, len(spec.values), sorted(spec.values), spec.order) == (10, 4, [-7, 0, 0, 0], (0, 1, 2, 3))


def test_assignments_shrink_to_as_few_as_fail() -> None:
    spec = find(semtrace_specs(), lambda s: len(s.values) >= 6, settings=QUIET)
    assert spec == TraceSpec(10, (0,) * 6, tuple(range(6)))


def test_order_shrinks_to_one_swap() -> None:
    spec = find(semtrace_specs(), lambda s: s.order != tuple(sorted(s.order)), settings=QUIET)
    assert len(spec.order) == 4
    assert sum(place != element for place, element in enumerate(spec.order)) == 2


def test_a_carry_shrinks_to_the_smallest_carry() -> None:
    spec = find(semtrace_specs(), lambda s: any(n >= 100 for n in output(s)), settings=QUIET)
    assert max(output(spec)) == 100
    assert len(spec.values) == 4


@pytest.mark.slow
def test_the_first_language_is_the_simplest() -> None:
    assert find(semtrace_programs(), lambda _: True, settings=QUIET).language == "python"
