"""Whether several answers to one question agree (CodeCrash, appendix C)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import stdev

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Column, Picture, Table
from pytest_codereason.results.records.axes import PERTURBATION, WAYS, split_by_axes
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.statistics.intervals import share_interval
from pytest_codereason.results.studies.study_facts import CRASH
from pytest_codereason.results.studies.study_places import place_agreement
from pytest_codereason.results.values import Cell, Count, Estimate, Label, Number, Range, Share

#: Standard deviations of the accuracy, in points, above which measurements are counted. The paper counts above two such
#: limits; the text at hand does not hold their numbers.
SPREADS = (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Several answers to each of some questions; a label is whether an answer is right."""

    accuracies: tuple[float, ...]  #: of the first answers to all questions, of the second ...
    questions: int
    right: int  #: questions answered right each time
    wrong: int  #: questions answered wrong each time
    same: Estimate  #: the share of questions with one label

    @property
    def spread(self) -> float:
        """The standard deviation of the accuracies, with the denominator n - 1."""
        return stdev(self.accuracies)


class Stability(Figure):
    """A table for each suite that takes several samples: the spread of accuracy, and questions with one label.

    Only questions all of whose samples are scored are counted.
    """

    order = 80

    def pictures(self, data: RunData) -> Iterator[Picture]:
        totals: dict[str, list[Agreement]] = {}  # by task
        counted: dict[str, None] = {}  # the suites among them
        for name, suite in data.suites.items():
            axes = suite.varying_axes((PERTURBATION, *WAYS))
            whole = totals.setdefault(suite.task, [])
            rows = data.select_suite(name)
            for language in suite.axes["language"]:
                part = rows[rows["language"] == language]
                table: list[list[Cell]] = []
                for label, mine in data.by_subject(part):
                    for values, answers in split_by_axes(mine, axes, suite.axes):
                        agreement = measure_agreement(answers)
                        if agreement is None:
                            continue
                        table.append([Label(label), *map(Label, values), *_list_cells(agreement)])
                        if label not in data.scales:
                            whole.append(agreement)
                            counted[name] = None
                if table:
                    yield _build_picture(name, str(language), suite.task, axes, table)
        if any(totals.values()):
            picture = _sum_up({task: each for task, each in totals.items() if each})
            yield replace(picture, of={"suite": ", ".join(counted)})


def _build_picture(name: str, language: str, task: str, axes: list[str], table: list[list[Cell]]) -> Picture:
    columns = [
        Column("model", "model"),
        *(Column(axis, axis) for axis in axes),
        Column("questions", "questions"),
        Column("rounds", "answers to each question"),
        Column("accuracies", "accuracy of each round"),
        Column("spread", "standard deviation"),
        Column("same", "all right or all wrong"),
        Column("right", "all right"),
        Column("wrong", "all wrong"),
    ]
    return Picture(
        name=f"{name}-{language}-stability",
        kind="stability",
        title=f"Agreement of several answers: {name}, {language}",
        after=place_agreement(task),
        table=Table(columns=columns, rows=table),
        of={"suite": name, "language": language},
    )


def _sum_up(totals: Mapping[str, Sequence[Agreement]]) -> Picture:
    """The share of questions with one label for all answers, and of measurements that vary much: by task, and all."""
    parts = dict(totals)
    if len(parts) > 1:
        parts["everything"] = [agreement for each in totals.values() for agreement in each]
    return Picture(
        name="stability",
        kind="overall-stability",
        title="Questions that are always right or always wrong",
        after=f"{CRASH}, appendix C",
        table=Table(
            columns=[
                Column("task", "task"),
                Column("same", "all right or all wrong"),
                *(Column(f"above-{points}", f"deviation above {points / 100}") for points in SPREADS),
            ],
            rows=[
                [
                    Label(task),
                    Share(sum(each.right + each.wrong for each in part), sum(each.questions for each in part)),
                    *(Share(sum(100 * each.spread > points for each in part), len(part)) for points in SPREADS),
                ]
                for task, part in parts.items()
            ],
        ),
    )


def measure_agreement(rows: pd.DataFrame) -> Agreement | None:
    """How the samples of each question in ``rows`` agree; ``None`` if no question has several."""
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
    interval = share_interval(by_family[:, 0], by_family[:, 1])
    return Agreement(
        accuracies=tuple(float(value) for value in by_round),
        questions=len(whole),
        right=int((whole["right"] == rounds + 1).sum()),
        wrong=int((whole["right"] == 0).sum()),
        same=Estimate(
            value=float(same.mean()), low=interval.low, high=interval.high, n=len(whole), families=len(by_family)
        ),
    )


def _list_cells(agreement: Agreement) -> list[Cell]:
    return [
        Count(agreement.questions),
        Count(len(agreement.accuracies)),
        Range(min(agreement.accuracies), max(agreement.accuracies)),
        Number(agreement.spread, decimals=4),
        agreement.same,
        Count(agreement.right),
        Count(agreement.wrong),
    ]
