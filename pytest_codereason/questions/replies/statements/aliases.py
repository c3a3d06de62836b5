"""Finds mentions of a variable that holds the value of a call: ``result = f(3)``, then ``assert result == 42``."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Mentions that are looked at, the last ones, and characters before a call.
_MAX_MENTIONS, _MAX_BEFORE = 50, 100
#: The beginning of an assignment, with a type or a word of declaration, right before the call.
_ASSIGNED = re.compile(
    r"(?:\A|[\n;{])[ \t]*(?:[A-Za-z_][\w.]*(?:<[\w, <>?]*>)?(?:\[\])*[ \t]+)*(?P<name>\$?[A-Za-z_]\w*)[ \t]*"
    r"(?::[ \t]*[\w\[\]]+[ \t]*)?=[ \t]*(?:await[ \t]+)?\Z"
)
_DONE = re.compile(r"[ \t]*;?[ \t]*(?:\n|#|//)")


def list_mentions(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where a variable stands to which the last of the calls at ``spans`` is assigned, up to its next assignment."""
    for start, end in reversed(spans):
        before = text[max(0, start - _MAX_BEFORE) : start]
        assigned = _ASSIGNED.search(before) if "=" in before else None
        if assigned and _DONE.match(text, end):
            name = re.escape(assigned["name"])
            again = re.compile(rf"(?<![\w$.]){name}\s*(?:[-+*/.%]|\?\?)?=(?![=>])").search(text, end)
            stop = again.start() if again else len(text)
            mentions = re.compile(rf"(?<![\w$.'\"]){name}(?![\w$(\['\"])").finditer(text, end, stop)
            return [mention.span() for mention in mentions][-_MAX_MENTIONS:]
    return []
