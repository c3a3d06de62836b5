"""Strategies for SemTrace programs, from the same generator as the source.

A strategy draws the numbers of a program field by field instead of drawing a seed, so that
Hypothesis can shrink each on its own: towards few assignments, small numbers and lines in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from pytest_codereason.core import Program
from pytest_codereason.programs.sources import semtrace
from pytest_codereason.programs.sources.semtrace import TraceSpec


@st.composite
def semtrace_specs(draw: st.DrawFn, digits: int = 2) -> TraceSpec:
    """Specs of SemTrace programs with numbers of ``digits`` digits (2 to 6).

    The generator could make each of them, see :func:`~pytest_codereason.programs.sources.semtrace.could_make`.
    """
    length = draw(st.integers(*semtrace.LENGTHS))
    x = draw(st.integers(*semtrace.x_range(digits)))
    values = draw(st.lists(st.integers(*semtrace.y_range(digits)), min_size=length, max_size=length))
    order = draw(st.permutations(range(length)))
    return TraceSpec(x, tuple(values), tuple(order))


def semtrace_programs(languages: Sequence[str] | None = None, digits: int = 2) -> st.SearchStrategy[Program]:
    """SemTrace programs in one of ``languages``, by default in all languages that can write them.

    Hypothesis shrinks to the first of the languages.
    """
    known = languages or semtrace.list_languages()
    return st.builds(semtrace.build, semtrace_specs(digits), st.sampled_from(list(known)))
