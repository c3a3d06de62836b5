"""Negated condition: a condition, or one part of it, asks for the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Site, Span

#: A name, a field, a call or an element: what can be negated without parentheses.
_UNIT = re.compile(r"[\w$.]+(?:->[\w$.]+)*(?:\([^()]*\)|\[[^\[\]]*\])*")


class NegatedCondition(ShippedFault):
    """Negates one condition, or one part of it: ``if found`` becomes ``if not found``, ``==`` becomes ``!=``."""

    name = "negated-condition"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """The contrary of each part of each condition."""
        operators = places.code.sites_of("operator")
        for condition in places.list_sites("condition"):
            if condition.form == "constant" or condition.holder == "assert":
                continue
            inside = [o for o in operators if condition.span.start <= o.span.start < condition.span.end]
            for part in _list_parts(condition.span, inside, places):
                yield from _negate(part, inside, places)


def _list_parts(condition: Span, inside: list[Site], places: FaultPlaces) -> list[Span]:
    """What stands between the connectives of a condition."""
    connectives = [site for site in inside if site.form in places.forms.connectives]
    parts = [part for site in connectives for part in site.parts] or [condition]
    return [part for part in parts if not any(part.start <= site.span.start < part.end for site in connectives)]


def _negate(part: Span, inside: list[Site], places: FaultPlaces) -> Iterator[Injection]:
    part = _strip(part, places)
    text, negation = places.text(part), places.forms.negation
    within = [site for site in inside if part.start <= site.span.start < part.end and len(site.parts) > 1]
    whole = [site for site in within if (site.parts[0].start, site.parts[1].end) == part]
    if whole and (other := places.forms.opposites.get(whole[0].form)):
        yield places.replace(whole[0].span, other)
    elif text.startswith(negation):
        if not within:
            yield places.replace(Span(part.start, part.start + len(negation)), "")
    elif _UNIT.fullmatch(text):
        yield places.replace(Span(part.start, part.start), negation)


def _strip(part: Span, places: FaultPlaces) -> Span:
    """A part without the parentheses around it."""
    text = places.text(part)
    while text.startswith("(") and text.endswith(")") and "(" not in text[1:-1] and ")" not in text[1:-1]:
        part = Span(part.start + 1, part.end - 1)
        text = places.text(part)
    return part
