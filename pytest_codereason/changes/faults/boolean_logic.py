"""Boolean logic: ``or`` stands where ``and`` belongs, or a ``not`` is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Span


class BooleanLogic(ShippedFault):
    """Swaps one operator on truth values or bits: ``a and b`` becomes ``a or b``, ``any`` becomes ``all``.

    These are COR and LOR of MAJOR. A ``not`` outside conditions is dropped too.
    Inside conditions, ``negated-condition`` drops it.
    """

    name = "boolean-logic"
    version = 3

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """The other operator at each operator."""
        others = {**places.forms.connectives, **places.forms.quantifiers}
        conditions = [site.span for site in places.code.sites_of("condition")]
        for site in places.list_sites("operator"):
            if site.form == places.forms.negation.strip():
                if not any(span.start <= site.span.start < span.end for span in conditions):
                    yield places.replace(Span(site.span.start, site.parts[0].start), "")
            elif other := others.get(site.form):
                yield places.replace(site.span, other)
