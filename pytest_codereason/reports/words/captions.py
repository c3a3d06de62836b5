"""The sentence beneath each picture: what it shows, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from pytest_codereason.core.text.wording import capitalise, plural
from pytest_codereason.reports.words.caption_rows import (
    add_shares,
    count_compared,
    group_by_model,
    list_known,
    list_rows,
    read_count,
    read_value,
    sums_up,
)
from pytest_codereason.reports.words.cells import format_cell
from pytest_codereason.reports.words.fault_captions import FAULT_CAPTIONS
from pytest_codereason.reports.words.formatting import format_estimate, format_growth, format_share
from pytest_codereason.reports.words.horizon_captions import HORIZON_CAPTIONS
from pytest_codereason.reports.words.perturbation_captions import PERTURBATION_CAPTIONS
from pytest_codereason.reports.words.twin_captions import TWIN_CAPTIONS
from pytest_codereason.results.measures.claims import Reach, select_clear
from pytest_codereason.results.pictures import Panel, Picture, Row, read_label
from pytest_codereason.results.statistics.chance import find_clear
from pytest_codereason.results.values import Count, Delta, Estimate, Label, Number, Share, Trend, Undefined, Why

_NAMED = 3  # more names than this make no sentence


def write_caption(picture: Picture) -> str:
    """The picture's own sentence, else the sentence that its kind has here, else nothing.

    A picture that holds nothing but scales has no sentence: no sentence is about them.
    """
    if picture.sentence:
        return picture.sentence
    caption = _CAPTIONS.get(picture.kind)
    return caption(picture) if caption and not picture.is_unspoken else ""


def _caption_baseline(picture: Picture) -> str:
    return "The share of right answers where the program stands alone, with 95 % intervals in brackets."


def _caption_reading_level(picture: Picture) -> str:
    """Where each model stops to read, language by language."""
    sentences = []
    for model, rows in group_by_model(picture).items():
        places = [
            f"{format_cell(cell)} in {', '.join(_list_conditions(row))}"
            for row in rows
            if isinstance(cell := row["reading_level"], Estimate)
        ]
        if places:
            sentences.append(f"Reading level of {model}: {', '.join(places)}.")
    return " ".join(sentences) or "No model answered at every level."


def _list_conditions(row: Row) -> list[str]:
    """The language of a row, and the values of the axes that tell it from other rows of its model."""
    return [cell.text for key, cell in row.items() if key != "model" and isinstance(cell, Label)]


# --- by position ---------------------------------------------------------------------------------


def _caption_position(picture: Picture) -> str:
    """Which lines clearly vary along the positions; all lines are judged together."""
    metric = picture.of["metric"]
    known = list_known(picture)
    points = [point for _, _, course in known for point in course]
    if not points:
        return "No answer is scored at any position."
    known = [line for line in known if len(line[2]) > 1]
    if not known:
        return f"{metric} was asked at one position only."
    points = [point for _, _, course in known for point in course]
    if len({point.value for point in points}) == 1:
        vaguest = max(points, key=lambda point: (point.high or 0.0) - (point.low or 0.0))
        return f"{metric} is {format_estimate(vaguest)} at every position."
    if all(len({point.value for point in course}) == 1 for _, _, course in known):
        return f"{metric} is the same at every position."
    return f"{metric} by position. {_describe_courses(picture)}"


def _describe_courses(picture: Picture) -> str:
    """Which lines depend on the position, after a correction for having looked at all of them."""
    known = [(panel, label) for panel, label, _ in list_known(picture) if label in panel.p]
    clear = find_clear([panel.p[label] for panel, label in known])
    named = [f"{label} with {panel.title}" for (panel, label), is_clear in zip(known, clear, strict=True) if is_clear]
    if not named:
        denial = "No line depends clearly on the position"
        question = "a line depends on the position"
        return _weigh_lines(picture, known, len(known)).deny(denial, question, count_compared(len(known), "line"))
    if len(named) > _NAMED:
        named = [*named[:_NAMED], f"{len(named) - _NAMED} more"]
    return f"Clearly dependent on the position ({count_compared(len(known), 'line')}): {'; '.join(named)}."


def _weigh_lines(picture: Picture, lines: Sequence[tuple[Panel, str]], claims: int) -> Reach:
    """Whether any of these lines could have depended clearly on the position."""
    places = {(panel.title, label): len(course) for panel, label, course in list_known(picture)}
    courses = [(panel.programs.get(label, 0), places[panel.title, label]) for panel, label in lines]
    return Reach.of_courses(courses, claims)


def _caption_position_change(picture: Picture) -> str:
    """Which lines clearly depend on the position, and which are undefined and why."""
    known = list_known(picture)
    defined, undefined = {label for _, label, _ in known}, dict[str, list[str]]()
    for panel in picture.panels:
        for label, points in panel.lines.items():
            if not (label in defined or sums_up(picture, label) or picture.leaves_out(label)):
                undefined.setdefault(label, []).extend(point.why for point in points if point.why)
    reasons = [f"{label} ({' or '.join(sorted(set(whys)))})" for label, whys in sorted(undefined.items())]
    if not defined:
        return f"Undefined: {'; '.join(reasons)}." if reasons else "Nothing to compare."
    unchanged = all(not point.value for _, _, points in known for point in points)
    sentence = "No line changes with the position." if unchanged else _describe_courses(picture)
    return f"{sentence} Undefined: {'; '.join(reasons)}." if reasons else sentence


def _caption_largest_drops(picture: Picture) -> str:
    """The study's headline: medians over models, in the words of the table."""
    medians = [
        f"{read_label(row, 'model')}, {read_label(row, 'length')}: {format_cell(row['relative'], 'relative')}, "
        f"by chance alone {format_cell(row['chance'], 'relative')}"
        for row in list_rows(picture)
        if read_label(row, "model").startswith("median over") and read_label(row, "length") == "all lengths"
    ]
    chance = (
        "A largest drop is above zero by chance alone: beside it stands the mean of those that the same answers give "
        "if the position has no effect. The figure by position says which lines depend on it."
    )
    return " ".join([*(f"{capitalise(text)}." for text in medians), chance])


