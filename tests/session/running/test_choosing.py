"""Rounds of adaptive suites: what is asked first, and why a question of a cell that has ended was not asked."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from pytest_codereason.core.adaptive import Adaptive, Ended, Seen
from pytest_codereason.engine.adaptive import list_cells
from pytest_codereason.engine.jobs import Job
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.results.statistics.rounds import fit_seen
from pytest_codereason.session.running.choosing import RoundChooser, make_chooser
from tests.engine.tellers import Teller
from tests.session.collected import read_typed
from tests.session.conftest import Project

RULES = Adaptive(over="steps", rungs=(0, 1, 2, 4, 8, 16), budget=24, batch=4)
LADDER = """
task = "output-prediction"
languages = ["python", "php"]

[source]
name = "ladder"
count = 8

[adaptive]
over = "level"
top = 8
precision = 0.5
"""
#: All right up to 4 steps, and nothing from 8 steps on.
KNOWN = {
    float(rung): Seen(right=9.0 * (rung <= 4), scored=9.0, left=5) for rung in RULES.rungs if isinstance(rung, int)
}


def test_a_round_is_chosen_by_the_answers() -> None:
    chooser, fresh = RoundChooser(), {rung: Seen(left=5) for rung in KNOWN}
    assert chooser.choose(fresh, RULES, 0, lambda place: place) == [0, 1, 4, 16]
    few = {rung: seen._replace(right=seen.right / 9, scored=1.0) for rung, seen in KNOWN.items()}
    chosen = chooser.choose(few, RULES, 6, lambda place: place)
    assert len(chosen) == 4
    assert set(chosen) <= {1, 2, 4, 8, 16}
    assert chooser.choose(few, RULES, 6, lambda place: place) == chosen
    assert len(chooser.choose(few, RULES, 22, lambda place: place)) == 2, "no more than the budget leaves"
    assert chooser.choose(KNOWN, RULES, 23, lambda place: place) == "precision"


@pytest.mark.parametrize(
    ("options", "ended"),
    [
        (("--eval-gate=ladder.h50[language=php] >= 2", "--eval-stop-when-decided"), "decided"),
        (("--eval-gate=ladder.h50[language=php] >= 2",), None),
        (("--eval-gate=ladder.h50[language=python] >= 2", "--eval-stop-when-decided"), None),
        (("--eval-gate=ladder.h50 >= 2", "--eval-stop-when-decided"), None),
        (("--eval-gate=other.h50[language=php] >= 2", "--eval-stop-when-decided"), None),
        (("--eval-gate=ladder.h50[language=php,model=none] >= 2", "--eval-stop-when-decided"), None),
    ],
)
def test_a_cell_ends_when_its_gates_are_decided(project: Project, options: tuple[str, ...], ended: str | None) -> None:
    """After three right answers at each level up to 6, h50 lies surely above 2, and maybe at 6 or at 8."""
    (project.path / "ladder.suite.toml").write_text(LADDER)
    suite, teller = load(project.path / "ladder.suite.toml"), Teller()
    cells = list_cells([Job("teller", suite, spec) for spec in suite.specs() if spec.language == "php"])
    chooser = make_chooser(cells[0], read_typed(project, *options), {"teller": teller})
    rungs = {float(level): Seen(right=3.0, scored=3.0, left=5) for level in (1, 2, 3, 4)}
    rungs |= {6.0: Seen(right=2.0, scored=3.0, left=5), 8.0: Seen(right=1.0, scored=3.0, left=5)}
    chosen = chooser.choose(rungs, cells[0].rules, 18, lambda place: place)
    assert chosen == ended if ended else isinstance(chosen, list)


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        ("precision", f"h50 is known to {fit_seen(KNOWN).octaves:.1f} octaves"),
        ("decided", "every gate about its cell is decided"),
        ("budget", "the budget of 24 questions is spent"),
        ("below", "h50 lies below 1 step"),
        ("above", "h50 lies above 16 steps"),
        ("cut", "too many replies are cut off from 8 steps on"),
        ("exhausted", "no program is left where it is wanted"),
        ("errors", "a question of its cell is unanswered"),
    ],
)
def test_the_end_of_a_cell_is_explained(ended: Ended, why: str) -> None:
    rungs = dict(KNOWN)
    if ended == "cut":
        rungs |= {rung: Seen(cut=3.0, scored=1.0, left=5) for rung in (8.0, 16.0)}
    assert RoundChooser().explain(rungs, RULES, ended) == why
    level = re.sub(r"(\d+) steps?", r"level \1", why)
    assert RoundChooser().explain(rungs, replace(RULES, over="level"), ended) == level


def test_every_end_has_words() -> None:
    assert all(RoundChooser().explain(KNOWN, RULES, ended) for ended in get_args(Ended))
