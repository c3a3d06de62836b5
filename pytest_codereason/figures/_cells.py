"""Numbers as they stand in a table of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_codereason.text import wording as words


def share(found: Mapping[str, Any]) -> str:
    """An estimate with its interval."""
    return "not asked" if found["value"] is None else words.estimate(found)


def changed(change: Mapping[str, Any] | None) -> tuple[str, str]:
    """A difference with its interval, and what share of the mean before it is."""
    if change is None:
        return words.UNDEFINED, words.UNDEFINED
    relative = words.UNDEFINED if change["relative"] is None else f"{words.signed(100 * change['relative'], 1)} %"
    return f"{words.signed(change['value'])} {words.signed_interval(change)}".strip(), relative


def part(some: int, of: int) -> str:
    """``12 of 800 (1.5 %)``."""
    return f"{some:,} of {of:,} ({100 * some / of:.1f} %)" if of else "none"
