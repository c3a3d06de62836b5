"""The keys of a suite file, and where each of them stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_codereason.core import Stage, Task
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting, UnknownKey
from pytest_codereason.questions.suites.sampling import SAMPLING
from pytest_codereason.questions.suites.stages import find_shipped

#: Keys of a suite file that stand in no table.
TOP_KEYS = ("task", "languages", "template", "prefill", "hints", "texts")


def list_keys(kinds: Mapping[str, type[Stage]]) -> tuple[str, ...]:
    """The keys that a suite file may have besides axes; ``kinds`` are stages that do not ship."""
    stages = dict.fromkeys([*find_shipped(), *kinds])
    others = ("matrix", "adaptive", "sampling", "template", "prefill", "hints", "texts")
    return ("task", "languages", "source", *stages, *others)


def list_places(task: Task) -> dict[str, str]:
    """Where a suite file has each key and each axis that some other table lacks."""
    axes = [*task.axes, *(axis for kind in find_shipped().values() for axis in kind.axes)]
    places = dict.fromkeys(axes, "into [matrix], or one value of it above the first table")
    return {
        **places,
        **dict.fromkeys((*SAMPLING, "samples"), "into [sampling]"),
        **dict.fromkeys(TOP_KEYS, "above the first table"),
    }


def explain_setting(error: BadSetting, places: Mapping[str, str]) -> str:
    """What is wrong with a setting. If its table has no such key, but the file may have it, where to write it.

    Args:
        places: what :func:`list_places` gives.
    """
    place = places.get(error.key, "") if isinstance(error, UnknownKey) else ""
    return f"{error.key!r} does not belong here: write it {place}" if place else str(error)


def list_texts(value: object, *where: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a table, with its keys."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from list_texts(item, *where, key)
    elif isinstance(value, list):
        for item in value:
            yield from list_texts(item, *where)


def suggest_misspelt(key: str, table: Mapping[str, object]) -> str:
    """`` (is it 'nmae'?)`` if a table has no ``name`` but a key that looks like it, else nothing."""
    return next((f" (is it {each!r}?)" for each in table if suggest_name(each, [key])), "")
