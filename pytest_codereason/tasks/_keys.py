"""Keys on lines: what makes a function findable without a name (Sense and Sensitivity, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_codereason.core.draws import Draws

_KEYS = 16**6
_KEYED = re.compile(r"[ \t]*([0-9a-fA-F]{6})(?: |$)(.*)")


def draw(seed: int, count: int) -> list[str]:
    """``count`` distinct keys of six hexadecimal digits. A longer draw of a seed begins with a shorter one."""
    draws = Draws(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[f"{draws.below(_KEYS):06x}"] = None
    return list(found)


def keyed(lines: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Each line after its key."""
    return [f"{key} {line}".rstrip() for key, line in zip(keys, lines, strict=True)]


def unkeyed(lines: Sequence[str], keys: frozenset[str]) -> list[str]:
    """The lines without the keys that a reply copied along with them."""
    found = []
    for line in lines:
        match = _KEYED.fullmatch(line)
        found.append(match[2] if match and match[1].lower() in keys else line)
    return found
