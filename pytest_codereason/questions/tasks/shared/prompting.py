"""The axes and template values that tasks share: how a question is asked, and where it stands."""

from __future__ import annotations

from pytest_codereason.core import Axis, Instance
from pytest_codereason.core.programs import is_whole

QUERIES = ("after", "before", "both")


def make_prompting_axis(*ways: str) -> Axis:
    """The axis ``prompting``, which takes one of ``ways``; the first is the default."""
    return Axis.of_words("prompting", ways)


def make_query_axis(what: str) -> Axis:
    """The axis ``query``: whether ``what`` is asked after the code, before it, or both, which long contexts need."""
    return Axis(
        name="query",
        default=QUERIES[0],
        allowed=f"{', '.join(QUERIES)} (where {what} stands, seen from the code)",
        accepts=lambda value: value in QUERIES,
        short="query",
    )


def make_shots_axis(most: int) -> Axis:
    """The axis ``shots``: how many worked examples stand before the question, at most ``most``."""
    return Axis(
        name="shots",
        default=0,
        allowed=f"whole numbers from 0 to {most}",
        accepts=lambda value: is_whole(value, 0, most),
        short="shots",
    )


def describe_query(instance: Instance) -> dict[str, bool]:
    """The values ``query_before`` and ``query_after`` of a template."""
    query = instance.axes.get("query", QUERIES[0])
    return {"query_before": query != "after", "query_after": query != "before"}
