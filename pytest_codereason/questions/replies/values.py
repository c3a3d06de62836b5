"""Reads the value that a reply gives as its answer.

A reply that continues the prefill answers with the literal that the reply begins with. In every other reply, and
where a reply begins with no literal, the last result that is stated counts:

1. what stands in tags, ``[ANSWER]...[/ANSWER]`` or ``<answer>...</answer>``, and what is stated behind them;
2. else what is stated: an assertion about the call (``assert f(81) == [38]``), a sentence ("The answer is 38"), a box
   (``\\boxed{38}``), or a block of code that is a literal;
3. else a literal on a line of its own, or after words that may speak of something else ("it returns 38");
4. else a literal in inline code.

In a tag the answer is the whole content if that is a literal, else what this rule finds in the content. There, an
assertion about the function with other arguments will do: models copy long arguments with mistakes.
Where nothing holds a literal, the answer is a text that is no literal, such as ``f(81)``. ``docs/answers.md`` has
examples.
"""

from __future__ import annotations

import re

from pytest_codereason.core import Language
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.replies.finding import Finder
from pytest_codereason.questions.replies.literals import Candidate, LiteralReader
from pytest_codereason.questions.replies.pieces.copies import Copies
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly
from pytest_codereason.questions.replies.pieces.prefills import drop_content, drop_repeated_prefill
from pytest_codereason.questions.replies.statements.tails import ends_code

_QUESTION, _CUT_WORD = re.compile(r"\?(?=\s)"), re.compile(r"[ \t]+[a-z]+\Z")


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
        return _read_value(reply, language, call, Copies(program), prefill, prefilled=prefilled, cut=cut)
    except TakesTooLong as error:
        return Candidate("", None, str(error), complete=not cut)


@bounded("reply")
def _read_value(
    reply: str, language: Language, call: str, copies: Copies, prefill: str, *, prefilled: bool, cut: bool
) -> Candidate | None:
    text = read_plainly(read_spoken(reply))
    finder = Finder(LiteralReader(language, len(prefill) + len(text)), language, call, copies, cut=cut)
    if not (prefilled and prefill):
        return finder.find_answer(text)
    text = drop_repeated_prefill(text, prefill)
    first, _ = finder.reader.read_at(text, 0, comma_ends=True, ends=_ends_cut if cut else _ends_continued)
    if first.value is not None:
        return first
    # The prefill may have opened a code block, so that the block is read with it. A reply that was not cut off in
    # that block is also read as a reply that ignored the prefill.
    for whole in (f"{drop_content(prefill)} {text}", *(() if cut else (text,))):
        answer = finder.find_answer(whole)
        if answer is not None and answer.value is not None:
            return answer
    # The text in the place of the value is the answer, even if that text is no literal.
    return first if first.text else None


def _ends_continued(text: str, end: int) -> bool:
    return ends_code(text, end) or _QUESTION.match(text, end) is not None


def _ends_cut(text: str, end: int) -> bool:
    return _ends_continued(text, end) or _CUT_WORD.match(text, end) is not None


def count_values(reply: str, *, language: Language, call: str, program: str = "") -> int:
    """How many different values a reply gives as its answer.

    What tags, assertions and sentences state counts. A literal that leads to them does not, but numbers or texts on
    lines behind them count as one value more. A reply that states nothing gives a value if it is one line.
    """
    try:
        return _count_values(reply, language, call, Copies(program))
    except TakesTooLong:
        return 0


@bounded("reply")
def _count_values(reply: str, language: Language, call: str, copies: Copies) -> int:
    text = read_plainly(read_spoken(reply))
    different: list[Candidate] = []
    for candidate in Finder(LiteralReader(language, len(text)), language, call, copies, cut=False).list_answers(text):
        if not any(_are_one(language, candidate, each) for each in different):
            different.append(candidate)
    return len(different)


def _are_one(language: Language, one: Candidate, other: Candidate) -> bool:
    if one.value is None or other.value is None:
        return one.value is other.value
    return language.values.equal(one.value.value, other.value.value)
