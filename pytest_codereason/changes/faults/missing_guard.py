"""Missing guard: one part of a condition is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Span


class MissingGuard(ShippedFault):
    """Drops one side of a connective: ``if i < n and a[i] > 0`` becomes ``if a[i] > 0``."""

    name = "missing-guard"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Each connective without its right side, and without its left side if that holds no connective."""
        operators = [site for site in places.list_sites("operator") if site.form in places.forms.connectives]
        literals = {site.span for site in places.code.sites_of("literal")}
        for site in operators:
            left, right = site.parts
            if right in literals:  # a fallback: `name or ""`
                continue
            dropped = [Span(left.end, right.end)]
            if not any(left.start <= other.span.start < left.end for other in operators):
                dropped.append(Span(left.start, right.start))
            for span in dropped:
                if "\n" not in places.text(span):
                    yield places.replace(span, "")