def _caption_dissociation(picture: Picture) -> str:
    """For each kind of recall: the largest drop, and for how many lines it is clear of chance."""
    known = list_known(picture)
    clear = dict(
        zip(
            ((panel.title, label) for panel, label, _ in known),
            find_clear([panel.p.get(label) for panel, label, _ in known]),
            strict=True,
        )
    )
    clauses = []
    for panel in picture.panels:
        kind, suite = panel.title.split(": ", 1)
        drops = {label: abs(min(map(read_value, points))) for one, label, points in known if one is panel}
        sure = sum(clear[panel.title, label] for label in drops)
        if not drops:
            whys = {point.why for points in panel.lines.values() for point in points}
            what = "no right answer" if whys == {Why.NEVER_RIGHT} else "no answer to compare"
            clauses.append(f"{kind} recall in {suite} has {what} at any position")
        elif not sure and max(drops.values()):
            lines = [(one, label) for one, label, _ in known if one is panel]
            reach = _weigh_lines(picture, lines, len(known) - sum(clear.values()))
            denial = f"{kind} recall in {suite} does not depend clearly on the position"
            question = f"{kind} recall in {suite} depends on the position"
            clauses.append(reach.deny(denial, question).rstrip("."))
        else:
            if len(drops) > 1 and picture.of["lines"] != "models":  # a median is over models, never over axes
                clauses.append(f"{kind} recall in {suite} drops clearly in {sure} of {len(drops)} lines")
                continue
            of = f" (median of {len(drops)} models, {sure} of them clear)" if len(drops) > 1 and sure else ""
            chances = [abs(panel.chance[label]) for label in drops if label in panel.chance]
            alone = f", by chance alone by {median(chances):.1f} %" if chances else ""
            clauses.append(f"{kind} recall in {suite} drops by {median(drops.values()):.1f} % at most{of}{alone}")
    if not known:
        clauses = ["neither lexical nor semantic recall has a right answer at any position"]
    return f"With {picture.of['length']}, {'; '.join(clauses)}."


# --- by lines removed ----------------------------------------------------------------------------


def _caption_sensitivity(picture: Picture) -> str:
    sentences = []
    for row in list_rows(picture):
        sensitivity, programs, trend = row["sensitivity"], row["programs"], row["trend"]
        if isinstance(sensitivity, Estimate) and isinstance(trend, Label):
            sentences.append(f"The {read_label(row, 'model')} is {format_estimate(sensitivity)}{_add_coin(row)}.")
            continue
        if not (isinstance(sensitivity, Estimate) and isinstance(programs, Count) and isinstance(trend, Trend)):
            why = sensitivity.why if isinstance(sensitivity, Undefined) else Why.NEVER_RIGHT
            words = "it was right about no whole program" if why == Why.NEVER_RIGHT else f"{why}"
            sentences.append(f"{read_label(row, 'model')} has no sensitivity: {words}.")
            continue
        sentences.append(
            f"{read_label(row, 'model')} has a sensitivity of {format_estimate(sensitivity)} over "
            f"{plural(programs.value, 'program')}{_add_coin(row)}; its trend falls by {100 * trend.half_loss:.1f} % "
            "when half the lines are removed."
        )
    return " ".join(sentences) or "Nothing was asked."


