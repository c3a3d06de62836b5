"""Wrong default: a parameter, or a look-up that finds nothing, has the wrong value."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces, list_slips
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection


class WrongDefault(ShippedFault):
    """Changes one default: the ``0`` of ``def f(n=0)`` or of ``counts.get(key, 0)`` becomes ``1``."""

    name = "wrong-default"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Another literal at each default."""
        for site in places.list_sites("default"):
            for other in list_slips(places.text(site.span), site.form, places.forms.truths):
                yield places.replace(site.span, other)
