"""The questions of one suite that two sides share.

A question is known by its id and the number of the sample. Two plans may give one id to two programs, such as two seeds
of a generator. So a question of two plans counts only if program and expected answer are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pytest_codereason.core import SCORED
from pytest_codereason.reports.comparing.sides import Side
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.records.records import read_records
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import SuiteInfo

#: What a plan consists of, by its key in ``SuiteInfo.resolved``.
_PARTS = {
    "source": "source",
    "programs": "number of programs",
    "stages": "stages",
    "fixed": "fixed axes",
    "prompted": "ways of prompting",
    "seed": "seed",
    "sampling": "sampling",
    "samples": "samples",
    "templates": "templates",
    "prefill": "prefill",
    "texts": "texts",
    "scorer": "scorer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How many questions of a suite each side has, and how many of them are compared. Pairs are A's and B's."""

    same_plan: bool
    differing: tuple[str, ...]  #: in what the plans differ, as far as ``run.json`` tells
    questions: tuple[int, int]
    shared: int
    altered: int  #: questions of one id that are about two programs
    unpaired: tuple[int, int]  #: answers to shared questions of which the other side has no sample of that number
    unanswered: tuple[int, int]  #: shared questions without a scored answer on this side

    @property
    def only(self) -> tuple[int, int]:
        """Questions that the other side does not have."""
        return self.questions[0] - self.shared - self.altered, self.questions[1] - self.shared - self.altered


@dataclass(frozen=True, slots=True)
class Matching:
    """The rows of both sides about the questions that they share, with the columns of ``number_pairs``."""

    sides: tuple[Side, Side]
    before: pd.DataFrame
    after: pd.DataFrame
    overlap: Overlap


def match_questions(data: RunData, name: str, sides: tuple[Side, Side]) -> Matching:
    """Pairs the answers of two sides to the suite ``name``, which both have."""
    rows = data.select_suite(name)
    old, new = (data.select_subject(rows, side.subject) for side in sides)
    suites = [side.info.suites[name] for side in sides]
    same_plan = suites[0].plan == suites[1].plan and bool(suites[0].plan)
    ids = [set(part["id"].unique()) for part in (old, new)]
    common = ids[0] & ids[1]
    altered = set() if same_plan else _find_altered(data, name, sides, common)
    shared = common - altered
    both = pd.concat([part[part["id"].isin(shared)] for part in (old, new)])
    pairs = both.groupby(["id", "sample"], observed=True, sort=False).ngroup()
    both = both.assign(pair=pairs, question=pairs)
    is_old = np.arange(len(both)) < int(old["id"].isin(shared).sum())
    before, after = both[is_old], both[~is_old]
    in_both = np.intersect1d(before["pair"].to_numpy(), after["pair"].to_numpy())
    whole = len(before), len(after)
    before, after = (part[np.isin(part["pair"].to_numpy(), in_both)] for part in (before, after))
    return Matching(
        sides,
        before,
        after,
        Overlap(
            same_plan=same_plan,
            differing=() if same_plan else _find_differing(*suites),
            questions=(len(ids[0]), len(ids[1])),
            shared=len(shared),
            altered=len(altered),
            unpaired=(whole[0] - len(before), whole[1] - len(after)),
            unanswered=(_count_unanswered(before, len(shared)), _count_unanswered(after, len(shared))),
        ),
    )


def _count_unanswered(part: pd.DataFrame, shared: int) -> int:
    return shared - int(part["id"][mark_outcomes(part, SCORED)].nunique())


def _find_differing(old: SuiteInfo, new: SuiteInfo) -> tuple[str, ...]:
    differing = [] if old.task == new.task else ["task"]
    differing += [title for key, title in _PARTS.items() if old.resolved.get(key) != new.resolved.get(key)]
    differing += [] if dict(old.axes) == dict(new.axes) else ["axes"]
    return tuple(differing)


def _find_altered(data: RunData, name: str, sides: tuple[Side, Side], common: Collection[str]) -> set[str]:
    """The questions about which both sides say something else: another program or another expected answer."""
    old, new = (_read_contents(data, name, side, common) for side in sides)
    return {
        each
        for each in common
        if any(a and b and a != b for a, b in zip(old.get(each, ("", "")), new.get(each, ("", "")), strict=True))
    }


def _read_contents(data: RunData, name: str, side: Side, ids: Collection[str]) -> Mapping[str, tuple[str, str]]:
    """Digest of the shown program and expected answer by question; empty where nothing is known."""
    contents: dict[str, tuple[str, str]] = {}
    for record in read_records(data.sources[side.subject.run]):
        if record.suite == name and record.model == side.subject.model and record.id in ids:
            program, expected = contents.get(record.id, ("", ""))
            contents[record.id] = (record.program_sha or program, record.expected or expected)
    return contents
