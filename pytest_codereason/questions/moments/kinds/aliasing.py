"""Whether two variables hold one object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from pytest_codereason.questions.moments.candidate import Kind, MomentCandidate
from pytest_codereason.questions.moments.witnessed import WitnessedRun

YES, NO = "yes", "no"
#: How much more likely a pair is drawn that is one object at some moments of the run and two at others.
_CHANGING = 8.0


class AliasKind(Kind):
    """``alias``: whether v and w are one object before visit k of L.

    Both are of a type that can be changed, hold something, and are equal in value, so the value does not tell. Two that
    are empty are equal whatever they are for.
    """

    name = "alias"
    naive_chance = 0.53
    looks = True

    def list_candidates(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        """A moment for each pair of variables and visit.

        Where a list that is assigned is copied, nearly all answers are no. There a variable counts only if it is one
        with another at some moment.
        """
        found = list(self._list_pairs(run))
        if run.language.tracer.copies_collections:
            one = {name for each in found if each.answer == YES for name in each.names}
            found = [each for each in found if not one.isdisjoint(each.names)]
        answers = {(each.place.file, each.names, each.answer) for each in found}
        for each in found:
            changes = {(each.place.file, each.names, answer) for answer in (YES, NO)} <= answers
            yield replace(each, weight=_CHANGING) if changes else each

    def _list_pairs(self, run: WitnessedRun) -> Iterator[MomentCandidate]:
        for number, probe in enumerate(run.probes):
            place = run.find_probed(number)
            held = [run.list_held(number, name) for name in range(len(probe.names))]
            for visit, seen in enumerate(run.moments.visits[number], 1):
                for one, other in combinations(range(len(probe.names)), 2):
                    first, second = held[one][visit - 1], held[other][visit - 1]
                    alike = seen.values[one] == seen.values[other]  # of one type, which the texts may not tell
                    if first is None or second is None or not alike or not is_filled(first.value):
                        continue
                    yield MomentCandidate(
                        place=place,
                        answer=YES if seen.same[one] == seen.same[other] else NO,
                        visit=visit,
                        visits=len(run.visits[place]),
                        depth=run.visits[place][visit - 1],
                        names=(probe.names[one], probe.names[other]),
                        naive=YES,
                        options=(YES, NO),
                    )


def is_filled(value: Any) -> bool:
    """Whether a value is of a type that can be changed in place, and holds something."""
    return isinstance(value, (list, dict, set)) and len(value) > 0
