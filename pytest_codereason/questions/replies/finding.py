"""Finds the answer in a plain text: what it states as the value, of whichever kind comes first.

``values.py`` says which kinds there are, and in which order they count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_codereason.questions.replies.literals import Candidate, LiteralReader
from pytest_codereason.questions.replies.pieces.blocks import TextPiece, split_at_blocks
from pytest_codereason.questions.replies.pieces.boxes import find_boxes
from pytest_codereason.questions.replies.pieces.copies import Copies
from pytest_codereason.questions.replies.pieces.inline import find_inline
from pytest_codereason.questions.replies.pieces.questions import list_beginnings
from pytest_codereason.questions.replies.pieces.strings import stands_in_string
from pytest_codereason.questions.replies.pieces.tags import Tag, cut_tags, find_tags
from pytest_codereason.questions.replies.statements.assertions import AssertionReader, Found
from pytest_codereason.questions.replies.statements.chains import read_chain
from pytest_codereason.questions.replies.statements.sentences import STARTS, Announcement, find_places
from pytest_codereason.questions.replies.statements.tails import ends_prose
from pytest_codereason.questions.replies.wrappers import unwrap

if TYPE_CHECKING:
    from pytest_codereason.core import Language

#: Where a literal on a line of its own may begin: after a bullet, heading, comment or emphasis.
_LINE = re.compile(
    rf"^[ \t>]*+(?:[^\x00-\x7f\w\s]+[ \t]*)?"
    rf"(?:(?:[-*•:]|\#+|//|={{1,3}}>|-{{1,2}}>|→|={{1,2}})[ \t]+)?[*_]{{0,3}}{STARTS}",
    re.MULTILINE,
)
_LINE_END = re.compile(
    r"[ \t.;,!*_`]*(?:\Z|\n|#|//|/\*|[\[<]/)|[ \t]+\((?!or\b|if\b|maybe\b)[^()\n]{0,80}\)[ \t.]*(?:\Z|\n)"
    r"|[ \t*_`.]*[^\x00-\x7f\w]+[ \t]*(?:\Z|\n)"
)
_REMARK = re.compile(r"[ \t*_`]*[ \t](?:--|[—–])[ \t]")
#: What stands right behind a literal that a sentence then calls the answer: ``42 is the answer``.
_CALLED = re.compile(
    r"[`*_]*[ \t]+(?:is|was|will be|would be|should be)[ \t]+(?:(?:the|my|our|therefore|thus"
    r"|then)[ \t]+){0,2}(?:(?:final|correct|expected|right)[ \t]+)?"
    r"(?:answer|output|result|return value|returned|printed|what)\b",
    re.IGNORECASE,
)
_BEFORE_CALLED = re.compile(
    r"^[ \t>*_`]*(?:(?:so|thus|hence|therefore|then|finally),?[ \t]+)?[`*_]*(?=[-+.\d\[({'\"])",
    re.IGNORECASE | re.MULTILINE,
)
#: The line above a block that shows something else than the answer.
_SHOWS_OTHER = re.compile(
    r"\b(?:trace|traces|tracing|values? of|steps?|intermediate|iterations?|loop|loops|state of|variables?"
    r"|example|input|program|debug\w*"
    r"|logs?|before|initially|helper|other|format|not|wrong|instead|history|progress)\b",
    re.IGNORECASE,
)
#: A number or a text in quotes.
_SHOWS_VALUE = re.compile(r"\d|(['\"`])[^'\"`\n]*\1")
#: What may correct an answer in tags: a value behind the closing tag.
_GOES_ON = re.compile(r"[\])>][^\n]*\S[^\n]*[\d'\"\])}]|\n\s*[^\s\[<]")
#: A text that may be a literal as a whole, by its beginning; else no parser is asked.
_MAY_BE_LITERAL = re.compile(r"\s*(?!assert|console|print)(?:[^\w\s]|\d|\w+\s*(?:\W(?<!\s)|\Z)|new\s|Array\s)")
#: What a whole text may be that goes over several lines without brackets around.
_PRINTED = re.compile(r"\s*(?:Array|array\(\d+\)|object|\[|\{|\()\s", re.IGNORECASE)
_MAX_PRINTED = 10_000

_CHAINED = re.compile(r"(?<![=!<>])=(?![=>])[ \t]*")

Kind = Callable[[str], Candidate | None]


def _ends_line(text: str, end: int) -> bool:
    if _LINE_END.match(text, end):
        return True
    # A remark behind dashes, in a reply of one line: ``42 -- done``.
    return bool(_REMARK.match(text, end)) and "\n" not in text.strip() and ends_prose(text, end)


def _is_answer(tagged: Candidate) -> bool:
    """Whether a tag is more than mentioned."""
    return tagged.value is not None or tagged.complete


def _choose_best(candidates: Iterable[Candidate]) -> Candidate | None:
    """The first complete literal, else the first literal, else the first candidate."""
    best: Candidate | None = None
    for candidate in candidates:
        if candidate.value is not None and candidate.complete:
            return candidate
        if best is None or (best.value is None and candidate.value is not None):
            best = candidate
    return best


class Finder:
    """Finds the answer in a text."""

    def __init__(self, reader: LiteralReader, language: Language, call: str, copies: Copies, *, cut: bool) -> None:
        self.reader = reader
        self._call = call
        self._program = copies.program
        self._copies = copies
        self._cut = cut
        self._places: tuple[str, list[Announcement]] = ("", [])
        self._assertions = AssertionReader(reader, call)
        self._title = language.title

    def find_answer(self, text: str) -> Candidate | None:
        """The answer in a reply. What a model says to another question, or of its prompt, is none."""
        for beginning in list_beginnings(text, self._title):
            if self.reader.pay(len(beginning)):
                answer = self._find_answer(beginning)
                if answer is not None and answer.value is not None:
                    return replace(answer, complete=True)
        return self._find_answer(text)

    def _find_answer(self, text: str) -> Candidate | None:
        tagged, end = self._find_tagged(text)
        if tagged is not None and self._decides(tagged):
            later = self._find_stated(text[end:], blocks=False) if _GOES_ON.search(text, end) else None
            corrects = later is not None and later.value is not None and (later.complete or not self._cut)
            return later if corrects else tagged
        rest = self._try_kinds(text, self._find_stated, self._find_whole, self._find_bare, self._find_inline)
        return rest if tagged is None or (rest is not None and self._decides(rest)) else tagged

    def _decides(self, candidate: Candidate) -> bool:
        return candidate.value is not None or (self._cut and not candidate.complete)

    def _try_kinds(self, text: str, *kinds: Kind) -> Candidate | None:
        """The candidate of the first kind that holds a literal, or a literal that was cut off."""
        no_literal: Candidate | None = None
        for kind in kinds:
            if candidate := kind(text):
                if self._decides(candidate):
                    return candidate
                no_literal = no_literal or candidate
        return no_literal

    def _read_whole(self, text: str, *, complete: bool) -> Candidate:
        return unwrap(self.reader, self.reader.read(text, complete=complete), self._program)

    def _find_tagged(self, text: str) -> tuple[Candidate | None, int]:
        """The answer in tags, and where its tag ends."""
        best: tuple[Candidate | None, int] = (None, 0)
        for tag in reversed(find_tags(text)):
            for end in () if tag.in_string else tag.ends or (len(text),):
                candidate = self._read_tag(text, tag, end)
                if candidate is None:
                    continue
                if candidate.value is not None and candidate.complete:
                    return candidate, end
                if best[0] is None or (best[0].value is None and candidate.value is not None):
                    best = candidate, end
        return best

    def _read_tag(self, text: str, tag: Tag, end: int) -> Candidate | None:
        """What stands in a tag, up to one of its closing tags."""
        if not self.reader.pay(end - tag.start) or not (content := text[tag.start : end].lstrip(" \t:")).strip():
            return None
        complete = bool(tag.ends) or content[-1] == "\n"
        whole = self._read_whole(content, complete=complete) if _MAY_BE_LITERAL.match(content) else None
        if whole is not None and whole.value is not None:
            return whole
        misquoted = (self._find_misquoted,) if tag.asked else ()
        part = self._try_kinds(content, self._find_stated, *misquoted, self._find_bare, self._find_inline)
        if part is None or part.value is None:
            return replace(part or whole or self._read_whole(content, complete=complete), complete=bool(tag.ends))
        return replace(part, complete=True) if tag.ends and not part.complete else part

    def _find_stated(self, text: str, *, blocks: bool = True) -> Candidate | None:
        """The last result of the call that the text states. The pieces of the text are read from the last one on."""
        no_literal: Candidate | None = None
        for piece in reversed(split_at_blocks(text)):
            candidate = self._find_in_piece(text, piece, blocks=blocks)
            if candidate is None:
                continue
            if piece.end < len(text) and not candidate.complete:
                candidate = replace(candidate, complete=True)
            if candidate.value is not None and (candidate.complete or not self._cut):
                return candidate
            if no_literal is None or (no_literal.value is None and self._decides(candidate)):
                no_literal = candidate
        return no_literal

    def list_answers(self, text: str) -> list[Candidate]:
        """Every value that tags and statements give; of a text without any, the value of its only line.

        A literal that leads to a statement is none. A closed tag that holds no literal is one without a value, and so
        are the lines behind the last statement if they show a value. Behind a tag, the rest of its line is one too.
        """
        found, end = list[Candidate](), 0
        for tag in find_tags(text):
            stop = tag.ends[0] if tag.ends else len(text)
            if not tag.in_string and (candidate := self._read_tag(text, tag, stop)) and _is_answer(candidate):
                found, end = [*found, candidate], max(end, stop)
        closed = end if found else -1
        for piece in split_at_blocks(text):
            inside = text[piece.start : piece.end]
            if piece.block and _MAY_BE_LITERAL.match(inside) and self._shows_answer(text, piece):
                whole = self._read_whole(inside, complete=True)
                if whole.value is not None:
                    found, end = [*found, whole], max(end, piece.end)
            for each in self._list_stated(text, piece)[0]:
                found, end = [*found, each.candidate], max(end, piece.start + each.end)
        if not found:
            whole = self._read_whole(text, complete=True)
            bare = () if "\n" in text.strip() else self._list_bare(text)
            one = whole.value is not None and not whole.value.unresolved  # -1 above -2 reads as arithmetic
            return [whole] if one else [each.candidate for each in bare]
        behind = cut_tags(text[end:]) if end == closed else text[end:].partition("\n")[2]
        goes_on = _SHOWS_VALUE.search(behind) or self._list_bare(behind)
        return [*found, Candidate(behind, None)] if goes_on else found

    def _find_in_piece(self, text: str, piece: TextPiece, *, blocks: bool) -> Candidate | None:
        inside = text[piece.start : piece.end]
        if not inside.strip() or (piece.block and not self.reader.pay(len(inside))):
            return None
        whole: Candidate | None = None
        if piece.block and blocks and _MAY_BE_LITERAL.match(inside):
            whole = self._read_whole(inside, complete=piece.closed or inside[-1] == "\n")
            if whole.value is not None:
                return whole if self._shows_answer(text, piece) else None
        found, no_literal = self._list_stated(text, piece, last=True)
        candidate = self._choose_last(found)
        if candidate is None and piece.block and not piece.closed and self._cut:
            return Candidate(inside.strip(), None, "cut off", complete=False)
        if candidate is not None and piece.closed and piece.block and not candidate.complete:
            return replace(candidate, complete=True)
        return candidate or no_literal

    def _list_stated(self, text: str, piece: TextPiece, *, last: bool = False) -> tuple[list[Found], Candidate | None]:
        """What a piece of the text states, and an assertion without a literal.

        Args:
            last: whether only the last statement is wanted.
        """
        inside = text[piece.start : piece.end]
        found, no_literal = self._assertions.find(
            inside, lambda start: self._copies.has_line(text, piece.start + start)
        )
        if not (last and found and self._ends_with(inside, found[-1])):  # else no other statement comes later
            found += self._list_announced(text, piece, strong=True)
            if not piece.block:
                found += self._list_boxed(text, piece)
                found += self._list_called(inside)
        return found, no_literal

    def _ends_with(self, text: str, found: Found) -> bool:
        """Whether nothing but marks and brackets follows a statement."""
        return (found.candidate.complete or not self._cut) and not text[found.end :].strip(" \t\n;.)]}`*")

    def _shows_answer(self, text: str, piece: TextPiece) -> bool:
        """Whether a block that is a literal shows the answer, by the line above, and is not copied from the program."""
        above = text[max(0, piece.start - 300) : piece.start].rstrip().rpartition("\n")[0].rstrip().rpartition("\n")[2]
        return not (above.endswith(":") and _SHOWS_OTHER.search(above)) and not self._copies.has_line(
            text, piece.start + 1
        )

    def _list_announced(self, text: str, piece: TextPiece, *, strong: bool) -> list[Found]:
        """The values that words announce in a piece of the text."""
        found: list[Found] = []
        inside = text[piece.start : piece.end]
        end = 0
        if self._places[0] != inside:
            self._places = inside, sorted(find_places(inside, self._call, self._program))
        for place in self._places[1]:
            if place.strong != strong or place.value < end or stands_in_string(inside, place.start, place.value):
                continue
            if self._copies.has_line(text, piece.start + place.start):
                continue
            candidate, stop = self.reader.read_at(inside, place.value, comma_ends=True, ends=ends_prose)
            if candidate.value is None and (chain := read_chain(self.reader, inside, place.value)):
                candidate, stop = chain
            if candidate.value is not None:
                end = stop
                found.append(Found(place.start, stop, candidate))
        return found

    def _list_called(self, text: str) -> list[Found]:
        """The values at the start of a line that a sentence calls the answer: ``42 is the answer``."""
        if not _CALLED.search(text):
            return []
        found = []
        for line in _BEFORE_CALLED.finditer(text):
            candidate, end = self.reader.read_at(
                text,
                line.end(),
                comma_ends=True,
                ends=lambda text, end: _CALLED.match(text, end) is not None and ends_prose(text, end),
            )
            if candidate.value is not None and _CALLED.match(text, end):
                found.append(Found(line.start(), end, candidate))
        return found

    def _choose_last(self, found: Sequence[Found]) -> Candidate | None:
        """The last statement, by its end; in a reply that was cut off the last complete one, if any is.

        So a string that holds an assertion counts more than the assertion, which ends before.
        """
        if len(found) < 2:
            return found[0].candidate if found else None
        last = [each.candidate for each in sorted(found, key=lambda each: (each.end, each.start), reverse=True)]
        return _choose_best(last if self._cut else last[:1])

    def _find_misquoted(self, text: str) -> Candidate | None:
        """The value of the last assertion about the function with other arguments."""
        found, no_literal = self._assertions.find_misquoted(text, lambda start: self._copies.has_line(text, start))
        return self._choose_last(found) or no_literal

    def _find_whole(self, text: str) -> Candidate | None:
        """The whole text, if it is what a language prints for one value."""
        if len(text) > _MAX_PRINTED or not _PRINTED.match(text):
            return None
        candidate = self._read_whole(text, complete=text[-1] == "\n")
        return candidate if candidate.value is not None else None

    def _find_bare(self, text: str) -> Candidate | None:
        return self._choose_last(self._list_bare(text))

    def _list_bare(self, text: str) -> list[Found]:
        """The literals on lines of their own, or after words that may speak of something else."""
        found = self._list_announced(text, TextPiece(0, len(text)), strong=False)
        position = 0
        while line := _LINE.search(text, position):
            candidate, end = self.reader.read_at(text, line.end(), comma_ends=False, ends=_ends_line)
            candidate = unwrap(self.reader, candidate, self._program)
            if (
                candidate.value is not None
                and _ends_line(text, end)
                and not (candidate.value.unresolved and text[end:].strip(" \t\n.;,!*_`"))  # more is to be done
                and not self._copies.has_line(text, line.start())
            ):
                found.append(Found(line.start(), end, candidate))
            else:
                end = line.end()
            position = text.find("\n", end)
            if position < 0:
                break
        return found

    def _list_boxed(self, text: str, piece: TextPiece) -> Iterator[Found]:
        inside = text[piece.start : piece.end]
        for box in find_boxes(inside, self.reader.pay) if "boxed" in inside else ():
            candidate = self.reader.read(box.content)
            if candidate.value is None and (links := list(_CHAINED.finditer(box.content))):
                candidate = self.reader.read(box.content[links[-1].end() :])
            if candidate.value is not None and not self._copies.has_line(text, piece.start + box.start):
                yield Found(box.start, box.end, candidate)

    def _find_inline(self, text: str) -> Candidate | None:
        return find_inline(self.reader, text, self._call)
