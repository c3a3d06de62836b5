"""Misleading messages: their texts, and the code beside which each of them stands.

The catalogue is ``messages.toml``. A message stands before the statement that it is about, on a line of its own, as
a comment or a print; that of a function stands first in its body, that of an ``else if`` first in its branch.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from math import gcd

from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.structure import Code, Insertion, Site, Span
from pytest_codereason.errors import Skip
from pytest_codereason.text.edits import Insert

#: The kinds of statements that hold no other statements, except those of closures.
SIMPLE = frozenset({"assignment", "expression", "declaration"})
_BLANKS = re.compile(r"[ \t\f]*")
_HEAD = re.compile(r"if\s*\(*\s*")
_BRANCH = re.compile(r"[\s)]*[:{]\s*")


@cache
def read_messages() -> Mapping[str, tuple[str, ...]]:
    """The project's own messages, by the kind of code that they are about: ``return`` or ``append``."""
    text = resources.files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return {kind: tuple(messages) for kind, messages in (tables["kinds"] | tables["operations"]).items()}


#: The kind of the code that a message is about, and where the message stands.
Place = tuple[str, Insertion]


def deal_messages(places: Sequence[Place], draws: Draws) -> list[tuple[str, Insertion]]:
    """A message for every place; no two neighbours of one kind get the same.

    The messages of a kind take turns, in steps of a length that comes by all of them before any message comes again.
    """
    catalogue = read_messages()
    turns: dict[str, tuple[int, int]] = {}  # the message whose turn it is, and the length of a step
    dealt = []
    for kind, insertion in places:
        messages = catalogue[kind]
        count = len(messages)
        at, stride = turns.get(kind) or (draws.below(count), draws.choice(_list_strides(count)))
        turns[kind] = (at + stride) % count, stride
        dealt.append((messages[at], insertion))
    return dealt


@cache
def _list_strides(count: int) -> list[int]:
    """The steps that come by all of so many messages."""
    return [step for step in range(1, count) if gcd(step, count) == 1]


def insert_text(insertion: Insertion, text: str) -> Insert:
    """The edit that puts ``text`` there."""
    lines = text.replace("\n", f"\n{insertion.indent}") if "\n" in text else text
    return Insert(insertion.at, f"{insertion.before}{lines}{insertion.after}")


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
        ("function", spot) for function in code.functions if (spot := find_first_insertion(code, before, function.body))
    ]
    known: set[tuple[str, int]] = set()
    for kind, site in _list_sites(code, operations):
        spot = _find_branch(code, before, site) if kind == "if" else before.get(site.statement.start)
        if spot is not None and spot.reachable and (kind, spot.at) not in known:
            known.add((kind, spot.at))
            places.append((kind, spot))
    if not places:
        raise Skip("there is no place for a message")
    places.sort(key=lambda place: place[1].at)
    return places


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


def _list_sites(code: Code, operations: Mapping[str, str]) -> Iterator[tuple[str, Site]]:
    """The sites that there are messages about, with the kinds of the messages."""
    simple = {statement.span for statement in code.statements if statement.kind in SIMPLE}
    sites = code.sites_of("return", "loop", "condition", "assignment", "collection-operation")
    never = {
        site.statement
        for site in sites
        if site.kind == "condition" and site.form == "constant" and code.source[slice(*site.span)].lower() != "true"
    }
    for site in sites:
        match site.kind:
            case "return" if returns_value(code, site):
                yield "return", site
            case "loop" if site.statement not in never:
                yield "for" if site.form == "for" else "while", site
            case "condition" if site.holder == "if" and site.form != "constant":
                yield "if", site
            case "assignment" if site.statement in simple and _is_on_first_line(code, site):
                yield "assignment", site
            case "collection-operation" if site.form in operations and _is_on_first_line(code, site):
                yield operations[site.form], site


def returns_value(code: Code, site: Site) -> bool:
    """Whether a ``return`` returns something."""
    return code.source[slice(*site.span)].rstrip("; \t\r\n") != "return"


def _is_on_first_line(code: Code, site: Site) -> bool:
    """Whether a site stands where its statement begins, and not in a later branch or a function inside."""
    return "\n" not in code.source[site.statement.start : site.span.start]


def _find_branch(code: Code, before: Mapping[int, Insertion], site: Site) -> Insertion | None:
    """Where a message about a condition stands: before its ``if``, or first in the branch of an ``else if``."""
    if _HEAD.fullmatch(code.source[site.statement.start : site.span.start]):
        spot = before.get(site.statement.start)
        if spot is not None:
            return spot
    opening = _BRANCH.match(code.source, site.span.end)
    return before.get(opening.end()) if opening else None
