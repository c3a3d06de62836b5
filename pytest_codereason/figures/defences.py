"""What defences against misleading text do for a model (CodeCrash, section 4.3, tables 8 and 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture, Point
from pytest_codereason.figures._axes import by_axes, paired
from pytest_codereason.figures._cells import changed, part, share
from pytest_codereason.figures.robustness import AXIS, WAYS
from pytest_codereason.results.frame import along, reference
from pytest_codereason.statistics.estimates import deltas, estimate

DEFENCE = "defence"


class Defences(Figure):
    """For each suite, language and way of asking: accuracy under each perturbation with each defence, side by side.

    A change compares answers about the same program under the same perturbation, with the defence and without.
    """

    order = 55

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            if len(suite["axes"].get(DEFENCE, ())) < 2:
                continue
            rows = paired(frame[frame["suite"] == name], suite, DEFENCE)
            ways = [axis for axis in WAYS if axis != DEFENCE and len(suite["axes"].get(axis, ())) > 1]
            for language in suite["axes"]["language"]:
                for way, some in by_axes(rows[rows["language"] == language], ways, suite):
                    yield _picture([name, language, *way], some, suite, run["models"])


def _picture(words: list[str], rows: pd.DataFrame, suite: Mapping[str, Any], models: Mapping[str, Any]) -> Picture:
    metric, defences = suite["metrics"][0], [str(value) for value in suite["axes"][DEFENCE]]
    perturbations = [str(value) for value in suite["axes"].get(AXIS, ())]
    unchanged = str(reference(defences))
    table: list[Sequence[str]] = []
    panels, clauses = [], []
    for model in models:
        mine = rows[rows["model"] == model]
        lines: dict[str, list[Point]] = {defence: [] for defence in defences}
        gains: list[tuple[float, str]] = []
        for place, perturbation in enumerate(perturbations or ["none"]):
            under = mine[along(mine, AXIS) == perturbation] if perturbations else mine
            before = under[along(under, DEFENCE) == unchanged]
            for i, defence in enumerate(defences):
                after = under[along(under, DEFENCE) == defence]
                score: dict[str, Any] = estimate(after, metric)
                beside = place + (i - (len(defences) - 1) / 2) * 0.16
                known = {key: score[key] for key in ("value", "low", "high", "n")}
                lines[defence].append(Point(x=beside, **known))
                row = (model, perturbation, defence, f"{score['n']:,}", share(score))
                if defence == unchanged:
                    table.append((*row, "reference", *_rewritten(after)))
                    continue
                change = deltas(before, after, [metric])[metric["name"]]
                table.append((*row, changed(change)[0], *_rewritten(after)))
                if change and change["low"] is not None and (change["low"] > 0 or change["high"] < 0):
                    gains.append((change["value"], f"under {perturbation} with {defence}: {changed(change)[0]}"))
        clauses.append(_said(model, gains, mine))
        panels.append(Panel(title=model, x="perturbation", y=metric["title"], lines=lines, labels=perturbations))
    return Picture(
        told=True,
        name="-".join([*words, "defences"]),
        title=f"{metric['title']} with each defence: {', '.join(words)}",
        after="CodeCrash, tables 8 and 9",
        panels=panels,
        header=(
            "model",
            "perturbation",
            "defence",
            "n",
            metric["title"],
            "change",
            "rewritings that broke it",
            "none came back",
        ),
        rows=table,
        sentence=" ".join(clauses),
    )


def _counts(rows: pd.DataFrame) -> tuple[int, int, int, int]:
    """Rewritings that do something else, rewritings, samples in which no program came back, and samples."""
    kept, rewritten = (
        rows[column].dropna() if (column := f"metrics.{name}") in rows else pd.Series(dtype=float)
        for name in ("rewrite_kept", "rewritten")
    )
    return int((kept == 0).sum()), len(kept), int((rewritten == 0).sum()), len(rewritten)


def _rewritten(rows: pd.DataFrame) -> tuple[str, str]:
    broken, came, none, asked = _counts(rows)
    return (part(broken, came), part(none, asked)) if asked else ("", "")


def _said(model: str, gains: Sequence[tuple[float, str]], rows: pd.DataFrame) -> str:
    broken, came, none, asked = _counts(rows)
    clear = [("gains", max(gains)), ("loses", min(gains))] if gains else []
    told = [f"{verb} most {text}" for verb, (value, text) in clear if (value > 0) == (verb == "gains")]
    said = f"{model} {' and '.join(told)}." if told else f"No defence makes a clear change to {model}."
    if asked:
        said += f" Its rewritings broke the program in {part(broken, came)}"
        said += f", and none came back in {part(none, asked)}." if none else "."
    return said
