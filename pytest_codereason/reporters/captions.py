"""The sentence beneath each picture: what it shows, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from pytest_codereason.reporters.formatting import (
    format_cell,
    format_difference,
    format_estimate,
    format_growth,
    format_share,
)
from pytest_codereason.results.pictures import Panel, Picture, Point
from pytest_codereason.results.values import Cell, Count, Delta, Estimate, Label, Number, Share, Trend

Row = Mapping[str, Cell]


def write_caption(picture: Picture) -> str:
    """The picture's own sentence, else the sentence that its kind has here, else nothing."""
    return picture.sentence or (_CAPTIONS[picture.kind](picture) if picture.kind in _CAPTIONS else "")


def _caption_baseline(picture: Picture) -> str:
    return "The share of right answers where the program stands alone, with 95 % intervals in brackets."


def _caption_reading_level(picture: Picture) -> str:
    """Where each model stops to read, language by language."""
    sentences = []
    for model, rows in _group_by_model(picture).items():
        places = [
            f"{format_cell(cell)} in {_read_text(row, 'language')}"
            for row in rows
            if isinstance(cell := row["reading_level"], Estimate)
        ]
        if places:
            sentences.append(f"Reading level of {model}: {', '.join(places)}.")
    return " ".join(sentences) or "No model answered at every level."


# --- by position ---------------------------------------------------------------------------------


def _caption_position(picture: Picture) -> str:
    """The line that varies most along the positions."""
    metric = picture.of["metric"]
    spreads = []
    points = []
    for panel, label, known in _list_known(picture.panels):
        points += known
        low, high = (extreme(known, key=_read_value) for extreme in (min, max))
        spreads.append((_read_value(high) - _read_value(low), label, panel.title, low, high))
    if not spreads:
        return "No answer is scored at any position."
    width, label, length, low, high = max(spreads, key=lambda spread: spread[0])
    if width == 0:
        if len({point.value for point in points}) > 1:
            return f"{metric} is the same at every position."
        vaguest = max(points, key=lambda point: (point.high or 0.0) - (point.low or 0.0))
        return f"{metric} is {format_estimate(vaguest)} at every position."
    return (
        f"{metric} varies most for {label} with {length}: "
        f"{format_estimate(low)} at {low.x:g} %, {format_estimate(high)} at {high.x:g} %."
    )


def _caption_position_change(picture: Picture) -> str:
    """The largest drop against the best position: of one line with its interval, of several lines their median."""
    drops: dict[str, tuple[Point, str]] = {}
    undefined = set()
    for panel in picture.panels:
        for label, points in panel.lines.items():
            if label == picture.of["summary_line"]:
                continue
            drop = _find_largest_drop(points)
            if drop is None:
                undefined.add(label)
            elif label not in drops or _read_value(drop) > _read_value(drops[label][0]):
                drops[label] = drop, panel.title
    sentences = []
    if len(drops) > 1:
        middle = median(_read_value(drop) for drop, _ in drops.values())
        sentences.append(f"The median of the largest relative drops of {len(drops)} lines is {middle:.2f} %.")
    if drops:
        label, (drop, length) = max(drops.items(), key=lambda item: _read_value(item[1][0]))
        interval = "" if drop.low is None or drop.high is None else f" [{drop.low:.1f}, {drop.high:.1f}]"
        sentences.append(
            f"{label} drops by {drop.value:.1f} %{interval} from its best, at position {drop.x:g} % with {length}."
            if drop.value
            else f"{label} does not drop at any position."
        )
    if undefined and not drops:
        sentences.append("Undefined: no answer is right at any position.")
    elif undefined - drops.keys():
        sentences.append(
            f"Undefined, with no right answer at any position: {'; '.join(sorted(undefined - drops.keys()))}."
        )
    return " ".join(sentences)


def _find_largest_drop(points: Sequence[Point]) -> Point | None:
    """The largest drop in percent (0 to 100) at the position where it is, ``None`` if nothing is defined.

    Its interval is that of the two compared positions. It does not account for the choice of the positions.
    """
    known = [point for point in points if point.value is not None]
    worst = min(known, key=_read_value, default=None)
    if worst is None:
        return None
    low, high = (None if end is None else -end for end in (worst.high, worst.low))
    return Point(x=worst.x, value=-_read_value(worst), low=low, high=high, n=worst.n)


def _caption_dissociation(picture: Picture) -> str:
    clauses, defined = [], 0
    for panel in picture.panels:
        kind, suite = panel.title.split(": ", 1)
        drops = [
            _read_value(drop) for points in panel.lines.values() if (drop := _find_largest_drop(points)) is not None
        ]
        defined += len(drops)
        fall = f"drops by {median(drops):.1f} % at most" if drops else "has no right answer at any position"
        lines = f" (median of {len(drops)} lines)" if len(drops) > 1 else ""
        clauses.append(f"{kind} recall in {suite} {fall}{lines}")
    if not defined:
        clauses = ["neither lexical nor semantic recall has a right answer at any position"]
    return f"With {picture.of['length']}, {'; '.join(clauses)}."


