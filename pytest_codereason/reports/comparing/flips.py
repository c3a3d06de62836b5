"""The questions that one side has right and the other has not, and what they have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

import numpy as np
import pandas as pd

from pytest_codereason.core import AxisValue, Record
from pytest_codereason.reports.comparing.matching import Matching
from pytest_codereason.results.measures.measures import mark_outcomes
from pytest_codereason.results.measures.resolved import mark_right, mark_unresolved
from pytest_codereason.results.records.axes import axis_column
from pytest_codereason.results.records.failure_kinds import name_kind
from pytest_codereason.results.records.records import Key
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import UNRESOLVED, SuiteInfo

#: The key of the earlier record, and both records; ``None`` for one that is no longer there.
_Sides = tuple[Key, Record | None, Record | None]
#: Of so many flips the records are read, to name how each wrong answer differs from the right one.
_MOST_NAMED = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One question that only one of two sides has right."""

    id: str
    repository: str  #: where its program was found; empty if nobody knows
    sample: int
    lost: bool  #: whether the earlier side is right; else the later side is
    kind: str  #: the outcome of the side that is not right; ``unresolved`` if it is right but for a sum
    reason: str
    expected: str
    before: str | None  #: the answer that was read, ``None`` without one
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipCount:
    """How many answers at one value of an axis flipped; without an axis, how many of one kind of failure."""

    axis: str  #: empty for a kind of failure
    value: AxisValue
    lost: int
    won: int
    pairs: int  #: pairs of answers at this value that both sides answered; 0 for a kind of failure


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipList:
    """What flipped in a suite: all of it counted, and some of it shown, losses first."""

    lost: int
    won: int
    counts: tuple[FlipCount, ...]
    shown: tuple[Flip, ...]


def list_flips(data: RunData, matching: Matching, suite: SuiteInfo, limit: int) -> FlipList:
    """The flips of all shared questions, at most ``limit`` of them with their texts.

    Losses come before wins. Every language, value of an axis and kind of failure gets a place before any gets a
    second one.
    """
    pairs = _join_sides(matching, suite)
    flipped = pairs[pairs["was"] != pairs["now"]]
    lost, won = flipped[flipped["was"]], flipped[flipped["now"]]
    chosen = [*_spread(lost, suite, limit)]
    chosen += _spread(won, suite, limit - len(chosen))
    names_kinds = len(flipped) <= _MOST_NAMED
    texts = _read_sides(data, matching, flipped if names_kinds else pairs.loc[chosen])
    return FlipList(
        lost=len(lost),
        won=len(won),
        counts=(*_count_by_axis(pairs, suite), *_count_by_kind(flipped, texts if names_kinds else {})),
        shown=tuple(_build_flip(pairs.loc[place], *texts[place]) for place in chosen),
    )


def _join_sides(matching: Matching, suite: SuiteInfo) -> pd.DataFrame:
    """A row for each pair that both sides answered, with the places of both rows and whether each is right."""
    sides = []
    for part in (matching.before, matching.after):
        answered = part[~mark_outcomes(part, ("error", "skipped"))]
        right = mark_right(answered, suite.headline)
        kind = answered["outcome"].astype(str).where(~mark_unresolved(answered), UNRESOLVED)
        places = np.flatnonzero(~mark_outcomes(part, ("error", "skipped")))
        sides.append(answered.assign(place=places, right=right, kind=kind))
    old, new = sides
    joined = old.merge(new[["pair", "place", "right", "kind"]], on="pair", suffixes=("", "_after"))
    was, now = joined["right"], joined["right_after"]
    kind = joined["kind"].where(~was, joined["kind_after"])
    return joined.assign(was=was, now=now, kind=kind)


def _list_axes(pairs: pd.DataFrame, suite: SuiteInfo) -> list[str]:
    return [axis for axis in suite.varying_axes(list(suite.axes)) if axis_column(axis) in pairs]


def _spread(flipped: pd.DataFrame, suite: SuiteInfo, limit: int) -> list[int]:
    """Places of at most ``limit`` flips among the pairs, drawn in turn from each group of like flips."""
    columns = ["kind", *(axis_column(axis) for axis in _list_axes(flipped, suite))]
    ordered = flipped.sort_values(["id", "sample"])
    groups = [part.index.tolist() for _, part in ordered.groupby(columns, observed=True, dropna=False, sort=False)]
    groups.sort(key=len, reverse=True)
    turns = chain.from_iterable(zip_longest(*groups))
    return [place for place in turns if place is not None][: max(0, limit)]


def _count_by_axis(pairs: pd.DataFrame, suite: SuiteInfo) -> Iterator[FlipCount]:
    for axis in _list_axes(pairs, suite):
        column = pairs[axis_column(axis)]
        for value in suite.axes[axis]:
            part = pairs[(column == value).to_numpy()]
            if len(part):
                was, now = part["was"].to_numpy(), part["now"].to_numpy()
                lost, won = int((was & ~now).sum()), int((~was & now).sum())
                yield FlipCount(axis=axis, value=value, lost=lost, won=won, pairs=len(part))


def _read_sides(data: RunData, matching: Matching, rows: pd.DataFrame) -> dict[int, _Sides]:
    """The key and both records of some pairs by their places, read from the runs once."""
    old, new = matching.before.iloc[rows["place"].to_numpy()], matching.after.iloc[rows["place_after"].to_numpy()]
    records = data.find_records(pd.concat([old, new]), steps=False)  # prompts of many flips would take gigabytes
    keys = zip(rows.index.tolist(), RunData.list_keys(old), RunData.list_keys(new), strict=True)
    return {place: (before, records.get(before), records.get(after)) for place, before, after in keys}


def _count_by_kind(flipped: pd.DataFrame, texts: Mapping[int, _Sides]) -> Iterator[FlipCount]:
    """The kinds of failure, the most frequent first; of flips without ``texts`` the outcome alone."""
    many: Counter[tuple[str, bool]] = Counter()
    for place, kind, lost in zip(flipped.index.tolist(), flipped["kind"], flipped["was"].tolist(), strict=True):
        _, old, new = texts.get(place, ((), None, None))
        record = new if lost else old
        many[name_kind(record) if record and kind != UNRESOLVED else kind, lost] += 1
    for kind in sorted({kind for kind, _ in many}, key=lambda kind: (-many[kind, True] - many[kind, False], kind)):
        yield FlipCount(axis="", value=kind, lost=many[kind, True], won=many[kind, False], pairs=0)


def _build_flip(row: Any, key: Key, old: Record | None, new: Record | None) -> Flip:
    lost = bool(row["was"])
    failed = new if lost else old
    return Flip(
        id=key[3],
        repository=next((each.repository for each in (old, new) if each and each.repository), ""),
        sample=key[4],
        lost=lost,
        kind=row["kind"],
        reason=failed.reason if failed else "",
        expected=next((each.expected for each in (old, new) if each and each.expected), ""),
        before=old.answer if old else None,
        after=new.answer if new else None,
    )
