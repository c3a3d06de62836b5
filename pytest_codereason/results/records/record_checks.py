"""Says whether a record can be one of its run.

Example: somebody copies the ``records.jsonl`` of another run into a run folder, or changes a number of an answer from 1
to 2 where the metric is a share. No figure may be made of such records.
"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core import Record
from pytest_codereason.core.answers import check_numbers, find_limits
from pytest_codereason.results.records.records import Contradiction
from pytest_codereason.results.runs.run_info import RunInfo

#: What a record has of an answer. A question that was skipped has none.
_GIVEN = ("metrics", "answer", "response", "steps")


class RunCheck:
    """Refuses records of another plan than that of their suite, answers to questions that were skipped, and numbers
    that their metric cannot have.
    """

    def __init__(self, runs: Mapping[str, RunInfo]) -> None:
        self._own = {name for name, info in runs.items() if not info.tool}
        self._suites = {
            (name, suite): (described.plan, find_limits(described.metrics))
            for name, info in runs.items()
            for suite, described in info.suites.items()
        }
        self._right = {
            (name, suite): [metric.name for metric in described.metrics if metric.right]
            for name, info in runs.items()
            if name in self._own
            for suite, described in info.suites.items()
        }

    def __call__(self, run: str, record: Record) -> None:
        """Checks a record of ``run``.

        Raises:
            ValueError: the run cannot have this record.
        """
        plan, limits = self._suites.get((run, record.suite), ("", {}))
        if plan and record.plan not in ("", plan):
            raise Contradiction(f"the record is of another plan of {record.suite}, so of another run")
        given = [name for name in _GIVEN if getattr(record, name)]
        if record.outcome == "skipped" and run in self._own and given:
            raise Contradiction(f"{record.id} is recorded as skipped, but it has an answer ({', '.join(given)})")
        try:
            check_numbers(limits, record.metrics)
        except ValueError as error:
            raise Contradiction(str(error)) from error
        for name in self._right.get((run, record.suite), ()):
            number = record.metrics.get(name)
            if number is not None and number != (record.outcome == "correct"):
                raise Contradiction(f"metrics.{name} of {record.id} is {number:g}, but the outcome is {record.outcome}")
