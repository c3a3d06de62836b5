"""Swapped arguments: two neighbours of a call stand in each other's places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Span


class SwappedArguments(ShippedFault):
    """Swaps two neighbouring arguments: ``move(row, column)`` becomes ``move(column, row)``.

    Both are of the same sort as far as the text tells, or both are variables of which it tells nothing.
    """

    name = "swapped-arguments"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Each two neighbours that could be confused."""
        variables = Variables(places)
        for site in places.list_sites("arguments"):
            for first, second in pairwise(site.parts):
                one, other = places.text(first), places.text(second)
                sorts = {variables.find_sort(first), variables.find_sort(second)}
                known = sorts != {""} or None not in (variables.find(first), variables.find(second))
                if len(sorts) == 1 and known and one != other:
                    between = places.source[first.end : second.start]
                    yield places.replace(Span(first.start, second.end), f"{other}{between}{one}")
