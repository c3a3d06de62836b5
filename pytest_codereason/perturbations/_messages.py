"""Misleading messages: what they say, and beside which code each of them stands.

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
from typing import NamedTuple

from pytest_codereason.core.draws import Draws
from pytest_codereason.core.structure import Code, Insertion, Site, Span
from pytest_codereason.errors import Skip
from pytest_codereason.text.edits import Insert

#: The kinds of statements without statements in them, but for those of closures.
SIMPLE = frozenset({"assignment", "expression", "declaration"})
_BLANKS = re.compile(r"[ \t\f]*")
_HEAD = re.compile(r"if\s*\(*\s*")
_BRANCH = re.compile(r"[\s)]*[:{]\s*")


class Catalogue(NamedTuple):
    """The messages by kind of code, ``return`` or ``append``."""

    messages: Mapping[str, tuple[str, ...]]
    operations: Mapping[str, Mapping[str, str]]  #: by language: the kind of each name of an operation


@cache
def catalogue() -> Catalogue:
    """The project's own messages."""
    text = resources.files(__package__).joinpath("messages.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    operations: dict[str, dict[str, str]] = {}
    for kind, table in read["operations"].items():
        for language in table.keys() - {"messages"}:
            operations.setdefault(language, {}).update(dict.fromkeys(table[language], kind))
    said = read["kinds"] | {kind: table["messages"] for kind, table in read["operations"].items()}
    return Catalogue({kind: tuple(messages) for kind, messages in said.items()}, operations)


#: The kind of the code that a message may be about, and where the message then stands.
Place = tuple[str, Insertion]
#: A message and where it stands.
Remark = tuple[str, Insertion]


def remarks(places: Sequence[Place], draws: Draws) -> list[Remark]:
    """A message for every place; no two neighbours of one kind get the same.

    Those of a kind are dealt in turn, in steps of a length that comes by all of them before any comes again.
    """
    said = catalogue().messages
    turns: dict[str, tuple[int, int]] = {}  # the message whose turn it is, and the length of a step
    found = []
    for kind, insertion in places:
        messages = said[kind]
        count = len(messages)
        at, stride = turns.get(kind) or (draws.below(count), draws.choice(_strides(count)))
        turns[kind] = (at + stride) % count, stride
        found.append((messages[at], insertion))
    return found


@cache
def _strides(count: int) -> list[int]:
    """The steps that come by all of so many messages."""
    return [step for step in range(1, count) if gcd(step, count) == 1]


def inserted(insertion: Insertion, text: str) -> Insert:
    """The edit that puts ``text`` there."""
    lines = text.replace("\n", f"\n{insertion.indent}") if "\n" in text else text
    return Insert(insertion.at, f"{insertion.before}{lines}{insertion.after}")


def places(code: Code, language: str) -> list[Place]:
    """Where a program has a place for a message, in the order of the source.

    Left out is code that has no insertion before it (in bodies without braces, lambdas, one-line suites), is never
    reached, or of which a message may be true: a ``return`` without a value, a condition that is a constant.

    Raises:
        Skip: there is none.
    """
    before = insertions_before(code)
    found = [("function", spot) for function in code.functions if (spot := first_in(code, before, function.body))]
    seen: set[tuple[str, int]] = set()
    for kind, site in _sites(code, language):
        spot = _branch(code, before, site) if kind == "if" else before.get(site.statement.start)
        if spot is not None and spot.reachable and (kind, spot.at) not in seen:
            seen.add((kind, spot.at))
            found.append((kind, spot))
    if not found:
        raise Skip("there is no place for a message")
    found.sort(key=lambda place: place[1].at)
    return found


def first_in(code: Code, before: Mapping[int, Insertion], body: Span) -> Insertion | None:
    """Where a statement may come first in the body of a function; ``before`` is of :func:`insertions_before`."""
    if (spot := before.get(body.start)) is not None and spot.place == "statement":
        return spot
    start = code.source.rfind("\n", 0, body.start) + 1
    first = bisect_left(code.insertions, start, key=lambda insertion: insertion.at)
    for insertion in islice(code.insertions, first, None):
        if insertion.at > body.end:
            break
        if insertion.place == "statement" and _target(code, insertion) >= body.start:
            return insertion
    return None


def _target(code: Code, insertion: Insertion) -> int:
    """The offset of what an insertion stands before."""
    blanks = _BLANKS.match(code.source, insertion.at)
    assert blanks is not None
    return blanks.end()


def insertions_before(code: Code) -> dict[int, Insertion]:
    """The insertion right before each statement that has one, by the offset at which the statement begins."""
    found: dict[int, Insertion] = {}
    source, blanks = code.source, _BLANKS.match
    for insertion in code.insertions:
        if insertion.after and (gap := blanks(source, insertion.at)):
            found.setdefault(gap.end(), insertion)
    return found


def _sites(code: Code, language: str) -> Iterator[tuple[str, Site]]:
    """The sites that there are messages about, with their kinds."""
    operations = catalogue().operations[language]
    simple = {statement.span for statement in code.statements if statement.kind in SIMPLE}
    sites = code.sites_of("return", "loop", "condition", "assignment", "collection-operation")
    never = {
        site.statement
        for site in sites
        if site.kind == "condition" and site.form == "constant" and code.source[slice(*site.span)].lower() != "true"
    }
    for site in sites:
        match site.kind:
            case "return" if has_value(code, site):
                yield "return", site
            case "loop" if site.statement not in never:
                yield "for" if site.form == "for" else "while", site
            case "condition" if site.holder == "if" and site.form != "constant":
                yield "if", site
            case "assignment" if site.statement in simple and _on_first_line(code, site):
                yield "assignment", site
            case "collection-operation" if site.form in operations and _on_first_line(code, site):
                yield operations[site.form], site


def has_value(code: Code, site: Site) -> bool:
    """Whether a ``return`` returns something."""
    return code.source[slice(*site.span)].rstrip("; \t\r\n") != "return"


def _on_first_line(code: Code, site: Site) -> bool:
    """Whether a site stands where its statement begins, and not in a later branch or a function inside."""
    return "\n" not in code.source[site.statement.start : site.span.start]


def _branch(code: Code, before: Mapping[int, Insertion], site: Site) -> Insertion | None:
    """Where a message about a condition stands: before its ``if``, or first in the branch of an ``else if``."""
    if _HEAD.fullmatch(code.source[site.statement.start : site.span.start]):
        spot = before.get(site.statement.start)
        if spot is not None:
            return spot
    opening = _BRANCH.match(code.source, site.span.end)
    return before.get(opening.end()) if opening else None
