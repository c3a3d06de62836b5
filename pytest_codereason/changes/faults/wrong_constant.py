"""Wrong constant: another number or truth value stands where the right one stood."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces, list_slips
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection


class WrongConstant(ShippedFault):
    """Changes one constant: ``24`` becomes ``42``, ``3600`` becomes ``360``, ``False`` becomes ``True``.

    Bounds and indices are left to ``off-by-one``, and defaults to ``wrong-default``. Texts are left alone.
    """

    name = "wrong-constant"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Another literal at each literal."""
        others = {site.span for site in places.code.sites_of("index", "bound", "default")}
        operands = {part for site in places.code.sites_of("operator") if len(site.parts) > 1 for part in site.parts}
        for site in places.list_sites("literal"):
            negative = places.source[: site.span.start].rstrip().endswith("-") and site.span not in operands
            if site.span in others or negative:
                continue
            for other in list_slips(places.text(site.span), site.form, places.forms.truths):
                yield places.replace(site.span, other)
