"""How many of the questions that a gate is about a run has asked, and how many programs it has left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pytest_codereason.core import AxisValue
from pytest_codereason.core.text.wording import count, plural
from pytest_codereason.results.runs.run_info import SuiteInfo

if TYPE_CHECKING:
    from pytest_codereason.results.verdicts.quantities import Term


def find_gap(
    suite: SuiteInfo, conditions: Sequence[Mapping[str, AxisValue]], has: int, verb: str, because: str | None
) -> str | None:
    """``180 of 400 questions asked``: the part of the questions under these conditions; ``None`` if it is all of them.

    Args:
        has: how many of these questions the run has.
        verb: what became of these.
        because: why the run is a part of its suites, ``None`` if it says that it is not. It is the answer for a run
            that does not say how many questions its suites have.
    """
    whole = 0
    for where in conditions:
        many = suite.count_questions(where)
        if many is None:
            return because
        whole += many
    return f"{count(has)} of {plural(whole, 'question')} {verb}" if has < whole else None


def count_left(suite: SuiteInfo, terms: Sequence[Term]) -> int | None:
    """How many families of the whole suite a random sample of it has left; ``None`` if the run does not say.

    Args:
        terms: what was asked in the sample. A family of which a part was asked is among those that are left.
    """
    wholes = {suite.count_families(term.where) for term in terms}
    whole = wholes.pop()
    if wholes or whole is None:
        return None
    done: list[set[str]] = []
    for term in terms:
        if (term.rows["cluster"].astype(str) != term.rows["family"].astype(str)).any():
            return None  # the families are repositories, and nobody has counted those
        asked = term.rows[["family", "id"]].drop_duplicates()["family"].astype(str).value_counts()
        done.append(
            {str(family) for family, many in asked.items() if many * whole == suite.count_questions(term.where)}
        )
    return whole - len(set.intersection(*done))
