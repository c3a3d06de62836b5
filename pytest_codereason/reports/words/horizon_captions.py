"""Says in words how far models read, and how far beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pytest_codereason.core.text.wording import count, name_place, plural, spell_place
from pytest_codereason.reports.words.caption_rows import group_by_model, list_rows
from pytest_codereason.reports.words.cells import format_cell
from pytest_codereason.reports.words.formatting import format_interval
from pytest_codereason.results.measures.horizon_leads import make_times
from pytest_codereason.results.measures.horizons import HorizonRatio
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import AxisPlace, Count, Label, Times

#: What readers call an axis.
_TITLES = {"steps": "executed steps"}
#: The columns that say where wrong answers stopped.
_STOPS = ("wrong", "start", "way", "lost")


def _caption_horizon(picture: Picture) -> str:
    """``m is right half of the time up to 37 executed steps [29, 48]: 12 in dict to 64 in list.``"""
    sentences = [_describe_model(model, rows, picture.of["axis"]) for model, rows in group_by_model(picture).items()]
    cut = int(picture.of["cut"])
    if cut:
        sentences.append(f"{plural(cut, 'reply')} cut off by a limit {'is' if cut == 1 else 'are'} left out.")
    return " ".join(sentences)


def _describe_model(model: str, rows: Sequence[Row], axis: str) -> str:
    cells = [(row, cell) for row in rows if isinstance(cell := row["horizon"], AxisPlace) and cell.value is not None]
    if not cells:
        return f"Nothing is known of {model}."
    place = cells[0][1]
    text = f"{model} {describe_reach(place, axis)}"
    if not _is_beyond(place):
        text += f" {format_interval(place)}"
    if len(cells) < 3:  # the mean and one cell, or one cell alone
        return f"{text}."
    each = sorted(cells[1:], key=lambda pair: pair[1].value or 0)
    (near, least), (far, most) = each[0], each[-1]
    if _spell(least) == _spell(most):
        return f"{text}, in all {len(each)} cells."
    return f"{text}: {_spell(least)} in {_name(near)} to {_spell(most)} in {_name(far)}."


def describe_reach(place: AxisPlace, axis: str) -> str:
    """``is right half of the time up to 37 executed steps``, or ``up to about 8.6 rounds``."""
    axis, value = _TITLES.get(axis, axis), place.value or 0
    if value < place.lowest:
        return f"is right less than half of the time even at {name_place(axis, f'{place.lowest:,.0f}')}"
    if value >= place.highest:
        last = name_place(axis, f"{place.highest:,.0f}")
        return f"is right more than half of the time up to {last}, the most that was asked"
    named = name_place(axis, _spell(place))
    about = "about " if "." in named and axis.endswith("s") else ""  # there is no part of a step
    return f"is right half of the time up to {about}{named}"


def _is_beyond(place: AxisPlace) -> bool:
    """Whether all of its interval lies beyond one end of the axis, as the sentence says already."""
    return place.low is not None and (place.low >= place.highest or (place.high or 0) < place.lowest)


def _spell(place: AxisPlace) -> str:
    return spell_place(place.value or 0, place.lowest, place.highest)


def _name(row: Row) -> str:
    words = [cell.text for key, cell in row.items() if key != "model" and isinstance(cell, Label) and cell.text]
    return ", ".join(words)


def _caption_ratios(picture: Picture) -> str:
    """``B reads 2.1 times as far as A [1.4, 3.2].`` Pairs that chance explains are named together."""
    sentences, open_pairs = [], []
    for row in list_rows(picture):
        one, other, ratio = read_label(row, "model"), read_label(row, "other"), row["ratio"]
        if not isinstance(ratio, Times):
            continue
        if ratio.is_clear:
            words, _, interval = format_cell(ratio).partition(" [")
            sentences.append(f"{one} reads {words} as {other} [{interval}.")
        else:
            open_pairs.append(f"{one} and {other}")
    if open_pairs:
        sentences.append(f"Not told apart: {'; '.join(open_pairs)}.")
    return " ".join(sentences)


def _caption_stops(picture: Picture) -> str:
    """``Of 40 wrong answers of m, 12 stopped at the start, 5 on the way, 23 in no state of the run.``"""
    return " ".join(_describe_stops(model, rows[0]) for model, rows in group_by_model(picture).items())


def _describe_stops(model: str, row: Row) -> str:
    wrong, start, way, lost = (cell.value if isinstance(cell := row[key], Count) else 0 for key in _STOPS)
    if not wrong:
        return f"No answer of {model} is wrong."
    kinds = f"{count(start)} stopped at the start, {count(way)} on the way, {count(lost)} in no state of the run"
    return f"Of {plural(wrong, 'wrong answer')} of {model}, {kinds}."


def describe_ratio(ratio: HorizonRatio, before: str, after: str) -> str:
    """``B reads 2.1 times as far as A [1.4, 3.2]: half right at 20 executed steps in A, at 42 in B, over 8 cells.``"""
    words, _, interval = format_cell(make_times(ratio, 1)).partition(" [")
    axis = _TITLES.get(ratio.first.axis, ratio.first.axis)
    one, other = (spell_place(side.horizon.value, *side.rungs) for side in (ratio.first, ratio.second))
    start = "" if ratio.is_clear else "No clear difference in how far they read: "
    text = (
        f"{start}{after} reads {words} as {before} [{interval}: half are right at {name_place(axis, one)} in {before}"
    )
    text += f", at {other} in {after}, over {plural(len(ratio.first.cells), 'cell')}"
    if ratio.equal_ends:
        text += f"; in {len(ratio.equal_ends)} of them both lie beyond the same end, which counts as equal"
    return f"{text}."


HORIZON_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {
    "horizon": _caption_horizon,
    "horizon-ratios": _caption_ratios,
    "stopped-at": _caption_stops,
}
