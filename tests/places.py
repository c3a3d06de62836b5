"""Places in values of JSON, and values with something else there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MISSING, NO_TEXT, DEEP = object(), "\0no text", "\0deep"


Path_ = tuple[str | int, ...]


def list_places(value: Any, place: Path_ = ()) -> Iterator[Path_]:
    """Where something stands in a value of JSON; of a list the first two items."""
    yield place
    if isinstance(value, dict):
        for key, item in value.items():
            yield from list_places(item, (*place, key))
    elif isinstance(value, list):
        for number, item in enumerate(value[:2]):
            yield from list_places(item, (*place, number))


def replace_at(value: Any, place: Path_, by: Any) -> Any:
    if not place:
        return None if by is MISSING else by
    copy: Any = value.copy()
    if by is MISSING and len(place) == 1:
        del copy[place[0]]
    else:
        copy[place[0]] = replace_at(value[place[0]], place[1:], by)
    return copy
