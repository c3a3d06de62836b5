"""Takes the answers off the reports as they come in, counts them and writes their records."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.core import Record
from pytest_codereason.core.files.typed_json import decode
from pytest_codereason.engine.storage.run_folder import RunFolder
from pytest_codereason.engine.tallies import Answered, AnswerTally, sum_up
from pytest_codereason.questions.suites.suite import name_suite
from pytest_codereason.session.running.early_stop import EarlyStop
from pytest_codereason.session.running.progress import Progress
from pytest_codereason.session.running.runtest_protocol import UNNEEDED, find_carried, put_on_report

#: Tracebacks of parts that the summary shows.
MOST_TRACEBACKS = 3
STATUS = {
    "correct": ("passed", ".", "PASSED"),
    "miss": ("missed", "m", "MISS"),
    "error": ("unanswered", "E", "ERROR"),
    "skipped": ("skipped", "s", "SKIPPED"),
    UNNEEDED: (UNNEEDED, "", "NOT ASKED"),
}


class Recorder:
    """Counts the questions of a run and writes their records.

    Args:
        plans: the plan of each suite by name, as this process has read the suite.
        folder: the folder for the records.
        progress: shows the count of records to the user.
    """

    def __init__(self, plans: Mapping[str, str], folder: RunFolder | None, progress: Progress | None) -> None:
        self._plans = plans
        self._folder = folder
        self._progress = progress
        self._done: set[str] = set()  # node ids
        self.early: EarlyStop | None = None  #: the gates that may end the run early
        self.outcomes: Counter[str] = Counter()  #: questions by outcome
        self.unneeded: Counter[str] = Counter()  #: questions that adaptive asking did not need, by suite
        self.asked: set[tuple[str, str, str]] = set()  #: suite, language and model of the questions that were asked
        self.failures = 0  #: reports of questions that pytest counts as failed
        self.tracebacks: Counter[tuple[str, str]] = Counter()  #: of parts that raised: reason and traceback, by answers
        self.unwritten: OSError | None = None  #: why records are not written any more
        self.oldest = math.inf  #: when the oldest answer taken from the store was given
        self.oldest_text = math.inf  #: when the oldest text taken from the store was written

    def begin(self) -> None:
        """The first question is about to be asked."""
        if self._progress is not None:
            self._progress.begin()

    def wait(self, ahead: int) -> None:
        """The next question waits for its answer, and ``ahead`` later ones have theirs."""
        if self._progress is not None:
            self._progress.wait(ahead)

    def take(self, report: pytest.TestReport) -> None:
        """Takes the answers off a report, and leaves only a short text for pytest's reporters."""
        carried = find_carried(report)
        if carried is None or "answered" not in carried:
            return
        taken = carried.pop("answered")
        if _is_rerun(report):
            return
        if report.failed and not hasattr(report, "wasxfail"):
            self.failures += 1
        if report.nodeid in self._done:  # --dist=each lets every worker run all
            return
        self._done.add(report.nodeid)
        answered: Answered | None = pickle.loads(taken) if isinstance(taken, bytes) else taken
        self.outcomes[carried["outcome"]] += 1
        if answered is None:
            self.unneeded[name_suite(report.nodeid)] += 1
        else:
            self._count(answered.tally)
            if self.early is not None:
                for record in (decode(Record, line) for line in answered.lines.splitlines()):
                    if not record.repeat:
                        self.early.take(record)
            self._write(answered.lines)
        if self._progress is not None:
            self._progress.add(answered and answered.tally)

    def _count(self, tally: AnswerTally) -> None:
        if tally.plan != self._plans.get(tally.suite):
            raise pytest.UsageError(f"a worker and this process have read different suites {tally.suite}")
        if tally.is_asked:
            self.asked.add((tally.suite, tally.language, tally.model))
        self.tracebacks.update(tally.tracebacks)
        self.oldest = min(self.oldest, tally.oldest)
        self.oldest_text = min(self.oldest_text, tally.oldest_text)

    @property
    def is_decided(self) -> bool:
        """Whether every gate is decided, in a run that may stop then."""
        return self.early is not None and self.early.is_decided

    def _write(self, lines: bytes) -> None:
        if self._folder is None or self.unwritten is not None:
            return
        try:
            self._folder.add(lines)
        except OSError as error:
            self.unwritten = error

    def list_tracebacks(self) -> Iterator[tuple[str, dict[str, bool]]]:
        """What parts raised, each traceback once: lines with pytest's markup."""
        raised = self.tracebacks.most_common()
        for (reason, traceback), many in raised[:MOST_TRACEBACKS]:
            yield f"{many:,} unanswered: {reason}", {"red": True}
            yield traceback, {}
        if len(raised) > MOST_TRACEBACKS:
            yield f"{len(raised) - MOST_TRACEBACKS:,} other tracebacks: see 'traceback' in the records", {}

    def classify(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        """The category, letter and word of a question's report; ``None`` if pytest decides."""
        carried = find_carried(report)
        if carried is None or _is_rerun(report) or hasattr(report, "wasxfail"):
            return None
        category, letter, word = STATUS[carried["outcome"]]
        if self._progress is not None and self._progress.replaces_letters:
            return category, "", ""
        if carried["outcome"] in ("miss", "error"):
            color = "yellow" if carried["outcome"] == "miss" else "red"
            return category, letter, (f"{word} {carried['line']}", {color: True})
        return category, letter, word


def _is_rerun(report: pytest.TestReport) -> bool:
    """Whether the item is run once more. The outcome is that of pytest-rerunfailures, which pytest does not know."""
    return str(report.outcome) == "rerun"


def mark_crashed(report: pytest.TestReport, records: Sequence[Record], reason: str) -> None:
    """Makes the report of a question that got no answer out of one that pytest-xdist made."""
    put_on_report(report, "error", reason, sum_up(records))
    report.when = "call"
