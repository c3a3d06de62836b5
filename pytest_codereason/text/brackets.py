"""Finds brackets and commas in code of any language, and passes over those within strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Characters that are searched for a closing bracket.
MAX_SPAN = 100_000

# An escape outside a string counts as one token too: otherwise a row of them would be searched again and again.
# Groups are not repeated possessively: Python 3.11.2, which Debian 12 has, then matches something else (gh-100061).
_TOKEN = re.compile(
    r"""\\.|'{3}.*?'{3}|"{3}.*?"{3}|`[^\\`]*+(?:\\.[^\\`]*+)*`|(['"])(?:\\.|(?!\1)[^\\\n])*\1|[()\[\]{},]""", re.DOTALL
)
_STRING_OR_WORD = re.compile(rf"{_TOKEN.pattern}|\w+|\S", re.DOTALL)
_STEPS = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)


def find_closing_bracket(text: str, start: int) -> int | None:
    """The offset of the round bracket that closes the one before ``start``, ``None`` where there is none."""
    depth = 1
    for token in _TOKEN.finditer(text, start, start + MAX_SPAN):
        depth += _STEPS.get(token[0], 0)
        if depth == 0:
            return token.start() if token[0] == ")" else None
    return None


def split_at_commas(text: str) -> Iterator[str]:
    """The parts of ``text`` between the commas outside all brackets; one part where there is no such comma."""
    depth = start = 0
    for token in _TOKEN.finditer(text):
        depth += _STEPS.get(token[0], 0)
        if token[0] == "," and depth == 0:
            yield text[start : token.start()]
            start = token.end()
    yield text[start:]


def empty_strings(text: str) -> str:
    """``text`` with its strings emptied."""
    return _TOKEN.sub(lambda token: token[0] if len(token[0]) == 1 else "''", text)


def list_tokens(text: str) -> list[str]:
    """Strings, words and signs of ``text``, without the white space between them."""
    return [token[0] for token in _STRING_OR_WORD.finditer(text)]
