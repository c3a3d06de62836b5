"""The random order of programs in a run that may stop early."""

from __future__ import annotations

import pytest

from pytest_codereason.engine.sharding import find_family
from pytest_codereason.session.items import Question
from pytest_codereason.verdicts.planned import place_program


def order_programs(items: list[pytest.Item], seed: int) -> None:
    """Puts questions into a random order of programs, the same in every process; tests stay where they are.

    All questions about one program stay together, those of all models too, so that every gate comes nearer to its
    decision with each program.
    """
    places = [place for place, item in enumerate(items) if isinstance(item, Question)]
    questions = [item for item in items if isinstance(item, Question)]
    drawn: dict[tuple[str, str], int] = {}
    for item in questions:
        key = item.suite.plan, find_family(item.name)
        if key not in drawn:
            drawn[key] = place_program(seed, *key)
    questions.sort(key=lambda item: drawn[item.suite.plan, find_family(item.name)])
    for place, item in zip(places, questions, strict=True):
        items[place] = item
