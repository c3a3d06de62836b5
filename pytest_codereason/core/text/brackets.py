"""Finds brackets in code of any language, and passes over those within strings."""

from __future__ import annotations

import re

#: Characters that are searched for a closing bracket.
MAX_SPAN = 100_000

# An escape outside a string counts as one token too: otherwise a row of them would be searched again and again.
# Groups are not repeated possessively: Python 3.11.2, which Debian 12 has, then matches something else (gh-100061).
_TOKEN = re.compile(
    r"""\\.|'{3}.*?'{3}|"{3}.*?"{3}|`[^\\`]*+(?:\\.[^\\`]*+)*`|(['"])(?:\\.|(?!\1)[^\\\n])*\1|[()\[\]{},]""", re.DOTALL
)
_STEPS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


def find_closing_bracket(text: str, start: int, closing: str = ")") -> int | None:
    """The offset of the bracket ``closing`` that closes the one before ``start``, ``None`` if there is none."""
    depth = 1
    for token in _TOKEN.finditer(text, start, start + MAX_SPAN):
        depth += _STEPS.get(token[0], 0)
        if depth == 0:
            return token.start() if token[0] == closing else None
    return None
