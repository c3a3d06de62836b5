"""Which questions are asked a second time, to see how often the model changes its answer when nothing else changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest

from pytest_codereason.core.text.parts import Part, count_part
from pytest_codereason.engine.sharing.sharding import find_family
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.results.verdicts.planned import place_program
from pytest_codereason.session.collecting.items import Question


def choose_repeated(items: Iterable[pytest.Item], options: Options) -> frozenset[str]:
    """The ids of the items that are asked a second time, the same in every process and for every model.

    The part is one of the selected questions of each suite; of all its questions if the run is a shard, so that shards
    together repeat what one run would repeat.
    """
    if options.repeat is None:
        return frozenset()
    asked: dict[tuple[str, str], list[Question]] = {}
    for item in items:
        if isinstance(item, Question):
            asked.setdefault((item.suite.name, item.model), []).append(item)
    repeated: set[str] = set()
    for questions in asked.values():
        suite = questions[0].suite
        among = questions if options.shard is None else suite.specs()
        ids = [each.spec.id if isinstance(each, Question) else each.id for each in among]
        chosen = _choose(suite, ids, options.repeat, options.seed or 0)
        repeated |= {item.nodeid for item in questions if item.spec.id in chosen}
    return frozenset(repeated)


def _choose(suite: Suite, ids: Collection[str], part: Part, seed: int) -> frozenset[str]:
    """Questions about the first programs of a random order. Only some of the last program's may be among them."""
    places = {program: place_program(seed, suite.plan, program) for program in map(find_family, ids)}
    ordered = sorted(ids, key=lambda each: (places[find_family(each)], place_program(seed, suite.plan, each)))
    return frozenset(ordered[: count_part(part, len(ids))])
