"""The sentences beneath the pictures about faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pytest_codereason.results.measures.claims import Reach, select_clear
from pytest_codereason.results.pictures import Picture, Row, read_label
from pytest_codereason.results.values import Delta, Estimate, Undefined, Why

_QUARTERS = tuple(f"quarter-{quarter}" for quarter in (1, 2, 3, 4))
_NOTHING_ASKED = "No answer is there yet."


def _list_rows(picture: Picture, **texts: str) -> Iterator[tuple[str, Row]]:
    """The model and the row of each row with these labels that is about a model, of all languages if possible."""
    rows = list(picture.table.named_rows()) if picture.table else []
    whole = {read_label(row, "model") for row in rows if read_label(row, "language") == "all"}
    for row in rows:
        model = read_label(row, "model")
        if picture.leaves_out(model) or (model in whole and read_label(row, "language") != "all"):
            continue
        if all(read_label(row, key) == text for key, text in texts.items()):
            yield model, row


def _percent(estimate: Estimate) -> str:
    """``34 % [28, 41]``."""
    if estimate.value is None:
        return "an unknown share"
    text = f"{100 * estimate.value:.0f} %"
    if estimate.low is None or estimate.high is None:
        return text
    return f"{text} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def _caption_types(picture: Picture) -> str:
    sentences = []
    filtered = dict(_list_rows(picture, tasks="found by a model"))
    for model, row in _list_rows(picture, tasks="all"):
        if not isinstance(score := row["all"], Estimate):
            continue
        sentence = f"{model} finds the faulty line of {_percent(score)} of all {score.n:,} tasks"
        if model in filtered and isinstance(kept := filtered[model]["all"], Estimate):
            sentence += f", and of {_percent(kept)} of the {kept.n:,} whose fault some model found"
        sentences.append(f"{sentence}.")
    models = int(picture.of["models"])
    if models == 1:
        sentences.append(
            "One model was asked, so there is no filtered figure: a filter that keeps what some model found would keep "
            "what this model found, and show 100 %."
        )
    elif models > 1:
        sentences.append(
            f"The ambiguity filter keeps a fault if at least one of {models} models found it; the others may be faults "
            "that the specification does not rule out."
        )
    return " ".join(sentences)


def _caption_quarters(picture: Picture) -> str:
    sentences = []
    for model, row in _list_rows(picture, fault="all"):
        first, last = row[_QUARTERS[0]], row[_QUARTERS[3]]
        if isinstance(first, Estimate) and isinstance(last, Estimate):
            sentences.append(
                f"{model} finds {_percent(first)} of the faults in the first quarter of a program and "
                f"{_percent(last)} of those in the last."
            )
    return " ".join(sentences) or "No fault of the first or the last quarter was asked about."


def _caption_shares(picture: Picture) -> str:
    sentences = []
    planted = dict(_list_rows(picture, counted="faults planted"))
    for model, row in _list_rows(picture, counted="faults found"):
        ends = [row[_QUARTERS[0]], row[_QUARTERS[3]]]
        before = [planted[model][_QUARTERS[0]], planted[model][_QUARTERS[3]]]
        if not all(isinstance(cell, Estimate) for cell in before):
            continue  # it was asked nothing
        if all(isinstance(cell, Estimate) for cell in ends):
            first, last, all_first, all_last = (cell for cell in (*ends, *before) if isinstance(cell, Estimate))
            sentences.append(
                f"Of the faults that {model} found, {_percent(first)} stand in the first quarter of the program and "
                f"{_percent(last)} in the last; of those planted, {_percent(all_first)} and {_percent(all_last)}."
            )
        else:
            sentences.append(f"{model} found no fault.")
    return " ".join(sentences) or _NOTHING_ASKED


def _caption_robustness(picture: Picture) -> str:
    """The headline, with its control beside it."""
    sentences = []
    controls = dict(_list_rows(picture, mutation="no change, asked again"))
    rows = list(_list_rows(picture, mutation="any change"))
    changes = [(model, change) for model, row in rows if isinstance(change := row["change"], Delta)]
    clear = {model for model, _ in select_clear(changes)}
    for model, row in rows:
        if not isinstance(lost := row["lost"], Estimate):
            if isinstance(lost, Undefined) and lost.why is Why.NEVER_RIGHT:
                sentences.append(f"{model} found no fault before, so it could lose none.")
            continue
        if sentences:  # the words of the first are understood
            sentence, again = f"{model} loses {_percent(lost)}", "; asked again"
        else:
            sentence = f"After a change that keeps meaning, {model} loses {_percent(lost)} of the faults that it had"
            sentence += " found"
            again = "; asked again without a change it loses"
        control = controls.get(model, {}).get("lost")
        if isinstance(control, Estimate):
            sentence += f"{again} {_percent(control)}"
            change = row["change"]
            if isinstance(change, Delta) and change.value and model not in clear:
                reach = Reach.of_changes([change], len(changes) - len(clear))
                sentence += f", and {reach.deny('the difference is not clear of chance').rstrip('.')}"
        else:
            sentence += "; it was not asked again without a change, so its own changes of mind are part of this figure"
        sentences.append(f"{sentence}.")
    return " ".join(sentences) or _NOTHING_ASKED


def _caption_strength(picture: Picture) -> str:
    sentences = []
    for model, row in _list_rows(picture):
        if not isinstance(slope := row["slope"], Estimate) or slope.value is None:
            continue
        interval = ""
        if slope.low is not None and slope.high is not None:
            interval = f" [{_points(slope.low)}, {_points(slope.high)}]"
        sentences.append(
            f"{picture.of['metric']} of {model} changes by {_points(slope.value)}{interval} points with each step of "
            f"{read_label(row, 'mutation')}."
        )
    return " ".join(sentences) or "No mutation has answers at two strengths."


def _points(share: float) -> str:
    return f"{100 * share:+.2f}".replace("-", "\N{MINUS SIGN}")


FAULT_CAPTIONS: Mapping[str, Callable[[Picture], str]] = {
    "fault-types": _caption_types,
    "fault-quarters": _caption_quarters,
    "fault-shares": _caption_shares,
    "fault-robustness": _caption_robustness,
    "fault-strength": _caption_strength,
}
