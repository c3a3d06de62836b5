"""Compositions of perturbations, as the axis of the stage writes them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import NAMED, parse
from pytest_codereason.core import Perturbation
from pytest_codereason.errors import UsageError

#: Every perturbation that changes more than the layout; one that is installed later is among them.
CHANGES = tuple(name for name in registry.list_shipped(Perturbation) if name != "vanilla")
#: The strengths that are drawn; any more is the perturbation's own measure.
STRENGTHS = 8


def perturbations(names: Sequence[str] = CHANGES, *, most: int = 2) -> st.SearchStrategy[str]:
    """Axis values such as ``comments(strength=2)+rename(strength=1,place=3)``.

    They shrink to one part, to the first of ``names``, strength 1 and no place.

    Args:
        names: perturbations and named compositions, simplest first; each at most once in a composition.
        most: parts of the longest composition, from 1.

    Raises:
        UsageError: a name is unknown or changes nothing, or there is no list of names.
    """
    if isinstance(names, str):
        raise UsageError(f"perturbations() takes a list of names: perturbations([{names!r}])")
    if not names or most < 1:
        raise UsageError("perturbations() needs at least one name, and most=1 or more")
    for name in names:
        if all(part.kind.changes_nothing for part in parse(name)):
            raise UsageError(f"the perturbation {name!r} changes nothing, so it gives no case")
    return st.lists(_draw_part(names), min_size=1, max_size=most, unique_by=lambda part: part.partition("(")[0]).map(
        "+".join
    )


@st.composite
def _draw_part(draw: st.DrawFn, names: Sequence[str]) -> str:
    name = draw(st.sampled_from(names))
    strength = draw(st.integers(1, STRENGTHS + 1))
    place = draw(st.sampled_from((0, 0, 0, 0, 1, 2, 3, 4)))
    if name in NAMED:
        return name
    kind: type[Perturbation] = registry.find(Perturbation, name)
    least, greatest = kind.strengths
    settings = [f"strength={min(max(strength, least), greatest)}"] if strength <= STRENGTHS else []
    settings += [f"place={place}"] if place else []
    settings = [setting for setting in settings if setting.partition("=")[0] in kind.doses]
    return f"{name}({','.join(settings)})" if settings else name
