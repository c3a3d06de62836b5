"""Which questions of a session are asked, each once, and the random order of programs in a run that may stop early."""

from __future__ import annotations

import pytest

from pytest_codereason.engine.sharing.sharding import find_family
from pytest_codereason.results.verdicts.planned import place_program
from pytest_codereason.session.collecting.items import Question


def drop_repeated(items: list[pytest.Item]) -> list[pytest.Item]:
    """Takes the questions off that stand in the list already, as with ``--keep-duplicates``; returns them.

    A second answer to a question would have the record of the first. ``--eval-repeat`` and ``samples`` ask again.
    """
    seen: set[str] = set()
    repeated: list[pytest.Item] = []
    kept: list[pytest.Item] = []
    for item in items:
        id = str(item.nodeid)
        (repeated if isinstance(item, Question) and id in seen else kept).append(item)
        seen.add(id)
    items[:] = kept
    return repeated


def order_programs(items: list[pytest.Item], seed: int) -> None:
    """Puts questions into a random order of programs, the same in every process; tests stay where they are.

    So do questions of an adaptive suite, which asks in the order of its rounds.

    All questions about one program stay together, those of all models too, so that every gate comes nearer to its
    decision with each program.
    """
    found = [(place, item) for place, item in enumerate(items) if isinstance(item, Question)]
    places = [place for place, item in found if not item.suite.chosen_axis]
    questions = [item for _, item in found if not item.suite.chosen_axis]
    drawn: dict[tuple[str, str], int] = {}
    for item in questions:
        key = item.suite.plan, find_family(item.name)
        if key not in drawn:
            drawn[key] = place_program(seed, *key)
    questions.sort(key=lambda item: drawn[item.suite.plan, find_family(item.name)])
    for place, item in zip(places, questions, strict=True):
        items[place] = item
