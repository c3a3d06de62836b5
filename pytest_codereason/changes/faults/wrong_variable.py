"""Wrong variable: another variable of the same sort stands where the right one stood."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Span


class WrongVariable(ShippedFault):
    """Reads another variable: ``low`` where ``high`` belongs.

    The other variable has a value there, belongs to the same function, and has the same declared type. A closure or a
    comprehension may hide it, or end before: then it is not named. Where no type is declared, both are used as numbers,
    or begin with a value of the same sort. Of several, the one used last before. A variable never stands beside itself,
    as in ``n - n``.
    """

    name = "wrong-variable"
    version = 3

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Another variable at each variable that is read."""
        variables = Variables(places)
        sorts = variables.list_sorts()
        sides = [site for site in places.code.sites_of("operator", "arguments") if len(site.parts) > 1]
        for site in places.list_sites("read"):
            right = variables.find(site.span)
            if right is None or not sorts.get(right):
                continue
            beside = {places.text(part) for side in sides if site.span in side.parts for part in side.parts}
            others = [
                (last, binding.name)
                for binding, last in variables.list_visible(site.span.start)
                if sorts.get(binding) == sorts[right] and beside.isdisjoint({binding.name, f"${binding.name}"})
                if binding.name != right.name
            ]
            if others:
                name = max(others)[1].lstrip("$")
                bare = Span(site.span.end - len(right.name.lstrip("$")), site.span.end)
                yield places.replace(bare, name)
