"""Whether several answers to one question agree (CodeCrash, appendix C)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import stdev
from typing import Any

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.figures import Figure, Picture
from pytest_codereason.figures._axes import by_axes
from pytest_codereason.figures._cells import part, share
from pytest_codereason.figures.robustness import AXIS, WAYS
from pytest_codereason.statistics.intervals import proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Several answers to each of some questions; a label is whether an answer is right."""

    accuracies: tuple[float, ...]  #: of the first answers to all questions, of the second ...
    questions: int
    right: int  #: questions answered right each time
    wrong: int  #: questions answered wrong each time
    same: Mapping[str, Any]  #: the share of questions with one label, as an estimate

    @property
    def spread(self) -> float:
        """The standard deviation of the accuracies, with the denominator n - 1."""
        return stdev(self.accuracies)


class Stability(Figure):
    """A table a suite that takes several samples: spread of the accuracy, and questions with one label throughout.

    Only questions all of whose samples are scored are counted.
    """

    order = 80

    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """See :meth:`Figure.pictures`."""
        for name, suite in run["suites"].items():
            axes = [axis for axis in (AXIS, *WAYS) if len(suite["axes"].get(axis, ())) > 1]
            rows = frame[frame["suite"] == name]
            for language in suite["axes"]["language"]:
                spoken = rows[rows["language"] == language]
                table: list[Sequence[str]] = []
                found: list[tuple[str, Agreement]] = []
                for model in run["models"]:
                    for values, some in by_axes(spoken[spoken["model"] == model], axes, suite):
                        if (agreed := agreement(some)) is not None:
                            table.append((model, *values, *_cells(agreed)))
                            found.append((f"{model} under {', '.join(values)}" if values else model, agreed))
                if found:
                    yield Picture(
                        name=f"{name}-{language}-stability",
                        title=f"Agreement of several answers: {name}, {language}",
                        after="CodeCrash, tables 11 and 12",
                        header=(
                            "model",
                            *axes,
                            "questions",
                            "answers to each",
                            "accuracy of each round",
                            "standard deviation",
                            "one label throughout",
                            "all right",
                            "all wrong",
                        ),
                        rows=table,
                        sentence=_sentence(found),
                    )


def agreement(rows: pd.DataFrame) -> Agreement | None:
    """How the samples of each question in ``rows`` agree; ``None`` where no question has several."""
    if rows.empty or not (rounds := int(rows["sample"].max())):
        return None
    answers = rows[rows["outcome"].isin(SCORED)]
    right = (answers["outcome"] == "correct").groupby(answers["id"], observed=True)
    counted = pd.DataFrame({"n": right.size(), "right": right.sum()})
    whole = counted[counted["n"] == rounds + 1]
    if whole.empty:
        return None
    kept = answers[answers["id"].isin(whole.index)]
    by_round = (kept["outcome"] == "correct").groupby(kept["sample"]).mean()
    same = (whole["right"] == 0) | (whole["right"] == rounds + 1)
    families = kept.groupby("id", observed=True)["family"].first()[whole.index].astype(str)
    by_family = same.groupby(families.to_numpy()).agg(["sum", "size"]).to_numpy(float)
    interval = proportion(by_family[:, 0], by_family[:, 1])
    return Agreement(
        accuracies=tuple(float(value) for value in by_round),
        questions=len(whole),
        right=int((whole["right"] == rounds + 1).sum()),
        wrong=int((whole["right"] == 0).sum()),
        same={"value": float(same.mean()), "low": interval.low, "high": interval.high},
    )


def _cells(found: Agreement) -> tuple[str, ...]:
    low, high = min(found.accuracies), max(found.accuracies)
    return (
        f"{found.questions:,}",
        str(len(found.accuracies)),
        f"{low:.3f} to {high:.3f}",
        f"{found.spread:.4f}",
        share(found.same),
        f"{found.right:,}",
        f"{found.wrong:,}",
    )


def _sentence(found: Sequence[tuple[str, Agreement]]) -> str:
    whole = sum(a.questions for _, a in found)
    same = sum(a.right + a.wrong for _, a in found)
    name, widest = max(found, key=lambda each: each[1].spread)
    return (
        f"{part(same, whole)} questions have one label throughout; the accuracy of a round varies most for "
        f"{name}, with a standard deviation of {widest.spread:.4f}."
    )
