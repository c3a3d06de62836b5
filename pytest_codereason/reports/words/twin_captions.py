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
    further = _describe_familiar(model, row)
    if not change.is_significant or change.may_vanish:
        return f"Not certain that {model} recites: published minus fresh is {difference}.{further}"
    if change.value < 0:
        return f"{model} is better with fresh inputs: published minus fresh is {difference}.{further}"
    return (
        f"{model} is better with published inputs, which it may recite: published minus fresh is {difference}.{further}"
    )


def _describe_familiar(model: str, row: Row) -> str:
    """What is added where a changed program was asked about, if the difference is certain."""
    change = row.get("familiar")
    if not isinstance(change, Delta) or not change.is_significant or change.may_vanish or change.value < 0:
        return ""
    difference = format_difference(change)
    return f" The programs are familiar to it, or the changed ones are harder: fresh minus changed is {difference}."


TWIN_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {"recited": _caption_recited}