# --- by lines removed ----------------------------------------------------------------------------


def _caption_sensitivity(picture: Picture) -> str:
    sentences = []
    for row in _list_rows(picture):
        sensitivity, programs, trend = row["sensitivity"], row["programs"], row["trend"]
        if not (isinstance(sensitivity, Estimate) and isinstance(programs, Count) and isinstance(trend, Trend)):
            sentences.append(f"{_read_text(row, 'model')} has no sensitivity: it was right about no whole program.")
            continue
        noun = "program" if programs.value == 1 else "programs"
        sentences.append(
            f"{_read_text(row, 'model')} has a sensitivity of {format_estimate(sensitivity)} over {programs.value:,} "
            f"{noun}; its trend falls by {100 * trend.half_loss:.1f} % when half the lines are removed."
        )
    return " ".join(sentences) or "Nothing was asked."


# --- by perturbation -----------------------------------------------------------------------------


def _caption_robustness(picture: Picture) -> str:
    """The largest significant drop, else the largest significant gain, else that there is neither."""
    changes = [
        (_name_condition(picture, row), delta)
        for row in _list_rows(picture)
        if isinstance(delta := row["change"], Delta) and delta.low is not None
    ]
    if not changes:
        return f"Nothing can be compared with {picture.of['reference']}."
    name, worst = min(changes, key=lambda change: change[1].value if change[1].is_significant else 0.0)
    if worst.is_significant and worst.value < 0:
        return f"Largest significant drop: {_format_change(name, worst)}."
    name, best = max(changes, key=lambda change: change[1].value if change[1].is_significant else 0.0)
    if best.is_significant and best.value > 0:
        return f"No significant drop. Largest significant gain: {_format_change(name, best)}."
    if not any(delta.value for _, delta in changes):
        return "The mean is the same under every perturbation."
    return f"No significant change. Lowest: {_format_change(*min(changes, key=lambda change: change[1].value))}."


def _name_condition(picture: Picture, row: Row) -> str:
    """``MODEL under hint, cot``."""
    assert picture.table is not None
    keys = [column.key for column in picture.table.columns]
    return f"{_read_text(row, 'model')} under {', '.join(_read_text(row, key) for key in keys[1 : keys.index('n')])}"


def _format_change(name: str, delta: Delta) -> str:
    return f"{name}, {format_difference(delta)} over {delta.pairs:,} {'pair' if delta.pairs == 1 else 'pairs'}"


def _caption_defences(picture: Picture) -> str:
    """For each model: its largest significant gain and loss, and how many of its rewritings broke the program."""
    sentences = []
    for model, rows in _group_by_model(picture).items():
        changes = [
            (
                delta.value,
                f"under {_read_text(row, 'perturbation')} with {_read_text(row, 'defence')}: "
                f"{format_difference(delta)}",
            )
            for row in rows
            if isinstance(delta := row["change"], Delta) and delta.is_significant
        ]
        extremes = [("gains", max(changes)), ("loses", min(changes))] if changes else []
        clauses = [f"{verb} most {text}" for verb, (value, text) in extremes if (value > 0) == (verb == "gains")]
        sentences.append(
            f"{model} {' and '.join(clauses)}." if clauses else f"No defence changes {model} significantly."
        )
        broken, missing = (_add_shares(row[key] for row in rows) for key in ("broken", "missing"))
        if missing.whole:
            none_came = f"; {format_share(missing)} replies had no rewriting" if missing.part else ""
            sentences.append(f"Its rewritings broke the program in {format_share(broken)}{none_came}.")
    return " ".join(sentences)


def _caption_density(picture: Picture) -> str:
    return _describe_densities(picture, ".3f")


def _caption_token_density(picture: Picture) -> str:
    return _describe_densities(picture, ",.0f")


def _describe_densities(picture: Picture, form: str) -> str:
    sentences = []
    for panel, label, known in _list_known(picture.panels):
        if len(known) < 2:
            continue
        first, last = known[0], known[-1]
        start, end = f"{first.value:{form}}", f"{last.value:{form}}"
        if {f"{point.value:{form}}" for point in known} == {start}:
            course = f"stays at {start}"
        elif start == end:
            course = f"comes back to {start} at {last.x:g}"
        else:
            course = f"goes from {start} at {first.x:g} to {end} at {last.x:g}"
        sentences.append(f"{label} {course} under {panel.title}.")
    return " ".join(sentences) or "No density has a scored answer."


