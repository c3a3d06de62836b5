"""Plants a fault in a program: one stretch of one file is written wrong, and the facts say which text and line."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from pytest_codereason.core import Fault, Program
from pytest_codereason.core.facts import ABSENT
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.changes import move
from pytest_codereason.core.text.edits import Replace, apply
from pytest_codereason.errors import BadEdit

#: Facts that are those of the correct program, and need not be those of the faulty one.
_OF_THE_CORRECT = ("output", "reasoning", "edges", "executed", "states")


class WantedFault(NamedTuple):
    """Which fault of a program a question wants, without saying where it is."""

    operator: str
    quarter: int = 0  #: of the file by lines, 1 to 4; 0 is everywhere
    number: int = 1  #: the so-manieth of all that will do
    observed: bool = True  #: whether it must be seen to change what the program does

    @property
    def of(self) -> str:
        """The fault as :attr:`TextRequest.of` names it: ``off-by-one/2/1``."""
        return f"{self.operator}/{self.quarter}/{self.number}{'' if self.observed else '/unobserved'}"

    @classmethod
    def read(cls, of: str) -> WantedFault:
        """The fault that :attr:`of` names.

        Raises:
            ValueError: ``of`` names no fault.
        """
        # A name from outside, ``package.module:Name``, holds no slash either.
        operator, quarter, number, *rest = of.split("/")
        if rest not in ([], ["unobserved"]):
            raise ValueError(f"{of!r} names no fault")
        return cls(operator, int(quarter), int(number), not rest)

    @property
    def words(self) -> str:
        """The fault in words: ``off-by-one in quarter 2``."""
        return f"{self.operator} in quarter {self.quarter}" if self.quarter else self.operator


class ChosenFault(NamedTuple):
    """One fault: the stretch of a file that is written wrong, and the line that is then to blame."""

    file: str
    span: Span
    text: str  #: the wrong text
    line: int  #: of the faulty file, from 1
    also: tuple[int, ...] = ()  #: see :attr:`Fault.also`

    def write(self) -> str:
        """The fault as JSON, which is the text of the kind ``fault``."""
        values = {"file": self.file, "span": self.span, "text": self.text, "line": self.line, "also": self.also}
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def read(cls, written: str) -> ChosenFault:
        """The fault that :meth:`write` wrote.

        Raises:
            ValueError: the text is something else.
        """
        try:
            values: dict[str, Any] = json.loads(written)
            start, end = map(int, values["span"])
            also = tuple(map(int, values["also"]))
            return cls(str(values["file"]), Span(start, end), str(values["text"]), int(values["line"]), also)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"no fault: {error}") from error


def plant(program: Program, fault: ChosenFault) -> Program:
    """The program with the fault, which is a fact of it. Facts that only the correct program has are dropped.

    Raises:
        BadEdit: the program has no such file, stretch or line.
    """
    if fault.file not in program.files:
        raise BadEdit(f"the program has no file {fault.file!r}")
    view = program.view(fault.file)
    changed = program.accept_view(move(view, apply(view.source, [Replace(fault.span, fault.text)])))
    faulty = changed.files[fault.file]
    lines = faulty.count("\n") + 1
    if not all(1 <= line <= lines for line in (fault.line, *fault.also)):
        raise BadEdit(f"the fault stands in no line of {fault.file!r}, which has {lines}")
    spans = _find_blamed(view.source[slice(*fault.span)], faulty, fault)
    facts = changed.facts.replace(
        fault=Fault(fault.line, fault.file, fault.also, spans), **dict.fromkeys(_OF_THE_CORRECT, ABSENT)
    )
    return changed.replace_source(changed.source, facts=facts)


#: What closes something, or is no code: a text before it that is missing belongs to what stands further before.
_CLOSING = (*";)]},:", "#", "//", "/*")
_WORD = re.compile(r"\w+|[^\w\s]+")


def _find_blamed(right: str, faulty: str, fault: ChosenFault) -> tuple[Span, ...]:
    """The text to blame on each line of a fault, ``()`` if one of the lines is blank.

    It is what differs from the right text. Where nothing but a gap differs, it is what follows, or stands before what
    closes something: of ``f(a && b)`` without its second half the ``a``.
    """
    line = _find_line(faulty, fault.line)
    wrong = _find_difference(right, faulty, Span(fault.span.start, fault.span.start + len(fault.text)))
    first = _strip(faulty, Span(max(wrong.start, line.start), min(wrong.end, line.end)))
    if first.start >= first.end:
        first = _find_beside(faulty, line, wrong.start)
    spans = (first, *(_strip(faulty, _find_line(faulty, also)) for also in fault.also))
    return spans if all(span.start < span.end for span in spans) else ()


def _find_difference(right: str, faulty: str, wrong: Span) -> Span:
    """The part of the wrong text that differs from the right one, by whole words."""
    text = faulty[slice(*wrong)]
    before = _count_alike(right, text)
    behind = _count_alike(right[before:][::-1], text[before:][::-1])
    start, end = wrong.start + before, wrong.end - behind
    reach = int(start == end)  # a digit or an operator less: the rest of it is wrong
    for word in _WORD.finditer(faulty, *wrong):
        if word.start() < start < word.end() + reach:
            start = word.start()
        if word.start() - reach < end < word.end():
            end = word.end()
    return Span(start, end)


def _count_alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    least = min(len(one), len(other))
    return next((i for i in range(least) if one[i] != other[i]), least)


def _find_beside(faulty: str, line: Span, gap: int) -> Span:
    """What is to blame beside a gap: the word behind it, or before; the whole line where the gap lies elsewhere."""
    at = min(max(gap, line.start), line.end)
    before = [Span(*word.span()) for word in _WORD.finditer(faulty, line.start, at)]
    after = _strip(faulty, Span(at, line.end))
    if gap > line.end and before:  # nothing stands behind the gap, so the line ends before it
        return before[-1]
    if at != gap or not (before or after.start < after.end):
        return after
    if before and (after.start == after.end or faulty.startswith(_CLOSING, after.start)):
        return before[-1]
    word = _WORD.match(faulty, *after)
    return Span(*word.span()) if word else after


def _find_line(text: str, number: int) -> Span:
    """A line without its end."""
    start = 0
    for _ in range(number - 1):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    return Span(start, len(text) if end < 0 else end)


def _strip(text: str, span: Span) -> Span:
    """A stretch without the blanks at its ends."""
    inner = text[slice(*span)]
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, max(start, span.start + len(inner.rstrip())))
