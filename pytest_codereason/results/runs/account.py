"""What a run has paid for: tokens and money of each model, beside what was expected."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.results.runs.run_data import RunData


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What the answers of one model have cost that were asked for in this run. ``None`` is unknown."""

    answers: int
    shared: int  #: more answers, which were given to equal questions and paid for once
    reused: int  #: more answers, of earlier runs
    cost: float | None  #: US dollars
    expected: float | None  #: the most US dollars, as they were estimated before the run
    prompt: int | None  #: tokens of all prompts
    cached: int | None  #: those of them that the server had in its cache
    completion: int | None  #: tokens of all replies
    reasoning: int | None  #: those of them that were reasoning

    @property
    def is_free(self) -> bool:
        """Whether nothing was paid, as for a model on this machine."""
        return self.cost == 0 and not self.expected


def build_accounts(data: RunData) -> dict[str, Account]:
    """The account of each model, by its label. Models without an answer of this run have none."""
    every = pd.concat([data.records, data.repeats]) if len(data.repeats) else data.records
    answered = every[every["outcome"].isin(SCORED)]
    expected = {
        subject.label: (data.runs[subject.run].estimate.get(subject.model) or {}).get("cost")
        for subject in data.subjects
    }
    return {
        label: _add_up(rows, expected[label]) for label, rows in data.by_subject(answered) if not rows["reused"].all()
    }


def _add_up(answered: pd.DataFrame, expected: float | None) -> Account:
    rows = answered[~answered["reused"]]

    def count(name: str) -> int | None:
        column = rows[f"usage.{name}"]
        return int(column.sum()) if column.notna().any() else None

    return Account(
        answers=len(rows),
        shared=int(answered["shared"].sum()),
        reused=int((answered["reused"] & ~answered["shared"]).sum()),
        cost=None if rows["cost"].isna().any() else float(rows["cost"].sum()),
        expected=expected,
        prompt=count("prompt"),
        cached=count("cached"),
        completion=count("completion"),
        reasoning=count("reasoning"),
    )
