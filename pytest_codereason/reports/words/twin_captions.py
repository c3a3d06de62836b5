"""Says in words whether a model recites."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_codereason.reports.words.caption_rows import list_rows
from pytest_codereason.reports.words.formatting import format_difference
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import Delta


def _caption_recited(picture: Picture) -> str:
    """``m is better with published inputs: +8.0 points [+4.0, +12.0]. It may recite them.``"""
    return " ".join(map(_describe_model, list_rows(picture)))


def _describe_model(row: Row) -> str:
    model, change = read_label(row, "model"), row["recited"]
    if not isinstance(change, Delta):
        return f"Nothing can be compared of {model}."
    difference = format_difference(change)
    if not change.is_significant or change.may_vanish:
        return f"Not certain that {model} recites: published less fresh is {difference}."
    if change.value < 0:
        return f"{model} is better with fresh inputs: published less fresh is {difference}."
    return f"{model} is better with published inputs, which it may recite: published less fresh is {difference}."


TWIN_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {"recited": _caption_recited}
