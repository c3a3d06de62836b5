"""Reads the value that a reply gives as its answer.

A reply that continues the prefill answers with the literal that the reply begins with. In every other reply, and
where a reply begins with no literal, these kinds are looked for. The first kind that holds a literal decides, by its
last complete literal:

1. tags, ``[ANSWER]...[/ANSWER]`` or ``<answer>...</answer>``;
2. fenced code blocks;
3. assertions about the call, such as ``assert f(81) == [38]``;
4. a literal on a line of its own, at the end of a line after words such as "The answer is", or in ``\\boxed{38}``;
5. a literal in inline code.

In a tag or block the answer is the whole content if that is a literal, else what this rule finds in the content. In a
tag, an assertion about the function with other arguments will do: models copy long arguments with mistakes.
Where no kind holds a literal, the answer is a text that is no literal, such as ``f(81)``. ``docs/answers.md`` has
examples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pytest_codereason.errors import TakesTooLong
from pytest_codereason.reading import bounded
from pytest_codereason.replies.blocks import find_fences, read_blocks
from pytest_codereason.replies.boxes import find_boxes
from pytest_codereason.replies.denials import denies_after, denies_before
from pytest_codereason.replies.final_text import read_spoken
from pytest_codereason.replies.literals import Candidate, LiteralReader
from pytest_codereason.replies.tags import find_tags, keep_tags
from pytest_codereason.text.brackets import find_closing_bracket

if TYPE_CHECKING:
    from pytest_codereason.core import Language

_INLINE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]++)\1(?!`)")
#: Where a bare literal may begin: after a bullet, heading, comment or emphasis, and a label.
_LINE = re.compile(
    r"""^[ \t>]*+ (?:(?:[-*•]|\#+|//|=>|->|→)[ \t]+)? [*_]{0,3}
    (?P<label>
        [^\n:=]{0,60} \b
        (?:
            (?:answer|output|result|return(?:ed)?[ ]value|final[ ](?:list|array|value|state))\b
            [^\n:=\[({'"\d]{0,40} (?: (?<!\bnot): | =(?!=) | (?<!not[ ])(?<!n't[ ])(?<!never[ ])\b(?:is|be)\b:? )
        |
            (?<!not[ ])(?<!n't[ ])(?<!never[ ])(?:returns?|outputs?|prints?)\b:?
        )
        [*_]{0,3}[ \t]* (?:(?:the|final|list|array|value)\b[ \t]*){0,4} [*_]{0,3}
    )?
    (?= [-+.\d\[({'"] | [a-z_]{1,11}(?:['"(] | [*_.;,!\ \t]*(?:$|\#|//)) )""",
    re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_LINE_END = re.compile(r"[ \t.;,!*_`]*(?:\Z|\n|#|//|/\*)")
#: The call, in the place of ``CALL``, and what stands between the call and its value. The repetitions are possessive:
#: otherwise long runs of blanks would take quadratic time.
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
    |   (?P<expected> assert (?![\w.:]{0,40}not) [\w.:]{0,40}? (?:equal|same) \w{0,20}+ \s*+ \( \s*+
            (?= [^\n]{1,500}? , \s*+ CALL \s*+ [,)] )
        )
    )"""
#: What follows the value where it stands before the call: ``assertEquals(38, f(81));``.
_SECOND = r"\s*+ , \s*+ CALL \s*+ [,)]"
#: The call behind its value in an assertion that compares them, and what stands before and behind the two.
_COMPARED = r"={2,3} \s*+ CALL"
_OPENING = re.compile(r".*(?<![\w$.'\"])(?P<assert>(?:\w{1,20}\.)?assert(?:True)?\b[ \t]*(?P<bracket>\(?))", re.DOTALL)
_STATED = r"[ \t]*+(?:[;,#]|[`*.]*+[ \t]*+$)"
_END = re.compile(_STATED, re.MULTILINE)
_BRACKET_END = re.compile(rf"[ \t]*+(?:,|\){_STATED})", re.MULTILINE)
#: Characters before the comparison in which the assertion begins.
_MAX_BEFORE = 500
_FILLED = re.compile(r"\S[^\n]*")
_PLACEHOLDER = "?._… "
#: An assertion about the function ``NAME``, up to its arguments, and what stands between the call and its value. The
#: word ``assert`` may be missing at the beginning of the text.
_ASSERTION = r"(?:\A\s*+|^[ \t]*+(?=assert))(?:assert\b[\w.]*+\s*+(?:\(\s*+)?)?(?:[\w.]++\s*+\(\s*+)?NAME\s*+\("
#: Assertions that are read, the last ones.
_MAX_ASSERTIONS = 20
_OPERATOR = re.compile(r"\s*+(?:={2,3}|,)")

Kind = Callable[[str], Candidate | None]


def read_value(
    reply: str,
    *,
    language: Language,
    call: str,
    program: str = "",
    prefill: str = "",
    prefilled: bool = False,
    cut: bool = False,
) -> Candidate | None:
    """The answer that a reply gives, ``None`` if the reply gives none.

    Args:
        reply: the model's text, after the prefill if the reply continues the prefill.
        language: the language of the literal.
        call: the call asked about, ``f(81)``.
        program: the program that was shown. A line ``return 38`` that the reply copies from it is no answer.
        prefill: the text that the reply was to begin with.
        prefilled: whether the reply continues the prefill.
        cut: whether the reply reached the limit on its length. An answer that the limit cut off comes back as not
            ``complete``, and no later kind is looked at.

    A reply that takes too long to read gives a candidate without a value.
    """
    try:
        return _read_value(reply, language, call, program, prefill, prefilled=prefilled, cut=cut)
    except TakesTooLong as error:
        return Candidate("", None, str(error), complete=not cut)


@bounded
def _read_value(
    reply: str, language: Language, call: str, program: str, prefill: str, *, prefilled: bool, cut: bool
) -> Candidate | None:
    text = read_spoken(reply)
    finder = _Finder(LiteralReader(language, len(prefill) + len(text)), call, program, cut=cut)
    if not (prefilled and prefill):
        return finder.find_answer(text)
    text = _drop_repeated_prefill(text, prefill)
    first, _ = finder.reader.read_at(text, 0, comma_ends=True, prose="all")
    if first.value is not None:
        return first
    # The prefill may have opened a code block, so that the block is read with it. A reply that was not cut off in
    # that block is also read as a reply that ignored the prefill.
    for whole in (f"{_drop_content(prefill)} {text}", *(() if cut else (text,))):
        answer = finder.find_answer(whole)
        if answer is not None and answer.value is not None:
            return answer
    # The text in the place of the value is the answer, even if that text is no literal.
    return first if first.text else None


def _drop_repeated_prefill(text: str, prefill: str) -> str:
    """``text`` without the prefill, or the last lines of the prefill, if the text begins with them."""
    lines, bare = prefill.split("\n"), text.lstrip()
    for first in range(len(lines)):
        if (repeated := "\n".join(lines[first:]).strip()) and bare.startswith(repeated):
            return bare[len(repeated) :]
    return text


def _drop_content(prefill: str) -> str:
    """The fences and tags of a prefill, and its last line. A literal above this line is no answer of the model."""
    *above, last = prefill.split("\n")
    return "\n".join([*(line if find_fences(line) else keep_tags(line) for line in above), last])


@lru_cache(maxsize=1024)
def _compile_links(call: str) -> tuple[re.Pattern[str], ...]:
    """Finds the call, with any blanks and quotes, and the words or signs between it and its value; the call as the
    second argument, behind its value; and the call behind an operator that compares it with its value.
    """
    tokens = (re.escape(token) if token not in "'\"" else "['\"]" for token in re.findall(r"\w+|[^\w\s]", call))
    spaced = r"\s*".join(tokens)
    return tuple(
        re.compile(pattern.replace("CALL", spaced), re.VERBOSE | re.IGNORECASE)
        for pattern in (_LINKS, _SECOND, _COMPARED)
    )


@lru_cache(maxsize=1024)
def _compile_assertion(function: str) -> re.Pattern[str]:
    return re.compile(_ASSERTION.replace("NAME", re.escape(function)), re.MULTILINE)


def _compares_comparison(text: str, link: re.Match[str]) -> bool:
    """Whether not the call is compared, but a comparison with it in brackets: ``(38 == f(81)) == False``."""
    before = text[max(0, link.start() - 4) : link.start()].rstrip()
    return ")" in (link["code"] or "") and before.endswith("==")


def _take_line(text: str, start: int) -> str:
    """The first line behind ``start`` that is not blank."""
    line = _FILLED.search(text, start) if start >= 0 else None
    return line[0].strip() if line else ""


def _choose_best(candidates: Iterable[Candidate]) -> Candidate | None:
    """The first complete literal, else the first literal, else the first candidate."""
    best: Candidate | None = None
    for candidate in candidates:
        if candidate.value is not None and candidate.complete:
            return candidate
        if best is None or (best.value is None and candidate.value is not None):
            best = candidate
    return best


class _Found(NamedTuple):
    """A literal, or the assertion or box around it, and where this stands."""

    start: int
    end: int
    candidate: Candidate


class _Finder:
    """Finds the answer in a text: one method for each kind, from a text to the best candidate of that kind."""

    def __init__(self, reader: LiteralReader, call: str, program: str, *, cut: bool) -> None:
        self.reader = reader
        self._call = call
        self._program = program
        self._cut = cut

    def find_answer(self, text: str) -> Candidate | None:
        """The answer in a reply, by all kinds."""
        return self._try_kinds(
            text, self._find_tagged, self._find_fenced, self._find_asserted, self._find_bare, self._find_inline
        )

    def _try_kinds(self, text: str, *kinds: Kind) -> Candidate | None:
        """The candidate of the first kind that holds a literal, or a literal that was cut off."""
        no_literal: Candidate | None = None
        for kind in kinds:
            if candidate := kind(text):
                if candidate.value is not None or (self._cut and not candidate.complete):
                    return candidate
                no_literal = no_literal or candidate
        return no_literal

    def _read_content(self, text: str, *kinds: Kind, closed: bool) -> Candidate | None:
        """The answer in the content of a tag or block, which is paid for already."""
        if not text.strip():
            return None
        whole = self.reader.read(text, complete=closed or text[-1] == "\n")
        if whole.value is not None:
            return whole
        part = self._try_kinds(text, *kinds)
        if part is None or part.value is None:
            return replace(part or whole, complete=closed)
        return replace(part, complete=closed or part.complete)

    def _find_tagged(self, text: str) -> Candidate | None:
        tags = [tag for tag in find_tags(text) if not tag.in_string]
        return _choose_best(
            best for tag in reversed(tags) if (best := _choose_best(self._read_tag(text, tag.start, tag.ends)))
        )

    def _read_tag(self, text: str, start: int, ends: Sequence[int]) -> Iterator[Candidate]:
        """What stands in a tag, up to each of its closing tags."""
        kinds = self._find_fenced, self._find_asserted, self._find_misquoted, self._find_bare, self._find_inline
        for end in ends or [len(text)]:
            paid = self.reader.pay(end - start)
            if paid and (candidate := self._read_content(text[start:end], *kinds, closed=bool(ends))):
                yield candidate

    def _find_fenced(self, text: str) -> Candidate | None:
        return _choose_best(
            candidate
            for block in reversed(read_blocks(text))
            if self.reader.pay(len(block.text))
            if (candidate := self._read_content(block.text, self._find_asserted, self._find_bare, closed=block.closed))
        )

    def _find_asserted(self, text: str) -> Candidate | None:
        literals: list[_Found] = []
        no_literal: Candidate | None = None
        position = seen = 0
        is_copied = self._is_copied(text, 0)
        links, second, _ = _compile_links(self._call)
        while link := links.search(text, position):
            if (line_end := text.rfind("\n", seen, link.start())) >= 0:
                is_copied = self._is_copied(text, line_end + 1)
            seen = position = link.end()
            if is_copied or denies_before(text, link.start()) or _compares_comparison(text, link):
                continue
            in_code = bool(link["code"] or link["argument"])
            candidate, end = self.reader.read_at(
                text, link.end(), comma_ends=True, prose="all" if in_code else "groups"
            )
            if link["expected"] and not second.match(text, end):
                continue  # the value is a part of what stands before the call
            if candidate.value is not None:
                position = max(end, position)  # a string may hold another assertion
                if not denies_after(text, end):
                    literals.append(_Found(link.start(), position, candidate))
            elif in_code and candidate.text.strip(_PLACEHOLDER):
                no_literal = candidate
        return self._choose_last(literals, self._list_compared(text)) or no_literal

    def _list_compared(self, text: str) -> Iterator[_Found]:
        """The literals that assertions compare with the call behind them: ``assert 38 == f(81)``."""
        *_, compared = _compile_links(self._call)
        for operator in list(compared.finditer(text))[-_MAX_ASSERTIONS:]:
            low = max(0, operator.start() - _MAX_BEFORE)
            start = max(low, text.rfind("\n", low, operator.start()) + 1)
            opening = _OPENING.match(text, start, operator.start())
            if not opening or denies_before(text, opening.start("assert")) or self._is_copied(text, start):
                continue
            if (_BRACKET_END if opening["bracket"] else _END).match(text, operator.end()):
                candidate = self.reader.read(text[opening.end() : operator.start()])
                if candidate.value is not None:
                    yield _Found(start, operator.end(), candidate)

    def _choose_last(self, literals: Sequence[_Found], others: Iterable[_Found] = ()) -> Candidate | None:
        """The last one of ``literals`` and ``others``; in a reply that was cut off the last complete one, if any is.

        One of ``others`` does not count if it ends within a literal: a string may hold an assertion.
        """
        alone = [other for other in others if not any(each.start < other.end <= each.end for each in literals)]
        last = [each.candidate for each in sorted([*literals, *alone], key=lambda each: each.end, reverse=True)]
        return _choose_best(last if self._cut else last[:1])

    def _find_misquoted(self, text: str) -> Candidate | None:
        """The value of the last assertion on a line of its own, about the function with other arguments."""
        name = self._call.partition("(")[0]
        openings = [
            opening
            for opening in list(_compile_assertion(name).finditer(text))[-_MAX_ASSERTIONS:]
            if not denies_before(text, opening.start() + opening[0].rindex(name))
        ]
        closings = (find_closing_bracket(text, opening.end()) for opening in reversed(openings))
        operators = (_OPERATOR.match(text, closing + 1) for closing in closings if closing is not None)
        found = [
            _Found(
                operator.end(),
                operator.end(),
                self.reader.read_at(text, operator.end(), comma_ends=True, prose="all")[0],
            )
            for operator in operators
            if operator
        ]
        return self._choose_last([each for each in found if each.candidate.value is not None] or found)

    def _find_bare(self, text: str) -> Candidate | None:
        literals: list[_Found] = []
        position = 0
        while line := _LINE.search(text, position):
            labelled = line["label"] is not None
            candidate, end = self.reader.read_at(
                text, line.end(), comma_ends=labelled, prose="groups" if labelled else ""
            )
            stands = labelled or _LINE_END.match(text, end)
            if candidate.value is not None and stands and not self._is_copied(text, line.start()):
                literals.append(_Found(line.start(), end, candidate))
            else:
                end = line.end()
            position = text.find("\n", end)
            if position < 0:
                break
        return self._choose_last(literals, self._list_boxed(text))

    def _list_boxed(self, text: str) -> Iterator[_Found]:
        for box in find_boxes(text, self.reader.pay):
            candidate = self.reader.read(box.content)
            if candidate.value is not None and not self._is_copied(text, text.rfind("\n", 0, box.start) + 1):
                yield _Found(box.start, box.end, candidate)

    def _is_copied(self, text: str, start: int) -> bool:
        """Whether the line that begins at ``start`` stands in the program, after the same line as in ``text``.

        The first line of the program is known by the line below it. A prefill may stand before it.
        """
        if not self._pairs:
            return False
        end = text.find("\n", start)
        line, above = text[start : None if end < 0 else end].strip(), ""
        if line.endswith(self._first) and (self._first, _take_line(text, end)) in self._pairs:
            return True
        while start and not above:
            end, start = start, text.rfind("\n", 0, start - 1) + 1
            above = text[start:end].strip()
        return (self._first if above.endswith(self._first) else above, line) in self._pairs

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        """Each line of the program with the line above."""
        return frozenset(pairwise(self._lines))

    @property
    def _first(self) -> str:
        """The first line of the program."""
        return self._lines[0]

    @cached_property
    def _lines(self) -> list[str]:
        return [line.strip() for line in self._program.splitlines() if line.strip()]

    def _find_inline(self, text: str) -> Candidate | None:
        candidates = (self.reader.read(code[2]) for code in reversed(list(_INLINE.finditer(text))))
        return next((candidate for candidate in candidates if candidate.value is not None), None)
