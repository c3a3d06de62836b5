"""Gives questions of foreign logs the names that our run has for them.

Example: lm-eval calls a task ``semtrace_direct`` and counts its questions from 0. Our run calls the suite ``semtrace``
and the first question ``python/0007[digits:2]``. They are the same question if the ids are equal, or else if the
prompts are.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_codereason.core import SCORED, Metric, Record
from pytest_codereason.results.records.records import RecordSource, read_records
from pytest_codereason.results.runs.run_info import RunInfo, SuiteInfo

StoredRun = tuple[RunInfo, RecordSource]
_QUESTION = ("suite", "id", "family", "language", "axes", "repository")


class _Question(NamedTuple):
    suite: str
    id: str


def align_logs(runs: Mapping[str, StoredRun]) -> dict[str, StoredRun]:
    """The runs, in which each foreign log has the names of the first run of our own, or else of the first log.

    A question that the first run does not have keeps its own id. A task without a common question stays as it is.
    """
    anchor = next((name for name, (info, _) in runs.items() if not info.tool), next(iter(runs)))
    if not any(info.tool for info, _ in runs.values()) or len(runs) == 1:
        return dict(runs)
    index = _Index(*runs[anchor])
    return {
        name: index.align(info, source) if info.tool and name != anchor else (info, source)
        for name, (info, source) in runs.items()
    }


def hash_prompt(record: Record) -> str | None:
    """A digest of what the model is told first in this record; ``None`` if the record does not have it.

    Blanks at both ends, roles, and the beginning of a reply that is given to the model do not count.
    """
    messages = list(record.steps[0].messages) if record.steps else []
    while messages and messages[-1].get("role") == "assistant":
        messages.pop()
    text = "\n".join(each["content"].strip() for each in messages if "content" in each).strip()
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() if text else None


class _Index:
    """The questions of the run whose names are used, by id and by prompt."""

    def __init__(self, info: RunInfo, source: RecordSource) -> None:
        self._suites = info.suites
        self._questions: dict[_Question, Record] = {}
        self._by_id: dict[str, list[_Question]] = {}
        self._by_prompt: dict[str, set[_Question]] = {}
        for record in read_records(source):
            question = _Question(record.suite, record.id)
            if question not in self._questions:
                self._questions[question] = replace(record, steps=(), response=None, grounds={})
                self._by_id.setdefault(question.id, []).append(question)
            if prompt := hash_prompt(record):
                self._by_prompt.setdefault(prompt, set()).add(question)

    def align(self, info: RunInfo, source: RecordSource) -> StoredRun:
        """The run with the names of this one."""
        records = list(read_records(source))
        suites, aligned = {}, []
        for task, suite in info.suites.items():
            own = [record for record in records if record.suite == task]
            name = self._find_suite(own)
            if name is None:
                suites[task] = suite
                aligned += own
                continue
            metrics = _pair_metrics(suite, self._suites[name])
            suites[name] = _join(suite, self._suites[name], metrics)
            aligned += [self._rename(record, name, metrics) for record in own]
        return replace(info, suites=suites), aligned

    def _find_suite(self, records: Sequence[Record]) -> str | None:
        """The suite that has the most questions of a task."""
        votes = Counter(question.suite for record in records for question in self._find_all(record))
        return votes.most_common(1)[0][0] if votes else None

    def _find_all(self, record: Record) -> Iterable[_Question]:
        """The questions of this id; else those of this prompt."""
        return self._by_id.get(record.id) or self._by_prompt.get(hash_prompt(record) or "") or ()

    def _rename(self, record: Record, suite: str, metrics: Mapping[str, str]) -> Record:
        found = [question for question in self._find_all(record) if question.suite == suite]
        # Two questions of one prompt cannot be told apart, so neither is taken.
        known = self._questions[found[0]] if len(found) == 1 else None
        names = {name: getattr(known, name) for name in _QUESTION} if known else {"suite": suite}
        own = {metrics.get(name, name): each for name, each in record.metrics.items()}
        return replace(record, **names, metrics=own)


def _pair_metrics(theirs: SuiteInfo, ours: SuiteInfo) -> dict[str, str]:
    """Our name of each foreign score. The first score is our headline, if both say only whether an answer is right."""
    known = {metric.name for metric in ours.metrics}
    names = {metric.name: metric.name for metric in theirs.metrics if metric.name in known}
    if not names and theirs.metrics and theirs.headline.binary and ours.headline.binary and not ours.headline.ratio:
        names[theirs.headline.name] = ours.headline.name
    return names


def _join(theirs: SuiteInfo, ours: SuiteInfo, names: Mapping[str, str]) -> SuiteInfo:
    told = [metric for metric in ours.metrics if _can_tell(theirs, metric, names)]
    others = [metric for metric in theirs.metrics if metric.name not in names]
    return replace(
        ours,
        plan=theirs.plan,
        metrics=(*told, *others),
        resolved={**ours.resolved, **theirs.resolved, "read_as": {a: b for a, b in names.items() if a != b}},
        instances=theirs.instances,
        selected=theirs.selected,
        whole=theirs.whole,
        untold=theirs.untold,
        cells=(),
    )


def _can_tell(theirs: SuiteInfo, metric: Metric, names: Mapping[str, str]) -> bool:
    """Whether a foreign log has all that one of our metrics is computed from."""
    if (SCORED - metric.of) & theirs.untold:
        return False  # answers that do not count cannot be told from those that do
    if metric.outcome:
        return metric.outcome not in theirs.untold
    if metric.ratio:
        return {*metric.ratio.part, *metric.ratio.whole} <= {each.name for each in theirs.metrics}
    return metric.k is not None or metric.name in names.values()
