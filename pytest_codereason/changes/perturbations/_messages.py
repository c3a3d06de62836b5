"""Misleading messages: their texts, and the code beside which each of them stands.

The catalogue is ``messages.toml``. A comment stands at the end of the line that it is about, or on a line of its own
above. A print stands before its statement; that of a function, a loop or a branch stands first inside.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import cycle, islice
from math import gcd
from operator import attrgetter, itemgetter
from typing import NamedTuple

from pytest_codereason.changes.perturbations._line_ends import (
    BRANCH,
    SIMPLE,
    find_branch_end,
    find_first_inside,
    find_signature_end,
    find_statement_end,
)
from pytest_codereason.core.language.structure import Code, Insertion, Site, Span
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.edits import Insert
from pytest_codereason.errors import Skip

#: Where a comment may be asked to stand; the first is the study's.
PLACEMENTS = ("end-of-line", "own-line")
_OFFSET, _OWN_LINE = itemgetter(0), attrgetter("own_line.at")
_BLANKS = re.compile(r"[ \t\f]*")
_HEAD = re.compile(r"if\s*\(*\s*")


@cache
def read_messages() -> Mapping[str, tuple[str, ...]]:
    """The project's own messages, by the kind of code that they are about: ``return`` or ``append``."""
    text = resources.files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return {kind: tuple(messages) for kind, messages in (tables["kinds"] | tables["operations"]).items()}


class Place(NamedTuple):
    """A piece of code that a message can be about, and where the message can stand."""

    kind: str
    own_line: Insertion  #: a line of its own: before the statement, or first in a function or ``else`` branch
    inside: Insertion  #: the first statement inside a loop or branch; ``own_line`` where there is none
    line_end: int | None  #: the end of its line, ``None`` where no comment can stand there


def deal_messages(places: Sequence[Place], draws: Draws) -> list[tuple[str, Place]]:
    """A message for every place; no two neighbours of one kind get the same.

    The messages of a kind take turns, in steps of a length that comes by all of them before any message comes again.
    """
    turns: dict[str, Iterator[str]] = {}
    dealt = []
    few = draws.few()
    for place in places:
        kind = place.kind
        turn = turns.get(kind)
        if turn is None:
            orders = _list_orders(kind)
            turn = turns[kind] = cycle(few.choice(orders))
        dealt.append((next(turn), place))
    return dealt


@cache
def _list_orders(kind: str) -> list[list[str]]:
    """The orders in which the messages of a kind can take turns: from each of them, in each length of steps."""
    messages = read_messages()[kind]
    count = len(messages)
    steps = [step for step in range(1, count) if gcd(step, count) == 1]
    return [
        [messages[(first + turn * step) % count] for turn in range(count)] for first in range(count) for step in steps
    ]


def insert_text(insertion: Insertion, text: str) -> Insert:
    """The edit that puts ``text`` there."""
    lines = text.replace("\n", f"\n{insertion.indent}") if "\n" in text else text
    return Insert(insertion.at, f"{insertion.before}{lines}{insertion.after}")


def write_comments(comments: Sequence[tuple[str, Place]], write: Callable[[str], str], placement: str) -> list[Insert]:
    """The edits that put texts beside their places as comments: at the end of the line, if it can hold a comment.

    Texts that share a line stand in one comment.

    Args:
        write: makes a comment of a text.
        placement: one of ``PLACEMENTS``; empty for the first.

    Raises:
        Refused: a comment cannot hold a text.
    """
    edits: list[Insert] = []
    texts: dict[int, str] = {}  # and below the comments, by the end of their line
    at_ends: dict[int, str] = {}
    for text, place in comments:
        end = None if placement == "own-line" else place.line_end
        comment = write(text)
        if end is None or "\n" in comment:
            edits.append(insert_text(place.own_line, comment))
        elif end in texts:
            texts[end] = f"{texts[end]} {text}"
            at_ends[end] = write(texts[end])
        else:
            texts[end], at_ends[end] = text, comment
    edits += [Insert(at, f"  {comment}") for at, comment in at_ends.items()]
    edits.sort(key=_OFFSET)
    return edits


def find_offset(place: Place, placement: str) -> int:
    """The offset of a comment with this placement."""
    return place.own_line.at if placement == "own-line" or place.line_end is None else place.line_end


