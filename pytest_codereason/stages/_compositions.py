"""Reads compositions of perturbations: ``rename+dead-code(strength=3)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from pytest_codereason import registry
from pytest_codereason.core import Dose, Perturbation
from pytest_codereason.errors import UsageError
from pytest_codereason.text.suggestions import suggest_name

#: What changes nothing.
NONE = "none"
#: Compositions that have a name of their own.
NAMED: Mapping[str, str] = {"psc-all": "conditions+dead-code+rename"}
_PART = re.compile(r"(?P<name>[A-Za-z][\w.:-]*)(?:\((?P<settings>[^()]*)\))?")
_NUMBERS = ("strength", "density", "place")


class Part(NamedTuple):
    """One perturbation of a composition, as it was written."""

    kind: type[Perturbation]
    dose: Dose


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[Part, ...]:
    """The perturbations that ``rename+dead-code(strength=3)`` names, in the order in which they are applied.

    Raises:
        UsageError: a name or a setting is unknown; the message lists the known ones.
    """
    if text == NONE:
        return ()
    return tuple(_read_part(part.strip()) for name in _split(text) for part in _split(NAMED.get(name, name)))


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\+(?![^()]*\))", text)]


def _read_part(text: str) -> Part:
    match = _PART.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a perturbation: write a name, or NAME(strength=3,density=0.5,place=2)")
    try:
        kind: type[Perturbation] = registry.find(Perturbation, match["name"])
    except UsageError as error:
        more = f"; or {', '.join(NAMED)}, compositions, or {NONE}, which changes nothing"
        raise UsageError(f"{error}{more if str(error).startswith('unknown') else ''}") from error
    return Part(kind, _read_dose(kind, match["settings"] or ""))


def _read_dose(kind: type[Perturbation], text: str) -> Dose:
    values: dict[str, Any] = {}
    known = (*_NUMBERS, "placement") if kind.placements else _NUMBERS
    for setting in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (part.strip() for part in setting.partition("="))
        if key not in known or key in values:
            names = f"{', '.join(known[:-1])} and {known[-1]}"
            hint = "" if key in known else suggest_name(key, known)
            raise UsageError(f"{kind.name}({setting}){hint}: the settings are {names}, each at most once")
        try:
            values[key] = _read_setting(kind, key, value)
        except ValueError as error:
            raise UsageError(f"{kind.name}({setting}): {key} is {error}") from None
    return Dose(**values)


def _read_setting(kind: type[Perturbation], key: str, value: str) -> float | str:
    """The value of one setting.

    Raises:
        ValueError: it is another; the message says what the setting is.
    """
    if key == "placement":
        if value not in kind.placements:
            raise ValueError(" or ".join(kind.placements))
        return value
    least, most = {"strength": kind.strengths, "density": (0, 1), "place": (1, 4)}[key]
    with suppress(ValueError):
        number = float(value) if key == "density" else int(value)
        if least <= number <= most:
            return number
    raise ValueError(f"{'a number' if key == 'density' else 'a whole number'} from {least} to {most}")
