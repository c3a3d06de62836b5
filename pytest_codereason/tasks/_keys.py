"""Takes the keys of the stage ``layout`` off the lines of a reply."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEYED = re.compile(r"[ \t]*([0-9a-fA-F]{6})(?: |$)(.*)")


def unkeyed(lines: Sequence[str], keys: frozenset[str]) -> list[str]:
    """The lines without the keys that a reply copied along with them."""
    found = []
    for line in lines:
        match = _KEYED.fullmatch(line)
        found.append(match[2] if match and match[1].lower() in keys else line)
    return found
