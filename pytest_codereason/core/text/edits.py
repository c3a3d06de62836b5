"""Applies edits to a text, all at once, with a map from old to new places.

Every offset counts in the old text, so edits do not affect each other. The old text is cut into pieces.
The new text has these pieces, perhaps in another order, with new text between them. The pieces are the
map. ``changes.py`` moves the facts of a whole program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple, cast

from pytest_codereason.core.edit_maps import Applied, Part
from pytest_codereason.core.language.structure import Span
from pytest_codereason.errors import BadEdit


class Replace(NamedTuple):
    """Replaces the characters of ``span`` with ``text``. An empty text deletes them."""

    span: Span
    text: str


class Insert(NamedTuple):
    """Inserts ``text`` before the character at an offset. Several insertions at one offset keep their order."""

    at: int
    text: str


class Move(NamedTuple):
    """Moves a stretch to another offset. Edits strictly within the stretch move with it."""

    span: Span
    to: int


Edit = Replace | Insert | Move


def apply(source: str, edits: Iterable[Edit]) -> Applied:
    """Makes all edits at once.

    The stretches of two edits must not overlap, but an edit may lie strictly within a moved stretch. An
    insertion at the border of a moved stretch does not move.

    Raises:
        BadEdit: two edits overlap, one lies outside the text or would split a line end or a
            surrogate pair, or text moves into itself.
    """
    if not (edits := tuple(edits)):
        return Applied(source, source, ((0, len(source), None),) if source else ())
    text = _insert_in_order(source, edits)
    if text is not None:
        return _Inserted(source, text, edits)
    parts = tuple(_Cutter(source, edits).parts())
    return Applied(source, "".join([source[start:end] if new is None else new for start, end, new in parts]), parts)


class _Inserted(Applied):
    """A text before and after insertions. The map is made when it is first needed: most facts need none."""

    def __init__(self, before: str, text: str, edits: tuple[Edit, ...]) -> None:
        self.__dict__.update(before=before, text=text, _edits=edits)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The stretches between the insertions, and their texts."""
        return tuple(_Cutter(self.before, self.__dict__["_edits"]).parts())


def _insert_in_order(source: str, edits: tuple[Edit, ...]) -> str | None:
    """The new text where every edit inserts behind the edit before it, as most do; nothing where one does not."""
    if "\r" in source or not source.isascii():
        return None
    pieces: list[str] = []
    at = 0
    for edit in edits:
        if type(edit) is not Insert or edit.at < at:
            return None
        place, text = edit
        pieces += source[at:place], text
        at = place
    pieces.append(source[at:])
    return "".join(pieces) if at <= len(source) else None


#: A place where the text is cut: the offset, whether the text there is cut out (else something arrives), the end of
#: that text times -1, the edit's number, the edit. In their order, what arrives at a place comes before what is cut
#: out there, the widest cut first.
_Mark = tuple[int, bool, int, int, Edit]


class _Cutter:
    """Cuts a text at its edits, and puts the parts in their new order."""

    def __init__(self, source: str, edits: Iterable[Edit]) -> None:
        self._source = source
        #: whether a cut may split something
        self._brittle = "\r" in source or not source.isascii()
        self._marks: list[_Mark] = []
        for order, edit in enumerate(edits):
            self._mark(order, edit)
        self._marks.sort()
        self._next = 0
        self._moved: dict[int, list[Part | int]] = {}

    def parts(self) -> Iterable[Part]:
        """The parts in the order of the new text."""
        parts = self._cut(0, len(self._source) + 1)
        return self._place_moved(parts) if self._moved else cast("list[Part]", parts)

    def _place_moved(self, parts: list[Part | int]) -> Iterator[Part]:
        """The parts, with moved text in its new place."""
        placed = 0
        # Depth first, by a stack: moved text may hold moved text.
        stack = [iter(parts)]
        while stack:
            for part in stack[-1]:
                if isinstance(part, int):
                    placed += 1
                    stack.append(iter(self._moved[part]))
                    break
                yield part
            else:
                stack.pop()
        if placed < len(self._moved):
            raise BadEdit("text moves into itself, or two stretches move into each other")

    def _cut(self, start: int, end: int) -> list[Part | int]:
        """The parts between two offsets. A number stands for the text of the move with that number."""
        parts: list[Part | int] = []
        at = start
        marks = self._marks
        while self._next < len(marks) and marks[self._next][0] < end:
            place, cut, _, order, edit = marks[self._next]
            self._next += 1
            if place < at:
                raise BadEdit(f"{_describe(edit)} lies within text that another edit changes")
            if at < place:
                parts.append((at, place, None))
            at = place
            if isinstance(edit, Insert):
                parts.append((at, at, edit.text))
            elif not cut:
                parts.append(order)
            else:
                self._find_inside(edit.span, start, end, edit)
                at = edit.span.end
                if isinstance(edit, Replace):
                    parts.append((*edit.span, edit.text))
                else:
                    self._moved[order] = self._cut(*edit.span)
        if at < (last := min(end, len(self._source))):
            parts.append((at, last, None))
        return parts

    def _find_inside(self, span: Span, start: int, end: int, edit: Edit) -> None:
        if span.end > end or span == (start, end):
            raise BadEdit(f"{_describe(edit)} overlaps with another edit")

    def _mark(self, order: int, edit: Edit) -> None:
        """Checks an edit's offsets and adds its marks. An edit that changes nothing gets no mark."""
        if isinstance(edit, Insert):
            self._check(edit.at, edit)
            self._marks.append((edit.at, False, 0, order, edit))
            return
        if isinstance(edit, Move):
            self._check(edit.to, edit)
        start, end = edit.span
        self._check(start, edit)
        self._check(end, edit)
        if start > end:
            raise BadEdit(f"{_describe(edit)} ends before it starts")
        if start < end:
            self._marks.append((start, True, -end, order, edit))
            if isinstance(edit, Move):
                self._marks.append((edit.to, False, 0, order, edit))
        elif isinstance(edit, Replace):
            self._marks.append((start, False, 0, order, Insert(start, edit.text)))

    def _check(self, at: int, edit: Edit) -> None:
        if not 0 <= at <= len(self._source):
            raise BadEdit(f"{_describe(edit)} lies outside a text of {len(self._source)} characters")
        if self._brittle and (split := _split(self._source, at)):
            raise BadEdit(f"{_describe(edit)} splits a {split}")


def _split(text: str, at: int) -> str:
    """What a cut at ``at`` would split, empty if nothing."""
    pair = text[at - 1 : at + 1] if at else ""
    if pair == "\r\n":
        return "line end"
    surrogates = len(pair) == 2 and "\ud800" <= pair[0] <= "\udbff" and "\udc00" <= pair[1] <= "\udfff"
    return "surrogate pair" if surrogates else ""


def _describe(edit: Edit) -> str:
    match edit:
        case Insert(at, _):
            return f"the insertion at {at}"
        case Replace(span, _):
            return f"the replacement of {span.start}:{span.end}"
        case Move(span, to):
            return f"the move of {span.start}:{span.end} to {to}"
