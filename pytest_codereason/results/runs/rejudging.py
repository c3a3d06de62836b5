"""Judges stored answers once more, by the code of their tasks: does each verdict follow from its reply?"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pytest_codereason import registry
from pytest_codereason.core import SCORED, Completion, Language, Record, Recorded, Task, Verdict
from pytest_codereason.core.files.caps import list_lines, open_ordinary
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.core.reading import GIVEN_UP
from pytest_codereason.errors import describe_error
from pytest_codereason.results.runs.run_info import RunInfo

#: Seconds that judging may take. They suffice for some 100,000 short replies. Of a run with more, as many records are
#: looked at as they suffice for, drawn at random each time anew.
SECONDS = 10.0
_NAMED = 10
#: What a verdict and its record have in common, beside the metrics.
_SAID = ("outcome", "expected", "answer")


@dataclass(frozen=True, slots=True)
class Rejudged:
    """How many of the records of a run were looked at, and which of them their replies contradict."""

    seen: int
    records: int
    contradictions: tuple[str, ...]  #: ``records.jsonl:17 (python/0007): ...``, for the first ten


class Rejudge:
    """Judges the answers of one run. Only suites count whose task is here, in the version that the run had."""

    def __init__(self, info: RunInfo) -> None:
        kinds = {name: registry.find_offered(Task, suite.task) for name, suite in info.suites.items()}
        versions = {name: suite.task_version for name, suite in info.suites.items()}
        here = {name: kind for name, kind in kinds.items() if kind and versions[name] in (None, kind.version)}
        #: the suites whose task is not here in the version of the run
        self.unread = tuple(name for name in kinds if name not in here)
        self._tasks = {
            name: kind()
            for name, kind in here.items()
            if versions[name] is not None and kind.judge_again is not Task.judge_again
        }
        #: the suites whose task judges nothing again, or which an earlier version asked
        self.others = tuple(name for name in here if name not in self._tasks)
        self._expected: dict[tuple[str, str], tuple[str, int]] = {}

    def judge(self, records: Path, seconds: float = SECONDS) -> Rejudged:
        """Judges the answers of a file of records in a random order, for so many seconds.

        Raises:
            OSError: the file cannot be read.
        """
        end = time.monotonic() + seconds
        wrong: list[tuple[int, str]] = []
        with open_ordinary(records) as file:
            starts = list(_list_starts(file))
            random.SystemRandom().shuffle(starts)
            seen = 0
            for number, start in starts if self._tasks else ():
                if time.monotonic() >= end:
                    break
                seen += 1
                file.seek(start)
                if complaint := self._find_fault(file.readline(), number):
                    wrong.append((number, f"{records.name}:{number} {complaint}"))
        contradictions = tuple(text for _, text in sorted(wrong)[:_NAMED])
        return Rejudged(seen if self._tasks else len(starts), len(starts), contradictions)

    def _find_fault(self, line: bytes, number: int) -> str:
        """What a record says that its task, or another record of the question, does not; empty for a damaged line."""
        try:
            record = decode(Record, line)
        except (ValueError, RecursionError):
            return ""
        task = self._tasks.get(record.suite)
        if task is None or registry.find_offered(Language, record.language) is None or record.outcome not in SCORED:
            return ""
        expected, known = self._expected.setdefault((record.suite, record.id), (record.expected, number))
        try:
            fault = _compare(record, _judge(task, registry.language(record.language), record))
        except KeyError as error:
            fault = f"the task cannot judge it again: it lacks {error}"
        except Exception as error:  # of a task, about values that somebody may have changed
            fault = f"the task cannot judge it again: {describe_error(error)}"
        if not fault and expected != record.expected:
            fault = f"expected is {record.expected!r:.60}, but line {known} expects {expected!r:.60} of the question"
        return fault and f"({record.id:.80}): {fault}"


def _list_starts(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """The number of each line, and where it starts."""
    for number, line in enumerate(list_lines(file), 1):
        if line.content is not None:  # else it is a damaged one, as its reader says
            yield number, line.start


def _judge(task: Task, language: Language, record: Record) -> Verdict | None:
    replies = [
        Completion(text=step.response or "", finish=step.finish or "stop", prefilled=step.prefilled)
        for step in record.steps
    ]
    return task.judge_again(language, Recorded(expected=record.expected, grounds=record.grounds, replies=replies))


def _compare(record: Record, verdict: Verdict | None) -> str:
    """In what a record differs from its verdict; empty for nothing, and if the reply took too long to read."""
    if verdict is None or (
        verdict.reason.endswith(GIVEN_UP) or (record.outcome != "correct" and record.reason.endswith(GIVEN_UP))
    ):
        return ""
    if record.response != (record.steps[-1].response if record.steps else None):
        return "the response is not the last reply"
    for name in _SAID:
        if (recorded := getattr(record, name)) != (said := getattr(verdict, name)):
            return f"{name} is {recorded!r:.60}, but its reply makes it {said!r:.60}"
    for name, number in verdict.metrics.items():
        if (recorded := record.metrics.get(name)) != number:
            return f"metrics.{name} is {recorded!r:.20}, but its reply makes it {number:g}"
    return ""
