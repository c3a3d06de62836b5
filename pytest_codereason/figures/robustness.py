"""What changes do to a model: drop against the unchanged program, and flips (CodeCrash, tables 1 to 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Picture
from pytest_codereason.figures._axes import by_axes, paired
from pytest_codereason.figures._cells import changed, share
from pytest_codereason.results.frame import UNCHANGED, along, reference
from pytest_codereason.statistics.estimates import deltas, estimate

AXIS = "perturbation"
#: Ways of asking, which stand side by side and are never pooled.
WAYS = ("prompting", "defence", "reasoning_effort")


class Robustness(Figure):
    """A table a suite and language: for each model, perturbation and way of asking the drop, and which answers flipped.

    Pairs are answers to the same program under the same other axes; suites that ask for outputs and for
    inputs are never pooled.
    """

    order = 50

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            values = list(suite["axes"].get(AXIS, ()))
            if len(values) < 2 or not set(UNCHANGED) & set(values):
                continue
            rows = frame[frame["suite"] == name]
            for language in suite["axes"]["language"]:
                part = rows[rows["language"] == language]
                if len(part):
                    yield _picture(name, language, part, suite, run, str(reference(values)))


def _picture(
    name: str, language: str, rows: pd.DataFrame, suite: Mapping[str, Any], run: Mapping[str, Any], unchanged: str
) -> Picture:
    metric = suite["metrics"][0]
    rows = paired(rows, suite, AXIS)
    ways = [axis for axis in WAYS if len(suite["axes"].get(axis, ())) > 1]
    table: list[Sequence[str]] = []
    changes: list[tuple[str, Mapping[str, Any]]] = []
    for model in run["models"]:
        mine = rows[rows["model"] == model]
        before = mine[along(mine, AXIS) == unchanged]
        for value in suite["axes"][AXIS]:
            after = mine[along(mine, AXIS) == value]
            for way, some in by_axes(after, ways, suite):
                score = estimate(some, metric)
                figures = (model, str(value), *way, f"{score['n']:,}", share(score))
                if value == unchanged:
                    table.append((*figures, "reference", "", "", ""))
                    continue
                same = dict(by_axes(before, ways, suite)).get(way, before.iloc[:0])
                change = deltas(same, some, [metric])[metric["name"]]
                lost, won, pairs = flips(same, some)
                table.append((*figures, *changed(change), f"{lost:,} of {pairs:,}", f"{won:,} of {pairs:,}"))
                if change is not None and change["low"] is not None:
                    changes.append((f"{model} under {', '.join((str(value), *way))}", change))
    return Picture(
        told=True,
        name=f"{name}-{language}-robustness",
        title=f"{metric['title']} against {unchanged}: {name}, {language}",
        after="CodeCrash, tables 1 to 10",
        header=(
            "model",
            "perturbation",
            *ways,
            "n",
            metric["title"],
            "change",
            "relative",
            "right to wrong",
            "wrong to right",
        ),
        rows=table,
        sentence=_sentence(changes) if changes else f"Nothing can be compared with {unchanged}.",
    )


def flips(before: pd.DataFrame, after: pd.DataFrame) -> tuple[int, int, int]:
    """Answers that were right and are not, those that were not and are, and the pairs compared."""
    right = [
        part[~part["outcome"].isin(["error", "skipped"])].set_index("cell")["outcome"].astype(str) == "correct"
        for part in (before, after)
    ]
    both = pd.concat(right, axis=1, join="inner", keys=["before", "after"])
    lost = int((both["before"] & ~both["after"]).sum())
    won = int((~both["before"] & both["after"]).sum())
    return lost, won, len(both)


def _sentence(changes: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The deepest fall whose interval leaves zero out, else the highest such rise, else that there is none."""
    falls = [each for each in changes if each[1]["high"] < 0]
    rises = [each for each in changes if each[1]["low"] > 0]
    if falls:
        return f"The lowest change clear of zero is that of {_clause(*min(falls, key=_value))}."
    if rises:
        return f"No fall is clear of zero; the highest rise that is belongs to {_clause(*max(rises, key=_value))}."
    if not any(map(_value, changes)):
        return "The mean is the same under every perturbation."
    return f"No change is clear of zero; the lowest is that of {_clause(*min(changes, key=_value))}."


def _value(each: tuple[str, Mapping[str, Any]]) -> float:
    value: float = each[1]["value"]
    return value


def _clause(what: str, change: Mapping[str, Any]) -> str:
    return f"{what}: {changed(change)[0]} over {change['pairs']:,} pairs"
