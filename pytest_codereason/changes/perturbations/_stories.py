"""Comments that tell a wrong story: from a catalogue, by the kind of the code that they stand beside.

The catalogue is ``stories.toml``. All comments of a program tell one story, as far as the catalogue reaches.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._code_views import RenamedCode
from pytest_codereason.changes.perturbations._messages import insert_text, list_places
from pytest_codereason.changes.perturbations._places import parse_program, parse_text
from pytest_codereason.changes.perturbations._wrong_names import collect_words
from pytest_codereason.core import Dialect, Program
from pytest_codereason.core.language.structure import Code, Comment, Span
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.recent import keep_recent
from pytest_codereason.core.text.edits import Edit, Insert, Replace
from pytest_codereason.errors import Skip

#: What the story says beside a statement, by the kind of the statement.
_KINDS = {
    **dict.fromkeys(("for", "while"), "loop"),
    **dict.fromkeys(("assignment", "declaration"), "assignment"),
    **{kind: kind for kind in ("function", "if", "return")},
}
#: What a comment may stand beside.
STORY_KINDS = ("file", "function", "loop", "if", "return", "assignment", "other")
#: Statements that stand at the head of a file.
_HEADING = frozenset({"import", "class", ""})
#: Characters of the programs whose spots are kept: several compositions come by one program.
_KEPT = 40_000
_LONG_WORD = re.compile(r"[a-z]{5,}")


class CommentSpot(NamedTuple):
    """Where a comment stands, or may stand."""

    at: int
    kind: str  #: of the code beside it, a key of the catalogue
    edit: Insert | Replace  #: puts a comment there; ``%s`` is its text
    own: bool  #: whether the program has a comment there


@cache
def _read_stories() -> tuple[Mapping[str, tuple[str, ...]], ...]:
    text = resources.files(__package__).joinpath("stories.toml").read_text(encoding="utf-8")
    return tuple({kind: tuple(texts) for kind, texts in story.items()} for story in tomllib.loads(text).values())


def list_spots(program: Program) -> Sequence[CommentSpot]:
    """The comments of a program, and the other places where one may stand on a line of its own."""
    if len(program.files) == 1:
        return _list_spots(program.language, program.source, program.call)
    return _find_spots(parse_program(program), registry.language(program.language).dialect)


@keep_recent(_KEPT)
def _list_spots(language: str, source: str, call: str) -> Sequence[CommentSpot]:
    """New names move the spots and change nothing else of them, unless an operation such as ``append`` is renamed."""
    code, dialect = parse_text(language, source, call), registry.language(language).dialect
    if isinstance(code, RenamedCode) and code.names.isdisjoint(dialect.operations):
        return [_move_spot(spot, code) for spot in _list_spots(language, *code.before)]
    return _find_spots(code, dialect)


def _move_spot(spot: CommentSpot, code: RenamedCode) -> CommentSpot:
    at = code.move(spot.at)
    if isinstance(spot.edit, Insert):
        return spot._replace(at=at, edit=Insert(code.move(spot.edit.at), spot.edit.text))
    return spot._replace(at=at, edit=Replace(Span(*map(code.move, spot.edit.span)), spot.edit.text))


def _find_spots(code: Code, dialect: Dialect) -> list[CommentSpot]:
    own = list(_list_own(code))
    lines = {_find_line(code.source, spot.edit.span) for spot in own if isinstance(spot.edit, Replace)}
    try:
        places = list_places(code, dialect.operations)
    except Skip:
        places = []
    added: dict[int, CommentSpot] = {}
    for place in places:
        at = place.own_line.at
        if at not in added and code.source.count("\n", 0, at) not in lines:
            edit = insert_text(place.own_line, dialect.comment("@").replace("@", "%s"))
            added[at] = CommentSpot(at, _KINDS.get(place.kind, "other"), edit, own=False)
    return own + list(added.values())


def _find_line(source: str, comment: Span) -> int:
    """The line that a comment is about, from 0: its own, or the line below a comment on a line of its own."""
    is_alone = not source[source.rfind("\n", 0, comment.start) + 1 : comment.start].strip()
    return source.count("\n", 0, comment.end) + is_alone


def _list_own(code: Code) -> Iterator[CommentSpot]:
    source = code.source
    functions = {function.span.start for function in code.functions}
    bodies = {function.body.start for function in code.functions}
    statements = {statement.span.start: statement.kind for statement in reversed(code.statements)}
    starts = sorted({*functions, *statements})
    for run in _list_runs(code):
        first, last = run[0], run[-1]
        line = source.rfind("\n", 0, first.span.start) + 1
        trails = bool(source[line : first.span.start].strip())
        number = bisect_right(starts, line - 1 if trails else last.span.end - 1)
        target = starts[number] if number < len(starts) else -1
        if source[last.span.end : target].strip() and not trails:
            target = -1  # something that is no statement stands between
        if first.docstring:
            kind = "function" if first.span.start in bodies else "file"
        elif target in functions:
            kind = "function"
        else:
            found = statements.get(target, "")
            kind = "file" if found in _HEADING and not trails and target <= min(starts, default=0) else ""
            kind = kind or _KINDS.get(found, "other")
        text = f"{first.opening.replace('%', '%%')}%s{first.closing}"
        yield CommentSpot(first.span.start, kind, Replace(Span(first.span.start, last.span.end), text), own=True)


def _list_runs(code: Code) -> Iterator[list[Comment]]:
    """The comments, those that stand below each other as one. A comment of many lines between code is left out."""
    source, run = code.source, list[Comment]()
    for comment in code.comments:
        newline = source.find("\n", comment.span.end)
        behind = source[comment.span.end : newline if newline >= 0 else len(source)]
        if behind.strip(" \t\f;,\r") and ("\n" in source[slice(*comment.span)] or not comment.closing):
            continue
        alone = not source[source.rfind("\n", 0, comment.span.start) + 1 : comment.span.start].strip()
        gap = source[run[-1].span.end : comment.span.start] if run else ""
        if run and alone and gap.count("\n") == 1 and not gap.strip() and not (run[-1].closing or comment.closing):
            start = run[0].span.start
            if not source[source.rfind("\n", 0, start) + 1 : start].strip():
                run.append(comment)
                continue
        if run:
            yield run
        run = [comment]
    if run:
        yield run


def draw_story(code: Code, draws: Draws) -> dict[str, list[str]]:
    """The texts of the catalogue for a program, by the kind of code, those of one drawn story first.

    A text with a word of the program is left out as long as there are others, because it might be true.
    """
    words = collect_words(code.taken)
    stories = draws.shuffle(_read_stories())
    texts: dict[str, list[str]] = {}
    for kind in STORY_KINDS:
        drawn = [text for story in stories for text in draws.shuffle(story[kind])]
        texts[kind] = [text for text in drawn if words.isdisjoint(_list_long_words(text))] or drawn
    return texts


@cache
def _list_long_words(text: str) -> frozenset[str]:
    """The words of a text of the catalogue that say what it is about."""
    return frozenset(_LONG_WORD.findall(text.lower()))


def tell_story(spots: Sequence[CommentSpot], texts: Mapping[str, Sequence[str]]) -> list[Edit]:
    """The edits that put texts beside these spots, in their order.

    The text of a spot depends on the spots before it only, and no text comes twice before all have come once.
    """
    turns: Counter[str] = Counter()
    edits: list[Edit] = []
    for spot in spots:
        text = texts[spot.kind][turns[spot.kind] % len(texts[spot.kind])]
        turns[spot.kind] += 1
        edits.append(spot.edit._replace(text=spot.edit.text % text))
    return edits
