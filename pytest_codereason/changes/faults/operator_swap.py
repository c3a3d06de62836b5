"""Operator swap: another arithmetic operator stands where the right one stood."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Site


class OperatorSwap(ShippedFault):
    """Swaps one arithmetic operator: ``a + b`` becomes ``a - b`` (AOR of MAJOR).

    A ``+`` may also join texts or lists, for which there is no other operator. So a ``+`` is swapped only where one
    side is a number as far as the text tells.
    """

    name = "operator-swap"
    version = 3

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """The other operator at each arithmetic operator."""
        variables = Variables(places)
        for site in places.list_sites("operator"):
            other = places.forms.arithmetic.get(site.form)
            if other and len(site.parts) > 1 and _is_of_numbers(site, variables):
                yield places.replace(site.span, other)


def _is_of_numbers(site: Site, variables: Variables) -> bool:
    sorts = {variables.find_sort(part) for part in site.parts}
    if sorts - {"", "number"}:
        return False
    return "number" in sorts or site.form not in ("+", "+=")
