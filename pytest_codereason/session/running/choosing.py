"""Chooses the rounds of adaptive suites by the curve of the answers, and says in words why a cell has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

from pytest_codereason.core import Model
from pytest_codereason.core.adaptive import VERSION, Adaptive, Ended, Seen
from pytest_codereason.core.text.wording import name_place, plural
from pytest_codereason.engine.adaptive import CellJob
from pytest_codereason.options import Options
from pytest_codereason.results.runs.adaptive_info import AdaptiveInfo
from pytest_codereason.results.runs.run_info import ModelInfo, RunInfo, SuiteInfo
from pytest_codereason.results.statistics.rounds import Decide, choose_round, fit_seen, leave_open, list_open
from pytest_codereason.results.verdicts.cell_gates import read_cell_gates


def make_chooser(cell: CellJob, options: Options, models: Mapping[str, Model]) -> RoundChooser:
    """The chooser of a cell, which ends once its gates are decided if the user wants that.

    A worker of xdist has no ``run.json``, so what gates need of it is made from the suite.
    """
    suite = cell.suite
    info = SuiteInfo(
        task=suite.task.name,
        metrics=suite.metrics,
        axes=suite.varied,
        adaptive=AdaptiveInfo(**asdict(cell.rules), version=VERSION),
        curve=suite.curve,
    )
    run = RunInfo(
        models={label: ModelInfo(identity=model.identity) for label, model in models.items()},
        suites={suite.name: info},
        gates=options.gates,
        stop_when_decided=options.stop_when_decided,
    )
    return RoundChooser(read_cell_gates(run).find(suite.name, cell.model, cell.where))


@dataclass(frozen=True)
class RoundChooser:
    """The chooser of a cell that the engine is given. ``is_decided``: whether nobody wants to know more."""

    is_decided: Decide = leave_open

    def choose(
        self, rungs: Mapping[float, Seen], rules: Adaptive, asked: int, draw_seed: Callable[[int], int]
    ) -> list[float] | Ended:
        """The rungs of the next round, or why the cell ends."""
        return choose_round(rungs, rules, asked, draw_seed, self.is_decided)

    def explain(self, rungs: Mapping[float, Seen], rules: Adaptive, ended: Ended) -> str:
        """Why a question was not asked."""
        above = [rung for rung in rungs if rung > 0]
        match ended:
            case "precision":
                return f"h50 is known to {fit_seen(rungs).octaves:.1f} octaves"
            case "decided":
                return "every gate about its cell is decided"
            case "budget":
                return f"the budget of {plural(rules.budget, 'question')} is spent"
            case "below":
                return f"h50 lies below {name_place(rules.over, f'{min(above):,.0f}')}"
            case "above":
                return f"h50 lies above {name_place(rules.over, f'{max(above):,.0f}')}"
            case "cut":
                first = min(set(above) - set(list_open(rungs)), default=0.0)
                return f"too many replies are cut off from {name_place(rules.over, f'{first:,.0f}')} on"
            case "exhausted":
                return "no program is left where it is wanted"
            case "errors":
                return "a question of its cell is unanswered"
