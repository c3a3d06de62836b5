"""Reads compositions of perturbations: ``rename+dead-code(strength=3)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from pytest_codereason import registry
from pytest_codereason.core import Dose, Perturbation
from pytest_codereason.core.doses import RANDOM
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError

#: What changes nothing.
NONE = "none"
#: Compositions that have a name of their own.
NAMED: Mapping[str, str] = {"psc-all": "conditions+dead-code+rename"}
_PART = re.compile(r"(?P<name>[A-Za-z][\w.:-]*)(?:\((?P<settings>[^()]*)\))?")


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


def is_shipped(kind: type[Perturbation]) -> bool:
    """Whether a perturbation belongs to this package."""
    return kind.__module__.startswith("pytest_codereason.")


def identify(kind: type[Perturbation]) -> str:
    """A name for a perturbation: its own if it is shipped, else with its module."""
    return kind.name if is_shipped(kind) else f"{kind.__module__}:{kind.__qualname__}"


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
    return Part(kind, _read_dose(kind, match["name"], match["settings"] or ""))


def _read_dose(kind: type[Perturbation], name: str, text: str) -> Dose:
    values: dict[str, Any] = {}
    known = [setting for setting in Dose.SETTINGS if setting in kind.doses] + ["placement"] * bool(kind.placements)
    for setting in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (part.strip() for part in setting.partition("="))
        if key in Dose.SETTINGS and key not in known:
            raise UsageError(f"{name}({setting}): {_refuse_dose(kind, key)}")
        if key not in known or key in values:
            hint = "" if key in known else suggest_name(key, known)
            names = " and ".join(filter(None, (", ".join(known[:-1]), *known[-1:])))
            settings = f"the settings are {names}, each at most once" if known else "it takes no settings"
            raise UsageError(f"{name}({setting}){hint}: {settings}")
        try:
            values[key] = _read_setting(kind, key, value)
        except ValueError as error:
            raise UsageError(f"{name}({setting}): {key} is {error}") from None
    return Dose(**values)


def _refuse_dose(kind: type[Perturbation], key: str) -> str:
    """Why a perturbation is not given a setting that it might ignore: each dose would then be the same program."""
    settings = ", ".join(f'"{setting}"' for setting in Dose.SETTINGS)
    return (
        f"{kind.__name__} does not say that it obeys {key}. Let its apply change only the places that "
        "dose.choose(places, draws, program.source, lambda place: its offset) gives, and write "
        f"doses = ({settings}) in the class"
    )


def _read_setting(kind: type[Perturbation], key: str, value: str) -> float | str:
    """The value of one setting.

    Raises:
        ValueError: it is another; the message says what the setting is.
    """
    if key == "placement":
        if value not in kind.placements:
            raise ValueError(" or ".join(kind.placements))
        return value
    if (key, value) == ("place", "random"):
        return RANDOM
    least, most = {"strength": kind.strengths, "density": (0, 1), "place": (1, 4)}[key]
    with suppress(ValueError):
        number = float(value) if key == "density" else int(value)
        if least <= number <= most:
            return number
    kind_of_number = "a number" if key == "density" else "a whole number"
    raise ValueError(f"{kind_of_number} from {least} to {most}{', or random' if key == 'place' else ''}")
