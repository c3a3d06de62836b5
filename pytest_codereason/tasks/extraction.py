"""Finds the answer in a reply, by one rule for all tasks that ask for a value.

Text inside ``<think>`` is never an answer. A reply that continues the prefill answers with the literal
it begins with. Failing that, and for every other reply, these are looked for, the first kind that
holds a literal decides, and within it the last complete one:

1. tags, ``[ANSWER]...[/ANSWER]`` or ``<answer>...</answer>``;
2. fenced code blocks;
3. assertions about the call, ``assert f(81) == [38]`` and its like;
4. a literal on a line of its own, or at the end of one after words such as "The answer is";
5. a literal in inline code.

In tags and fences stands the whole content if it is a literal, else what this rule finds in it. Where
no kind holds a literal, an answer that is none (``f(81)``) is given back as such. ``docs/answers.md``
has examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_codereason.tasks._spans import Answer, Reader

if TYPE_CHECKING:
    from pytest_codereason.core import Language

#: Characters of a reply that are looked at, counted from its end.
MAX_REPLY = 1_000_000
#: Closing tags tried for one opening tag, since a string may hold a tag.
_CLOSINGS = 3

_THINK = re.compile(r"^[ \t]*<think(?:ing)?>|</(think)(?:ing)?>", re.MULTILINE | re.IGNORECASE)
# An opening tag right after a quote is part of a string.
_TAG = re.compile(r"(?<!['\"\w])[\[<]answer[\]>]|[\[<](/)answer[\]>]", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)
_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]++)\1(?!`)")
#: Where a bare literal may begin: after bullet, heading, comment or emphasis, and a label.
_LINE = re.compile(
    r"""^[ \t>]*+ (?:(?:[-*•]|\#+|//|=>|->|→)[ \t]+)? [*_]{0,3}
    (?P<label>
        [^\n:=]{0,60} \b
        (?:
            (?:answer|output|result|return(?:ed)?[ ]value|final[ ](?:list|array|value|state))\b
            [^\n:=\[({'"\d]{0,40} (?: : | =(?!=) | \b(?:is|be)\b:? )
        |
            (?:returns?|outputs?|prints?)\b:?
        )
        [*_]{0,3}[ \t]* (?:(?:the|final|list|array|value)\b[ \t]*){0,4} [*_]{0,3}
    )?
    (?= [-+.\d\[({'"] | [a-z]{1,9}(?:['"(] | [*_.;,!\ \t]*(?:$|\#|//)) )""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_LINE_END = re.compile(r"[ \t.;,!*_`]*(?:\Z|\n|#|//|/\*)")
#: What stands between the call and its value; ``CALL`` is put in. No repetition here gives back what it
#: took, or long runs of blanks would take quadratic time.
_LINKS = r"""
    (?: (?<![\w$.]) CALL
        (?: (?P<code> \s*+ (?:\)\s*+)? (?:={1,3}|=>|->|→|⇒) (?![=>]) | \s*+ \) \s*+ \. to[A-Z]\w{0,40}+ \( )
        |   [ \t);]*+ (?:\#|//|/\*) [ \t]*+
            (?: [a-z][a-z ]{0,30} (?: : | => | -> | = ) | (?:returns?|prints?|outputs?|gives)\b | =>|->|→|={1,3} )?
        |   [`*]*+ \s++
            (?: returns?|is|gives|yields|equals|outputs?|prints?|evaluates[ ]to|(?:will|should)[ ](?:return|be) )\b
            :? \s*+ [`*]*+
        |   [`*]++ \s*+ (?:={1,3}|=>|->|→|:) \s*+ [`*]*+
        )
    |   (?P<argument> assert (?![\w.:]{0,40}not) [\w.:]{0,40}+ \s*+ \( \s*+ CALL \s*+ , )
    )"""
_PLACEHOLDER = "?._… "

Kind = Callable[[str], Answer | None]


def extract(
    reply: str, *, language: Language, call: str, prefill: str = "", prefilled: bool = False, cut: bool = False
) -> Answer | None:
    """The answer that a reply gives, ``None`` where it gives none.

    Args:
        reply: the model's text, after the prefill if it continues that.
        language: whose literal the answer is to be.
        call: the call asked about, ``f(81)``.
        prefill: what the reply was to begin with.
        prefilled: whether the reply continues the prefill.
        cut: whether the reply ran into the limit on its length. An answer that it did not complete is
            then given back as not ``complete``, and no lesser kind is looked at.
    """
    text = spoken(reply[-MAX_REPLY:].replace("\r\n", "\n"))
    finder = _Finder(Reader(language, len(prefill) + len(text)), call, cut=cut)
    if not (prefilled and prefill):
        return finder.prose(text)
    text = _unrepeated(text, prefill)
    start, _ = finder.reader.at(text, 0, comma_ends=True, prose="all")
    if start.value is not None:
        return start
    # Behind the prefill, which may have opened a code block; then as a reply that took no notice of it, unless it
    # was cut off inside that block.
    for whole in (f"{prefill} {text}", *(() if cut else (text,))):
        found = finder.prose(whole)
        if found is not None and found.value is not None:
            return found
    # What stands in the place of the value is the answer, even if it is none.
    return start if start.text else None


def spoken(text: str) -> str:
    """``text`` without what stands between think tags; a tag without its partner reaches to the end or the start."""
    kept: list[str] = []
    start: int | None = 0
    for tag in _THINK.finditer(text):
        if tag[1] is None:
            kept += [] if start is None else [text[start : tag.start()]]
            start = None
        elif start is None:
            start = tag.end()
        elif text[tag.end() : tag.end() + 1] in ("", "\n"):
            kept, start = [], tag.end()
    return "\n".join(kept if start is None else [*kept, text[start:]])


def _unrepeated(text: str, prefill: str) -> str:
    """``text`` without the prefill, or its last lines, if it begins with them again."""
    lines = prefill.split("\n")
    for first in range(len(lines)):
        if (again := "\n".join(lines[first:]).strip()) and text.lstrip().startswith(again):
            return text.lstrip()[len(again) :]
    return text


@lru_cache(maxsize=1024)
def _links(call: str) -> re.Pattern[str]:
    """Finds the call, spaced and quoted in any way, and what links it to its value."""
    tokens = (re.escape(token) if token not in "'\"" else "['\"]" for token in re.findall(r"\w+|[^\w\s]", call))
    return re.compile(_LINKS.replace("CALL", r"\s*".join(tokens)), re.VERBOSE | re.IGNORECASE)


def _best(answers: Iterable[Answer]) -> Answer | None:
    """The first complete literal, else the first literal, else the first answer at all."""
    best: Answer | None = None
    for answer in answers:
        if answer.value is not None and answer.complete:
            return answer
        if best is None or (best.value is None and answer.value is not None):
            best = answer
    return best


class _Finder:
    """The kinds of answers, each a method from a text to the best answer of its kind."""

    def __init__(self, reader: Reader, call: str, *, cut: bool) -> None:
        self.reader = reader
        self._call = call
        self._cut = cut

    def prose(self, text: str) -> Answer | None:
        """The answer in a reply."""
        return self._first(text, self._tagged, self._fenced, self._asserted, self._bare, self._inline)

    def _first(self, text: str, *kinds: Kind) -> Answer | None:
        """The answer of the first kind that holds a literal, or the place of one that was cut."""
        refused: Answer | None = None
        for kind in kinds:
            if found := kind(text):
                if found.value is not None or (self._cut and not found.complete):
                    return found
                refused = refused or found
        return refused

    def _content(self, text: str, *kinds: Kind, closed: bool) -> Answer | None:
        """The answer in what a tag or fence encloses."""
        if not text.strip() or not self.reader.pay(len(text)):
            return None
        whole = self.reader.read(text, complete=closed or text[-1] == "\n")
        if whole.value is not None:
            return whole
        found = self._first(text, *kinds)
        if found is None or found.value is None:
            return replace(found or whole, complete=closed)
        return replace(found, complete=closed or found.complete)

    def _tagged(self, text: str) -> Answer | None:
        def answers() -> Iterator[Answer]:
            closings: list[int] = []
            for tag in reversed(list(_TAG.finditer(text))):
                if tag[1]:
                    closings.append(tag.start())
                    continue
                ends = closings[: -_CLOSINGS - 1 : -1] or [len(text)]
                inside = (self._tag_content(text[tag.end() : end], closed=bool(closings)) for end in ends)
                if found := _best(a for a in inside if a):
                    yield found

        return _best(answers())

    def _tag_content(self, text: str, *, closed: bool) -> Answer | None:
        return self._content(text, self._fenced, self._asserted, self._bare, self._inline, closed=closed)

    def _fenced(self, text: str) -> Answer | None:
        blocks: list[tuple[str, bool]] = []
        opening: re.Match[str] | None = None
        for fence in _FENCE.finditer(text):
            if opening is None:
                opening = fence
            elif fence[1].startswith(opening[1]) and not fence[2].strip():
                blocks.append((text[opening.end() : fence.start()], True))
                opening = None
        if opening is not None:
            blocks.append((text[opening.end() :], False))
        inside = (self._content(b, self._asserted, self._bare, closed=closed) for b, closed in reversed(blocks))
        return _best(a for a in inside if a)

    def _asserted(self, text: str) -> Answer | None:
        found: list[Answer] = []
        refused: Answer | None = None
        position = 0
        links = _links(self._call)
        while link := links.search(text, position):
            written = bool(link["code"] or link["argument"])
            answer, end = self.reader.at(text, link.end(), comma_ends=True, prose="all" if written else "groups")
            position = link.end()
            if answer.value is not None:
                position = max(end, position)  # a string may hold another assertion
                found.append(answer)
            elif written and answer.text.strip(_PLACEHOLDER):
                refused = answer
        return _best(reversed(found)) or refused

    def _bare(self, text: str) -> Answer | None:
        found: list[Answer] = []
        position = 0
        while line := _LINE.search(text, position):
            labelled = line["label"] is not None
            answer, end = self.reader.at(text, line.end(), comma_ends=labelled, prose="groups" if labelled else "")
            if answer.value is not None and (labelled or _LINE_END.match(text, end)):
                found.append(answer)
            else:
                end = line.end()
            position = text.find("\n", end)
            if position < 0:
                break
        return _best(reversed(found))

    def _inline(self, text: str) -> Answer | None:
        inside = (self.reader.read(code[2]) for code in reversed(list(_INLINE.finditer(text))))
        return next((answer for answer in inside if answer.value is not None), None)
