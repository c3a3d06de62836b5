"""Ends a run as soon as every gate is decided, where the user wants it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_codereason.core import Record
from pytest_codereason.engine.sharing.sharding import find_family
from pytest_codereason.errors import UsageError
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.results.runs.run_info import StoppedEarly, parse_run
from pytest_codereason.results.verdicts.gates import Gate
from pytest_codereason.results.verdicts.planned import PlannedQuestion


def check_stop(options: Options, gates: Sequence[Gate]) -> None:
    """Checks that there is something to decide.

    Raises:
        UsageError: the run shall stop when its gates are decided, and has none.
    """
    if options.stop_when_decided and not gates:
        raise UsageError("--eval-stop-when-decided: there is no gate to decide; add --eval-gate")


class EarlyStop:
    """The gates of a run while it goes on.

    Args:
        run: the content of ``run.json``.
        questions: what the run will ask: each a suite and the id of an item.
        options: with the seed of the order of programs, and the baseline.
    """

    def __init__(
        self, gates: Sequence[Gate], run: Mapping[str, Any], questions: Iterable[tuple[Suite, str]], options: Options
    ) -> None:
        from pytest_codereason.results.verdicts.baselines import read_baseline
        from pytest_codereason.results.verdicts.watching import Watch  # numpy, which no other run loads before its end

        self._gates, self._run = gates, parse_run(run)
        planned = list_planned(questions, next(iter(run["models"])))
        baseline = read_baseline(options.baseline, gates) if options.baseline else None
        self._watch = Watch(gates, self._run, planned, seed=options.seed or 0, baseline=baseline)

    def list_notes(self) -> list[str]:
        """What a user should know before the first question: gates that keep the run, or their cells, from stopping."""
        return [
            f"--eval-stop-when-decided: the gate '{gate}' {reason}"
            for gate in self._gates
            if str(gate) in self._watch.unwatched and (reason := self._explain(gate))
        ]

    def _explain(self, gate: Gate) -> str:
        """Why a gate that is not watched ends less than the user may hope for; empty if it ends its cell."""
        from pytest_codereason.results.verdicts.cell_gates import explain_end

        suite = self._run.suites[gate.quantity.suite]
        if not gate.find_metric(suite).curve:
            return (
                "is judged at the end, so it lets no run stop early. Only gates on a share or another mean of numbers "
                "from 0 to 1 are decided early, and only if the baseline that they name has all answers"
            )
        if why := explain_end(gate, suite):
            return f"is judged at the end, so it lets no run stop early and ends no cell: {why}"
        return "" if self._ends_cells_alone else "ends its cell alone, so it lets no run stop early"

    @property
    def _ends_cells_alone(self) -> bool:
        """Whether every suite of the run chooses its questions, so that its cells are all that can end."""
        return all(suite.chosen_axis for suite in self._run.suites.values())

    def take(self, record: Record) -> None:
        """Takes one record."""
        self._watch.take(record)

    @property
    def is_decided(self) -> bool:
        """Whether every gate is decided."""
        return self._watch.decided

    def describe(self, asked: int, of: int, *, sent: int | None, requests: int) -> StoppedEarly:
        """What ``run.json`` keeps of a run that stopped after ``asked`` of so many questions.

        Args:
            sent: how many requests were sent by then, those whose replies came too late among them, if that is known.
            requests: how many the whole run would have sent at most.
        """
        gates = tuple(self._watch.describe())
        return StoppedEarly(asked=asked, of=of, sent=sent, requests=requests, gates=gates)


def list_planned(items: Iterable[tuple[Suite, str]], only_model: str) -> Iterator[PlannedQuestion]:
    """The questions of these items, each a suite and the id of the item.

    The ids do not name the model if there is only one.
    """
    listed: dict[str, Questions] = {}
    for suite, nodeid in items:
        within = nodeid.split("::")[1:]
        spec = listed.setdefault(suite.name, Questions(suite)).find(within[-1])
        yield PlannedQuestion(
            suite=suite.name,
            plan=suite.plan,
            model=within[0] if len(within) > 1 else only_model,
            id=spec.id,
            program=find_family(spec.id),
            axes={"language": spec.language, **dict(spec.axes)},
            samples=suite.samples_for(spec),
            family=suite.family(spec),
        )