def _add_coin(row: Row) -> str:
    """What the number would be without any reading, which is far from 0."""
    coin = row["coin"]
    return (
        f" (a coin that is right as often and ignores the code: {coin.value:.3f})" if isinstance(coin, Number) else ""
    )


# --- reasoning and agreement ---------------------------------------------------------------------


def _caption_tokens(picture: Picture) -> str:
    sentences = []
    growths = [
        ((read_label(row, "model"), read_label(row, "perturbation")), delta)
        for row in list_rows(picture)
        if isinstance(delta := row["growth"], Delta) and delta.relative is not None
    ]
    clear = select_clear(growths)
    reference, among = picture.of["reference"], count_compared(len(growths), "change")
    for model, rows in group_by_model(picture).items():
        own = [(delta.relative or 0.0, format_growth(delta), value) for (of, value), delta in clear if of == model]
        if own and max(own)[0] > 0:
            _, growth, value = max(own)
            text = f"Largest clear growth of {model} against {reference} ({among}): {growth} under {value}"
        elif mine := [delta for (of, _), delta in growths if of == model]:
            reach = Reach.of_changes(mine, len(growths) - len(clear))
            denial, question = f"The tokens of {model} do not grow clearly", f"the tokens of {model} grow"
            text = reach.deny(f"{denial} against {reference}", f"{question} against {reference}", among).rstrip(".")
        else:
            text = f"The tokens of {model} are unknown"
        collapsed = add_shares(row["collapsed"] for row in rows)
        sentences.append(f"{text}; collapsed: {format_share(collapsed)}.")
    return " ".join(sentences)


def _caption_doubt(picture: Picture) -> str:
    """The words of doubt under every perturbation, in the suite's order: none is picked."""
    sentences = []
    for panel in picture.panels:
        counts = []
        for value, points in panel.lines.items():
            first, second = (sum(map(read_value, half)) for half in (points[:5], points[5:]))
            halves = (
                f" ({first:.1f} in the first half of the trace, {second:.1f} in the second)" if first + second else ""
            )
            counts.append(f"{first + second:.1f} under {value}{halves}")
        if counts and not picture.leaves_out(panel.title):
            sentences.append(f"Words of doubt in an answer of {panel.title}: {', '.join(counts)}.")
    return " ".join(sentences) or "No answer has a trace."


def _count_doubts(many: int) -> str:
    return f"{many:,} word{'' if many == 1 else 's'} of doubt"


def _caption_one_trace(picture: Picture) -> str:
    sentences = []
    for row in list_rows(picture):
        first, second = read_count(row, "first"), read_count(row, "second")
        model, question, outcome = (read_label(row, key) for key in ("model", "question", "outcome"))
        ending = ", then it collapsed" if read_label(row, "collapsed") == "yes" else ""
        sentences.append(
            f"{model} on {question} ({outcome}): {_count_doubts(first + second)}, {first:,} in the first half of the "
            f"trace and {second:,} in the second{ending}."
        )
    rights = [read_label(row, "outcome") == "correct" for row in list_rows(picture)]
    if all(rights):
        return f"Every answer was right. The longest trace of all: {' '.join(sentences)}"
    choice = "The longest trace among the answers that were not right"
    if any(rights):
        choice += ", or of all answers of a model that was always right"
    return f"{choice}. {' '.join(sentences)}"


def _caption_stability(picture: Picture) -> str:
    rows = list(list_rows(picture))
    same = sum(read_count(row, "right") + read_count(row, "wrong") for row in rows)
    whole = sum(read_count(row, "questions") for row in rows)
    spreads = [cell.value for row in rows if isinstance(cell := row["spread"], Number)]
    course = f"is {spreads[0]:.4f}" if len(spreads) == 1 else f"runs from {min(spreads):.4f} to {max(spreads):.4f}"
    return (
        f"{format_share(Share(same, whole))} questions are always right or always wrong. The standard deviation of "
        f"accuracy between rounds {course}."
    )


_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {
    "baseline": _caption_baseline,
    "reading-level": _caption_reading_level,
    **HORIZON_CAPTIONS,
    **TWIN_CAPTIONS,
    "position": _caption_position,
    "position-change": _caption_position_change,
    "largest-drops": _caption_largest_drops,
    "dissociation": _caption_dissociation,
    "sensitivity": _caption_sensitivity,
    "tokens": _caption_tokens,
    "doubt": _caption_doubt,
    "one-trace": _caption_one_trace,
    "stability": _caption_stability,
    **FAULT_CAPTIONS,
    **PERTURBATION_CAPTIONS,
}
