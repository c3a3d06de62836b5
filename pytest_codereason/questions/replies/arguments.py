"""Reads the arguments that a reply gives for a call.

In a reply that continues the prefill, ``assert f(``, the arguments end at the bracket that closes the call. In every
other reply these are looked for, and the first kind that holds a complete call of the function decides, by its last
call: tags, whose whole content may also be the bare arguments; fenced code blocks; the whole text. Other text between
tags, as in "the [ANSWER] and [/ANSWER] tags", is passed over if another pair of tags holds an answer. Where there is no
call, a statement of the arguments counts (``The input is 3``), and a reply of nothing but literals gives the literals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pytest_codereason.core import Arguments, Language
from pytest_codereason.core.reading import bounded
from pytest_codereason.core.text.brackets import find_closing_bracket
from pytest_codereason.errors import NotALiteral, TakesTooLong
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly
from pytest_codereason.questions.replies.pieces.questions import list_beginnings
from pytest_codereason.questions.replies.pieces.tags import find_tags
from pytest_codereason.questions.replies.stated_arguments import find_stated_arguments
from pytest_codereason.questions.replies.statements.calls import continue_call, find_last_call

#: Contents of tags without a call that are read as bare arguments, the last ones first.
_MAX_BARE = 20


@dataclass(frozen=True, slots=True)
class ArgumentsCandidate:
    """A text in a reply that may be the arguments."""

    text: str
    arguments: Arguments | None = None  #: ``None`` where one of them is no data
    reason: str = ""  #: why there are no ``arguments``
    complete: bool = True  #: whether something ends the text


def read_call_arguments(
    reply: str, *, language: Language, function: str, prefill: str = "", prefilled: bool = False
) -> ArgumentsCandidate | None:
    """The arguments that a reply gives ``function``.

    ``None`` if the reply gives none, or takes too long to read.
    """
    try:
        return _read_call_arguments(reply, language, function, prefill, prefilled=prefilled)
    except TakesTooLong:
        return None


@bounded("reply")
def _read_call_arguments(
    reply: str, language: Language, function: str, prefill: str, *, prefilled: bool
) -> ArgumentsCandidate | None:
    text = read_plainly(read_spoken(reply))
    if not prefilled:
        text = next(
            (each for each in list_beginnings(text, language.title) if find_last_call(each, function) is not None), text
        )
    continued = continue_call(text, prefill.rpartition("\n")[2]) if prefilled and prefill else None
    rest = _find_arguments(continued[1] if continued else text, language, function)
    texts = [continued[0], rest] if continued else [rest]
    candidates = [_read_literals(language, each) for each in texts if each is not None]
    if not prefilled and not any(candidate.arguments for candidate in candidates):
        for each in (text,) if rest is None else (rest, text):  # a tag may hold the statement
            stated = find_stated_arguments(each, language)
            if stated is not None:
                return _read_literals(language, stated)
    if not candidates:
        opened = bool(prefilled and prefill and find_closing_bracket(text, 0) is None)
        return _read_bare(language, text.strip(), opened=opened)
    return next((candidate for candidate in candidates if candidate.arguments), candidates[0])


def _find_arguments(text: str, language: Language, function: str) -> str | None:
    """The text of the arguments in a reply that does not continue a prefill."""
    bare: list[str] = []
    for tag in reversed(find_tags(text)):
        content = text[tag.start : tag.ends[0]].strip().strip("`").strip() if tag.innermost else ""
        if (call := find_last_call(content, function) if content else None) is not None:
            return call
        if content and len(bare) < _MAX_BARE:
            if _read_literals(language, content).arguments:
                return content
            if "??" not in content:  # a prompt that is copied
                bare.append(content)
    if bare:
        return bare[0]
    for block in reversed(read_blocks(text)):
        if (call := find_last_call(block.text, function)) is not None:
            return call
    return find_last_call(text, function)


def _read_bare(language: Language, text: str, *, opened: bool) -> ArgumentsCandidate | None:
    """A reply of nothing but arguments, or one that left its call open: nothing says that the reply ended there."""
    candidate = _read_literals(language, text) if text else ArgumentsCandidate(text)
    literal = candidate.arguments is not None and candidate.arguments.literal
    return replace(candidate, complete=False) if opened or literal else None


def _read_literals(language: Language, text: str) -> ArgumentsCandidate:
    try:
        return ArgumentsCandidate(text.strip(), language.values.read_arguments(text))
    except NotALiteral as error:
        return ArgumentsCandidate(text.strip(), reason=str(error))
