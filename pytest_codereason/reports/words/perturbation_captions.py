"""The sentences beneath pictures of perturbations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_codereason.core.text.wording import plural
from pytest_codereason.reports.words.caption_rows import (
    add_shares,
    count_compared,
    group_by_model,
    list_known,
    list_rows,
)
from pytest_codereason.reports.words.formatting import (
    describe_truncated,
    format_change_bounds,
    format_difference,
    format_share,
)
from pytest_codereason.results.measures.claims import Reach, describe_few_right, select_clear
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import Delta, Estimate, Label


def _caption_robustness(picture: Picture) -> str:
    """The largest clear drop, else the largest clear gain, else that there is neither; all rows judged together."""
    rows = [*list_rows(picture)]
    changes = [(_name_condition(picture, row), delta) for row in rows if isinstance(delta := row["change"], Delta)]
    if not changes:
        return f"Nothing can be compared with {picture.of['reference']}."
    judged = len(changes) + len(picture.beside)
    among = count_compared(len(changes) + picture.beside_changes, "change")
    scores = [(row, score) for row in rows if isinstance(score := row["score"], Estimate)]
    plain = [score for row, score in scores if not isinstance(row["change"], Delta)]
    reach = Reach.of_changes([delta for _, delta in changes], judged)
    few = describe_few_right(plain, judged) if reach.suffices else ""
    clear = sorted(select_clear(changes, beside=picture.beside), key=lambda change: change[1].value)
    if clear and clear[0][1].value < 0:
        return f"Largest clear drop ({among}): {_tell_change(*clear[0])}"
    if clear:
        gain = f"No clear drop. Largest clear gain ({among}): {_tell_change(*clear[-1])}"
        return f"{gain} {few}" if few else gain
    if not any(delta.value for _, delta in changes):
        if not any(score.value for _, score in scores):
            return "No answer is right, with or without a perturbation, so nothing can fall."
        same = "No change: over the programs that were asked both ways the mean is the same."
        return f"{same} {few}" if few else same
    denial = reach.deny("No change is clear of chance", "a perturbation changes anything", among)
    return f"{denial} {few}" if few else denial


def _name_condition(picture: Picture, row: Row) -> str:
    """``MODEL under hint, cot``."""
    assert picture.table is not None
    keys = [column.key for column in picture.table.columns]
    return f"{read_label(row, 'model')} under {', '.join(read_label(row, key) for key in keys[1 : keys.index('n')])}"


def _tell_change(name: str, delta: Delta) -> str:
    """``m under hint, −0.500 [−0.650, −0.350] over 40 pairs.``, and a sentence on truncated answers."""
    text = f"{name}, {format_difference(delta)} over {plural(delta.pairs, 'pair')}."
    return f"{text} {truncated}" if (truncated := describe_truncated(delta.bounds)) else text


def _format_clear(delta: Delta) -> str:
    """A clear difference with its bounds, and whether truncated answers alone may make it."""
    doubt = ["not certain"] if delta.may_vanish else []
    return ", ".join(filter(None, (format_difference(delta), format_change_bounds(delta), *doubt)))


def _caption_defences(picture: Picture) -> str:
    """For each model: its largest clear gain and loss, and how many of its rewritings broke the program."""
    sentences = []
    changes = [
        (f"under {read_label(row, 'perturbation')} with {read_label(row, 'defence')}", row["model"], row["change"])
        for row in list_rows(picture)
    ]
    compared = [((where, model), delta) for where, model, delta in changes if isinstance(delta, Delta)]
    clear = select_clear(compared)
    among, still_open = count_compared(len(compared), "change"), len(compared) - len(clear)
    for model, rows in group_by_model(picture).items():
        own = [(delta.value, f"{where}: {_format_clear(delta)}") for (where, of), delta in clear if of == Label(model)]
        extremes = [("gains", max(own)), ("loses", min(own))] if own else []
        clauses = [f"{verb} most {text}" for verb, (value, text) in extremes if (value > 0) == (verb == "gains")]
        reach = Reach.of_changes([delta for (_, of), delta in compared if of == Label(model)], still_open)
        denial = reach.deny(f"No defence changes {model} clearly", f"a defence changes {model}", among)
        sentences.append(f"{model} {' and '.join(clauses)} ({among})." if clauses else denial)
        broken, missing = (add_shares(row[key] for row in rows) for key in ("broken", "missing"))
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
    for panel, label, known in list_known(picture):
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


PERTURBATION_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {
    "robustness": _caption_robustness,
    "defences": _caption_defences,
    "density": _caption_density,
    "density-tokens": _caption_token_density,
}
