"""What misleading text does to reasoning: tokens, doubt, collapse (CodeCrash, section 3.4, table 4, figure 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from pytest_codereason.figures import Figure, Panel, Picture, Point
from pytest_codereason.figures._axes import by_axes, paired
from pytest_codereason.figures._cells import part
from pytest_codereason.figures._tokens import TOKENS, with_tokens
from pytest_codereason.figures.robustness import AXIS, WAYS
from pytest_codereason.replies.reasoning import PARTS
from pytest_codereason.results.frame import UNCHANGED, along, reference
from pytest_codereason.statistics.estimates import deltas, estimate, scored
from pytest_codereason.text import wording as words

_DOUBT = [f"trace.confusion.{i}" for i in range(PARTS)]


class Reasoning(Figure):
    """For each suite whose models reason: tokens by perturbation and against the unchanged program, and words of doubt.

    Tokens are those of reasoning where the endpoint tells them, else of the whole completion. A model reasons
    where reasoning tokens are told, where it doubts, or where it collapses.
    """

    order = 70

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            values = [str(value) for value in suite["axes"].get(AXIS, ())]
            rows = frame[frame["suite"] == name]
            if len(values) < 2 or not set(UNCHANGED) & set(values) or not _reasons(rows):
                continue
            rows = paired(with_tokens(rows), suite, AXIS)
            ways = [axis for axis in WAYS if len(suite["axes"].get(axis, ())) > 1]
            for language in suite["axes"]["language"]:
                for way, some in by_axes(rows[rows["language"] == language], ways, suite):
                    models = {model: some[some["model"] == model] for model in run["models"]}
                    yield _tokens([name, language, *way], models, values)
                    if any(_known(mine, _DOUBT) for mine in models.values()):
                        yield _doubt([name, language, *way], models, values)


def _known(rows: pd.DataFrame, columns: Sequence[str]) -> bool:
    """Whether any of the columns has a number above 0."""
    return any(bool((rows[column] > 0).any()) for column in columns if column in rows)


def _reasons(rows: pd.DataFrame) -> bool:
    return _known(rows, ("usage.reasoning", "trace.collapsed", *_DOUBT))


def _tokens(words: list[str], models: Mapping[str, pd.DataFrame], values: list[str]) -> Picture:
    unchanged = str(reference(values))
    table: list[Sequence[str]] = []
    means: dict[str, list[Point]] = {model: [] for model in models}
    clauses = []
    for i, (model, mine) in enumerate(models.items()):
        before = mine[along(mine, AXIS) == unchanged]
        growths: list[tuple[float, str]] = []
        for place, value in enumerate(values):
            after = mine[along(mine, AXIS) == value]
            found: dict[str, Any] = estimate(after, TOKENS)
            beside = place + (i - (len(models) - 1) / 2) * 0.16
            known = {key: found[key] for key in ("value", "low", "high", "n")}
            means[model].append(Point(x=beside, **known))
            growth = None if value == unchanged else deltas(before, after, [TOKENS])["tokens"]
            most = scored(after, TOKENS)["value"].max() if found["n"] else None
            table.append(
                (
                    model,
                    value,
                    f"{found['n']:,}",
                    _mean(found),
                    "unknown" if most is None else f"{most:,.0f}",
                    "reference" if value == unchanged else _growth(growth),
                    _collapsed(after),
                )
            )
            if growth and growth["relative"] is not None:
                growths.append((growth["relative"], f"under {value}: {_growth(growth)}"))
        most = f"The largest growth of {model} against {unchanged} is"
        said = f"{most} {max(growths)[1]}" if growths else f"{model} tells no tokens"
        clauses.append(f"{said}; collapsed: {_collapsed(mine)}.")
    return Picture(
        name="-".join([*words, "tokens"]),
        title=f"{TOKENS['title']} by perturbation: {', '.join(words)}",
        after="CodeCrash, table 4",
        panels=[Panel(title="mean", x="perturbation", y=TOKENS["title"], lines=means, labels=values)],
        header=("model", "perturbation", "n", "mean tokens", "most", f"growth against {unchanged}", "collapsed"),
        rows=table,
        sentence=" ".join(clauses),
    )


def _collapsed(rows: pd.DataFrame) -> str:
    known = rows["trace.collapsed"][rows["outcome"].isin(TOKENS["of"])].dropna()
    return part(int(known.sum()), len(known))


def _mean(found: Mapping[str, Any]) -> str:
    if found["value"] is None:
        return "unknown"
    interval = "" if found["low"] is None else f" [{found['low']:,.0f}, {found['high']:,.0f}]"
    return f"{found['value']:,.0f}{interval}"


def _growth(change: Mapping[str, Any] | None) -> str:
    if change is None or change["relative"] is None:
        return "undefined"
    low, high = change["relative_low"], change["relative_high"]
    interval = "" if low is None else f" [{words.signed(100 * low, 1)}, {words.signed(100 * high, 1)}]"
    return f"{words.signed(100 * change['relative'], 1)}{interval} %"


def _doubt(words: list[str], models: Mapping[str, pd.DataFrame], values: list[str]) -> Picture:
    panels, clauses = [], []
    for model, mine in models.items():
        lines = {value: _along(mine[along(mine, AXIS) == value]) for value in values}
        panels.append(Panel(title=model, x="part of the trace, tenths", y="words of doubt per answer", lines=lines))
        totals = {value: sum(point.value or 0.0 for point in points) for value, points in lines.items() if points}
        if totals:
            worst = max(totals, key=lambda value: totals[value])
            first, last = (sum(p.value or 0.0 for p in lines[worst][half]) for half in (slice(0, 5), slice(5, None)))
            clauses.append(
                f"{model} doubts most under {worst}: {totals[worst]:.1f} words per answer, "
                f"{first:.1f} in the first half of its trace and {last:.1f} in the second"
            )
    return Picture(
        name="-".join([*words, "doubt"]),
        title=f"Words of doubt along the trace: {', '.join(words)}",
        after="CodeCrash, figure 3",
        panels=panels,
        sentence=". ".join(clauses) + "." if clauses else "No answer has a trace.",
    )


def _along(rows: pd.DataFrame) -> list[Point]:
    """Words of doubt in each tenth, a mean over the answers that have a trace."""
    if "trace.characters" not in rows:
        return []
    rows = rows[rows["trace.characters"] > 0]
    found = []
    for i, column in enumerate(_DOUBT):
        values = rows[column].fillna(0.0) if column in rows else pd.Series(0.0, index=rows.index)
        as_metric = rows.assign(**{"metrics.doubt": values})
        e: dict[str, Any] = estimate(as_metric, {**TOKENS, "name": "doubt"})
        found.append(Point(x=i + 1, value=e["value"], low=e["low"], high=e["high"], n=e["n"]))
    return found
