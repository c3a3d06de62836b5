"""Chooses the rounds of adaptive suites by the curve of the answers, and says in words why a cell has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_codereason.core.adaptive import Adaptive, Ended, Seen
from pytest_codereason.core.text.wording import name_place, plural
from pytest_codereason.results.statistics.rounds import choose_round, fit_seen, list_open


class RoundChooser:
    """The chooser that the engine is given."""

    def choose(
        self, rungs: Mapping[float, Seen], rules: Adaptive, asked: int, draw_seed: Callable[[int], int]
    ) -> list[float] | Ended:
        """The rungs of the next round, or why the cell ends."""
        return choose_round(rungs, rules, asked, draw_seed)

    def explain(self, rungs: Mapping[float, Seen], rules: Adaptive, ended: Ended) -> str:
        """Why a question was not asked."""
        above = [rung for rung in rungs if rung > 0]
        match ended:
            case "precision":
                return f"h50 is known to {fit_seen(rungs).octaves:.1f} octaves"
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