def list_places(code: Code, operations: Mapping[str, str]) -> list[Place]:
    """Where a program has a place for a message, in the order of the source.

    Some code is left out: code before which nothing can be inserted (in bodies without braces, lambdas, one-line
    suites), code that is never reached, and code of which a message may be true, such as a ``return`` without a value
    or a constant condition.

    Args:
        operations: the kinds of operations on collections, by the name of the operation.

    Raises:
        Skip: There is no place.
    """
    before = map_insertions(code)
    places = [
        Place("function", spot, spot, find_signature_end(code, function))
        for function in code.functions
        if (spot := find_first_insertion(code, before, function.body))
    ]
    known: set[tuple[str, int]] = set()
    for kind, site, simple in _list_sites(code, operations):
        place = _find_place(code, before, kind, site, simple=simple)
        if place is not None and place.own_line.reachable and (kind, place.own_line.at) not in known:
            known.add((kind, place.own_line.at))
            places.append(place)
    if not places:
        raise Skip("there is no place for a message")
    places.sort(key=_OWN_LINE)
    return places


def _find_place(code: Code, before: Mapping[int, Insertion], kind: str, site: Site, *, simple: bool) -> Place | None:
    """Where a message about a site may stand; ``None`` if there is no line for it."""
    start = site.statement.start
    if kind == "if":
        opening = BRANCH.match(code.source, site.span.end)
        inside = before.get(opening.end()) if opening else None
        is_first = _HEAD.fullmatch(code.source[start : site.span.start])
        own_line = (before.get(start) if is_first else None) or inside
        return own_line and Place(kind, own_line, inside or own_line, find_branch_end(code, site))
    own_line = before.get(start)
    if own_line is None:
        return None
    if kind in ("for", "while"):
        end, inside = find_first_inside(code, site)
        return Place(kind, own_line, inside or own_line, end)
    return Place(kind, own_line, own_line, find_statement_end(code, site, simple=simple))


def find_first_insertion(code: Code, before: Mapping[int, Insertion], body: Span) -> Insertion | None:
    """Where a statement may come first in the body of a function; ``before`` is of :func:`map_insertions`."""
    if (spot := before.get(body.start)) is not None and spot.place == "statement":
        return spot
    start = code.source.rfind("\n", 0, body.start) + 1
    first = bisect_left(code.insertions, start, key=lambda insertion: insertion.at)
    for insertion in islice(code.insertions, first, None):
        if insertion.at > body.end:
            break
        if insertion.place == "statement" and _find_target(code, insertion) >= body.start:
            return insertion
    return None


def _find_target(code: Code, insertion: Insertion) -> int:
    """The offset of the code before which an insertion stands."""
    blanks = _BLANKS.match(code.source, insertion.at)
    assert blanks is not None
    return blanks.end()


def map_insertions(code: Code) -> dict[int, Insertion]:
    """The insertion right before each statement that has one, by the offset at which the statement begins."""
    insertions: dict[int, Insertion] = {}
    source, blanks = code.source, _BLANKS.match
    for insertion in code.insertions:
        if insertion.after and (gap := blanks(source, insertion.at)):
            insertions.setdefault(gap.end(), insertion)
    return insertions


def _list_sites(code: Code, operations: Mapping[str, str]) -> Iterator[tuple[str, Site, bool]]:
    """The sites that there are messages about, with the kinds of the messages, and whether the statement is simple."""
    simple = {statement.span for statement in code.statements if statement.kind in SIMPLE}
    sites = code.sites_of("return", "loop", "condition", "assignment", "collection-operation")
    never: set[Span] = set()
    returns: set[Span] = set()
    for site in sites:
        if site.kind == "return":
            returns.add(site.statement)
        elif site.kind == "condition" and site.form == "constant" and code.source[slice(*site.span)].lower() != "true":
            never.add(site.statement)
    for site in sites:
        match site.kind:
            case "return" if returns_value(code, site):
                yield "return", site, True
            case "loop" if site.statement not in never:
                yield "for" if site.form == "for" else "while", site, False
            case "condition" if site.holder == "if" and site.form != "constant":
                yield "if", site, False
            case "assignment" if site.statement in simple and _is_on_first_line(code, site):
                yield "assignment", site, True
            case "collection-operation" if site.form in operations and _is_on_first_line(code, site):
                yield operations[site.form], site, site.statement in simple or site.statement in returns


def returns_value(code: Code, site: Site) -> bool:
    """Whether a ``return`` returns something."""
    return code.source[slice(*site.span)].rstrip("; \t\r\n") != "return"


def _is_on_first_line(code: Code, site: Site) -> bool:
    """Whether a site stands where its statement begins, and not in a later branch or a function inside."""
    return "\n" not in code.source[site.statement.start : site.span.start]
