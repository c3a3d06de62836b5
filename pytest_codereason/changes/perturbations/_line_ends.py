"""Finds the ends of lines at which a comment may stand.

A line may end inside a string, a template literal or a heredoc, or with a backslash that joins it to the next line. A
comment there would be text of the program. So an end of a line counts only where nothing but blanks stands between two
pieces of code around it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import itemgetter

from pytest_codereason.core.language.structure import Code, Function, Insertion, Site

#: The kinds of statements that hold no other statements, except those of closures.
SIMPLE = frozenset({"assignment", "expression", "declaration"})
_REST_OF_STATEMENT = re.compile(r"[ \t\f;]*(?=\r?\n|\Z)")
_REST_OF_LINE = re.compile(r"[ \t\f]*\r?\n")
#: What stands between a condition and the first statement of its branch: a block, or a body without braces.
BRANCH = re.compile(r"[\s)]*[:{]\s*")
_OFFSET = itemgetter(0)
_BODY = re.compile(r"[\s)]*[:{]?\s*")


def find_signature_end(code: Code, function: Function) -> int | None:
    """The end of the line on which the signature of a function ends."""
    return _find_end_in_gap(code.source, function.body.start)


def find_branch_end(code: Code, condition: Site) -> int | None:
    """The end of the line on which the header of an ``if`` or ``else if`` ends."""
    body = _BODY.match(code.source, condition.span.end)
    return _find_end_in_gap(code.source, body.end()) if body else None


def find_statement_end(code: Code, site: Site, *, simple: bool) -> int | None:
    """The end of the line of a statement: of its last line if it is ``simple``, else of the line of its header."""
    if not simple:
        return find_first_inside(code, site)[0]
    source, end = code.source, site.statement.end
    if source.startswith("\n", end):
        return end
    rest = _REST_OF_STATEMENT.match(source, end)
    return end + len(source[end : rest.end()].rstrip(" \t\f")) if rest else None


def find_first_inside(code: Code, site: Site) -> tuple[int | None, Insertion | None]:
    """The end of the line of a header, and the place of the first statement inside, as far as they are there."""
    source, insertions = code.source, code.insertions
    newline = source.find("\n", site.statement.start)
    if newline < 0:
        return None, None
    end = _strip_blanks(source, newline)
    number = bisect_left(insertions, end, key=_OFFSET)
    if source[end - 1] == "\\" or number == len(insertions):
        return None, None
    following = insertions[number]
    if source[end : following.at].strip():
        return None, None
    is_inside = following.at <= site.statement.end and following.after and following.place == "statement"
    return end, following if is_inside else None


def _find_end_in_gap(source: str, at: int) -> int | None:
    """The end of the line before the first statement of a body; ``None`` if they share a line."""
    end = _strip_blanks(source, at)
    return end if source[end - 1] != "\\" and _REST_OF_LINE.match(source, end) else None


def _strip_blanks(source: str, at: int) -> int:
    """The offset behind the last character before ``at`` that is not blank."""
    while at and source[at - 1].isspace():
        at -= 1
    return at
