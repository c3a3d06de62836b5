"""Judges stored answers once more, by the code of their tasks: does each verdict follow from its reply?"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pytest_codereason import registry
from pytest_codereason.core import SCORED, Completion, Language, Recorded, Task, Verdict
from pytest_codereason.core.files.caps import list_lines, open_ordinary
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
            row = json.loads(line)
            task = self._tasks.get(row["suite"])
            language = registry.find_offered(Language, row["language"])
            if task is None or language is None or row["outcome"] not in SCORED:
                return ""
            expected, known = self._expected.setdefault((row["suite"], row["id"]), (row["expected"], number))
        except (ValueError, KeyError, TypeError, RecursionError):
            return ""
        try:
            fault = _compare(row, _judge(task, registry.language(row["language"]), row))
        except KeyError as error:
            fault = f"it lacks {error}, without which its task cannot judge it again"
        except Exception as error:  # of a task, about values that somebody may have changed
            fault = f"the task cannot judge it again: {describe_error(error)}"
        if not fault and expected != row["expected"]:
            fault = f"expected is {row['expected']!r:.60}, but line {known} expects {expected!r:.60} of the question"
        return fault and f"({row.get('id')!s:.80}): {fault}"


def _list_starts(file: IO[bytes]) -> Iterator[tuple[int, int]]:
    """The number of each line, and where it starts."""
    for number, line in enumerate(list_lines(file), 1):
        if line.content is not None:  # else it is a damaged one, as its reader says
            yield number, line.start


def _judge(task: Task, language: Language, row: Mapping[str, Any]) -> Verdict | None:
    replies = [
        Completion(text=step["response"], finish=step["finish"], prefilled=step["prefilled"]) for step in row["steps"]
    ]
    return task.judge_again(language, Recorded(expected=row["expected"], grounds=row["grounds"], replies=replies))


def _compare(row: Mapping[str, Any], verdict: Verdict | None) -> str:
    """In what a record differs from its verdict; empty for nothing, and if the reply took too long to read."""
    if verdict is None or (
        verdict.reason.endswith(GIVEN_UP) or (row["outcome"] != "correct" and str(row["reason"]).endswith(GIVEN_UP))
    ):
        return ""
    if row["response"] != (row["steps"][-1]["response"] if row["steps"] else None):
        return "the response is not the last reply"
    for name in _SAID:
        if row[name] != (said := getattr(verdict, name)):
            return f"{name} is {row[name]!r:.60}, but its reply makes it {said!r:.60}"
    for name, number in verdict.metrics.items():
        if row["metrics"].get(name) != number:
            return f"metrics.{name} is {row['metrics'].get(name)!r:.20}, but its reply makes it {number:g}"
    return ""
