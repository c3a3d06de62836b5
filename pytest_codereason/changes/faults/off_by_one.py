"""Off by one: a loop, a slice, a comparison or an index goes one too far, or not far enough."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_codereason.changes.faults._places import FaultPlaces
from pytest_codereason.changes.faults._shipped import ShippedFault
from pytest_codereason.changes.faults._variables import Variables
from pytest_codereason.core.faults import Injection
from pytest_codereason.core.language.structure import Site

#: The comparison that holds at the bound where another does not.
_INCLUDING = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_WHOLE = re.compile(r"\d+")
_BESIDE = re.compile(r"(.*\S)\s*[+-]\s*1")
#: What binds less than ``+ 1``, which would not be about the whole expression then.
_LOOSE = re.compile(r"(?<!-)>|[?<=&|^!:{\"'`]|\b(?:if|or|and|not|in|is|lambda|instanceof)\b")


class OffByOne(ShippedFault):
    """Moves one bound by one: ``range(n)`` becomes ``range(n + 1)``, ``i < n`` becomes ``i <= n``."""

    name = "off-by-one"
    version = 2

    def find(self, places: FaultPlaces) -> Iterator[Injection]:
        """Comparisons at a bound, the two ends of ranges, and indices."""
        variables = Variables(places)
        compared = {part for site in places.code.sites_of("operator") for part in site.parts}
        for site in places.list_sites("operator", "bound", "index"):
            if site.kind == "operator":
                if other := _INCLUDING.get(site.form):
                    yield places.replace(site.span, other)
                continue
            for other in self._move(site, places, variables, compared=site.span in compared):
                yield places.replace(site.span, other)

    def _move(self, site: Site, places: FaultPlaces, variables: Variables, *, compared: bool) -> Iterator[str]:
        """The texts that stand for a neighbour of a value."""
        text = places.text(site.span)
        if _WHOLE.fullmatch(text):
            number = int(text)
            if number == 0 or site.form == "end":
                yield str(number + 1)
            if number > 0:
                yield str(number - 1)
        elif _LOOSE.search(text) or not _is_counted(site, places, variables):
            return
        elif beside := _BESIDE.fullmatch(text):
            yield beside[1]
        elif site.form == "end":
            yield f"{text} - 1"
            if not compared:  # the comparison itself goes one too far
                yield f"{text} + 1"
        else:
            yield f"{text} + 1"


def _is_counted(site: Site, places: FaultPlaces, variables: Variables) -> bool:
    """Whether a value is a number. The key of a map is none, nor what a loop over linked nodes begins with."""
    if site.kind == "bound" and (site.form == "end" or not site.holder):
        return True
    if variables.find(site.span) is None:
        return bool(_BESIDE.fullmatch(places.text(site.span)))
    return variables.find_sort(site.span) == "number"