# --- reasoning and agreement ---------------------------------------------------------------------


def _caption_tokens(picture: Picture) -> str:
    sentences = []
    for model, rows in _group_by_model(picture).items():
        growths = [
            (delta.relative, f"{format_growth(delta)} under {_read_text(row, 'perturbation')}")
            for row in rows
            if isinstance(delta := row["growth"], Delta) and delta.relative is not None
        ]
        growth = (
            f"Largest growth of {model} against {picture.of['reference']}: {max(growths)[1]}"
            if growths
            else f"The tokens of {model} are unknown"
        )
        collapsed = _add_shares(row["collapsed"] for row in rows)
        sentences.append(f"{growth}; collapsed: {format_share(collapsed)}.")
    return " ".join(sentences)


def _caption_doubt(picture: Picture) -> str:
    sentences = []
    for panel in picture.panels:
        totals = {value: sum(map(_read_value, points)) for value, points in panel.lines.items() if points}
        if not totals:
            continue
        worst = max(totals, key=lambda value: totals[value])
        points = panel.lines[worst]
        first, second = (sum(map(_read_value, half)) for half in (points[:5], points[5:]))
        sentences.append(
            f"{panel.title} doubts most under {worst}: {totals[worst]:.1f} words of doubt per answer, "
            f"{first:.1f} in the first half of its trace and {second:.1f} in the second."
        )
    return " ".join(sentences) or "No answer has a trace."


def _caption_one_trace(picture: Picture) -> str:
    sentences = []
    for row in _list_rows(picture):
        first, second = _count_of(row, "first"), _count_of(row, "second")
        model, question, outcome = (_read_text(row, key) for key in ("model", "question", "outcome"))
        ending = ", then it collapsed" if _read_text(row, "collapsed") == "yes" else ""
        sentences.append(
            f"{model} on {question} ({outcome}): {first + second:,} words of doubt, {first:,} in the first half of the "
            f"trace and {second:,} in the second{ending}."
        )
    return f"The longest trace among the answers that were not right. {' '.join(sentences)}"


def _caption_stability(picture: Picture) -> str:
    rows = list(_list_rows(picture))
    same = sum(_count_of(row, "right") + _count_of(row, "wrong") for row in rows)
    whole = sum(_count_of(row, "questions") for row in rows)
    spread, widest = max(
        ((cell.value, row) for row in rows if isinstance(cell := row["spread"], Number)), key=lambda pair: pair[0]
    )
    assert picture.table is not None
    keys = [column.key for column in picture.table.columns]
    values = ", ".join(_read_text(widest, key) for key in keys[1 : keys.index("questions")])
    name = f"{_read_text(widest, 'model')} under {values}" if values else _read_text(widest, "model")
    return (
        f"{format_share(Share(same, whole))} questions are always right or always wrong. Accuracy varies most "
        f"between the rounds of {name}, with a standard deviation of {spread:.4f}."
    )


# --- shared --------------------------------------------------------------------------------------


def _list_rows(picture: Picture) -> Iterable[Row]:
    return picture.table.named_rows() if picture.table is not None else ()


def _group_by_model(picture: Picture) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in _list_rows(picture):
        groups.setdefault(_read_text(row, "model"), []).append(row)
    return groups


def _list_known(panels: Sequence[Panel]) -> Iterable[tuple[Panel, str, list[Point]]]:
    """The panel, the label and the defined points of every line that has any."""
    for panel in panels:
        for label, points in panel.lines.items():
            if known := [point for point in points if point.value is not None]:
                yield panel, label, known


def _read_value(point: Point) -> float:
    return point.value or 0.0


def _read_text(row: Row, key: str) -> str:
    cell = row[key]
    return cell.text if isinstance(cell, Label) else ""


def _count_of(row: Row, key: str) -> int:
    cell = row[key]
    return cell.value if isinstance(cell, Count) else 0


def _add_shares(cells: Iterable[Cell]) -> Share:
    shares = [cell for cell in cells if isinstance(cell, Share)]
    return Share(sum(share.part for share in shares), sum(share.whole for share in shares))


_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {
    "baseline": _caption_baseline,
    "reading-level": _caption_reading_level,
    "position": _caption_position,
    "position-change": _caption_position_change,
    "dissociation": _caption_dissociation,
    "sensitivity": _caption_sensitivity,
    "robustness": _caption_robustness,
    "defences": _caption_defences,
    "density": _caption_density,
    "density-tokens": _caption_token_density,
    "tokens": _caption_tokens,
    "doubt": _caption_doubt,
    "one-trace": _caption_one_trace,
    "stability": _caption_stability,
}
