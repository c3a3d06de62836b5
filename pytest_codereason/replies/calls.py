"""Finds calls of one function in a reply, and the text of their arguments.

A call counts only where an assertion has a call: on one side of a comparison, and not within something larger. So
``0 or True or f(0)`` holds no call.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_codereason.text.brackets import find_closing_bracket

#: Calls that are tried, the last ones first.
_MAX_CALLS = 20
#: Characters before a call that are looked at.
_MAX_BEFORE = 200

_BEFORE = re.compile(r"(?:^|[\n(`:]|\b[a-z]{2,}(?<!\bor)(?<!\band)(?<!\bnot)(?<!\breturn)(?<!\bif)(?<!\belse))[ \t]*\Z")
_AFTER = re.compile(r"[ \t]*(?:\Z|\n|={2,3}|->|=>|→|[),;`#]|//|\.(?:\s|\Z|equals\())")


def find_last_call(text: str, function: str) -> str | None:
    """The text of the arguments in the last complete call of ``function``, ``None`` where there is no call.

    A call within the arguments of another call of the function does not count: ``f(f(41))`` gives ``f(41)``.
    """
    calls = list(_compile_calls(function).finditer(text))[-_MAX_CALLS:]
    ends = [find_closing_bracket(text, call.end()) for call in calls]
    for number in reversed(range(len(calls))):
        call, end = calls[number], ends[number]
        if end is None or not _AFTER.match(text, end + 1):
            continue
        within = any(outer is not None and outer > end for outer in ends[:number])
        if not within and _BEFORE.search(text[max(0, call.start() - _MAX_BEFORE) : call.start()]):
            return text[call.end() : end].strip()
    return None


def continue_call(text: str, opening: str) -> tuple[str, str] | None:
    """The text of the arguments that ``text`` puts after ``opening``, such as ``assert f(``, and the text after them.

    ``None`` where no bracket closes the call. A text may repeat ``opening``.
    """
    if text.lstrip().startswith(opening):
        text = text.lstrip().removeprefix(opening)
    end = find_closing_bracket(text, 0)
    return (text[:end].strip(), text[end:]) if end is not None and _AFTER.match(text, end + 1) else None


@lru_cache(maxsize=64)
def _compile_calls(function: str) -> re.Pattern[str]:
    qualifier, _, name = function.rpartition(".")
    optional = rf"(?:{re.escape(qualifier)}\s*\.\s*)?" if qualifier else ""
    return re.compile(rf"(?<![\w$.])(?<!def )(?<!function ){optional}{re.escape(name)}\s*\(")
