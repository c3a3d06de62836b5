"""Where a literal that begins somewhere in a reply ends, and what it reads as.

All work is charged to a budget proportional to the length of the reply, so that no reply, however
built, takes more than linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import NotALiteral

if TYPE_CHECKING:
    from pytest_codereason.core import Language, Value

#: Brackets open at once, past which no literal is looked for.
_MAX_DEPTH = 100
#: The budget: so much for each character of a reply, and so much besides.
_PER_CHARACTER, _BESIDES = 12, 20_000
#: Costs: looking at a character is 1; a bracket, quote or the like; reading a character; reading at all.
_TOKEN_COST, _READ_COST, _CALL_COST = 2, 4, 100
#: Characters kept of a text whose brackets stay open.
_KEPT = 1_000

_TOKEN = re.compile(r"""'{3}|"{3}|['"`\\\[({\])}\n;,#]|//|/\*""")
_SPACE = re.compile(r"\s*")
# Groups are not repeated possessively: Python 3.11.2, which Debian 12 has, then matches something else (gh-100061).
_STRING_END = {
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*'", re.DOTALL),
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*"', re.DOTALL),
    "`": re.compile(r"[^`\\]*+(?:\\.[^`\\]*+)*`", re.DOTALL),
    "'''": re.compile(r"[^\\']*+(?:(?:\\.|'(?!''))[^\\']*+)*'''", re.DOTALL),
    '"""': re.compile(r'[^\\"]*+(?:(?:\\.|"(?!""))[^\\"]*+)*"""', re.DOTALL),
}
_NUMBER = re.compile(r"[-+]?(?:0[xXoObB][0-9a-fA-F_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)n?")
_OPENING, _SHUTTING = frozenset("[({"), frozenset("])}")
#: What ends an expression outside brackets; a backtick there ends inline code.
_ENDING = _SHUTTING | {"\n", ";", "`", "comment"}
#: What stands before a backtick that opens a template string inside brackets.
_BEFORE_TEMPLATE = " \t\n[({,:"
#: What may follow a literal that ends before its line does: prose, a comment, punctuation; no operator.
_PROSE = re.compile(
    r"[ \t]*(?:\Z|[\n;,)\]}#`]|//|/\*|</|<\||[.!?:](?:\s|\Z)|\*\*(?:[\s.,]|\Z)|[—–])"
    r"|[ \t]+(?!(?:or|and|xor|if|else|not|instanceof)\b)(?:[^\W\d_]|\()"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply gives as the answer."""

    text: str
    value: Value | None  #: ``None`` where the text is no literal
    reason: str = ""  #: why it is none
    complete: bool = True  #: whether something ended it: a closing tag or fence, or more text


@cache
def _slashes_divide(language: Language) -> bool:
    """Whether ``//`` is an operator and not a comment: asked of the language, so that none is listed here."""
    return bool(language.values.read("7 // 2").value == 3)


class Reader:
    """Reads literals of one language out of a reply of ``length`` characters."""

    def __init__(self, language: Language, length: int) -> None:
        self._language = language
        self._slashes_divide = _slashes_divide(language)
        self._budget = _PER_CHARACTER * length + _BESIDES

    def pay(self, cost: int) -> bool:
        """Whether the budget still holds ``cost``, which is taken from it."""
        if cost > self._budget:
            return False
        self._budget -= cost
        return True

    def read(self, text: str, *, complete: bool = True) -> Answer:
        """``text`` as an answer, without the emphasis and the punctuation around it."""
        text = text.strip().strip("*_").rstrip(" \t\r\n.,;:!?*_")
        if not self.pay(_READ_COST * len(text) + _CALL_COST):
            return Answer(text, None, "the reply is too tangled to be read", complete)
        try:
            return Answer(text, self._language.values.read(text), complete=complete)
        except NotALiteral as error:
            return Answer(text, None, str(error), complete)

    def at(self, text: str, start: int, *, comma_ends: bool, prose: str = "") -> tuple[Answer, int]:
        """The literal that begins at ``start``, and where it ends.

        Args:
            text: what it stands in.
            start: where it begins, whitespace before it not counted.
            comma_ends: whether a comma outside brackets ends it.
            prose: after what prose may follow on the same line: ``"groups"`` (something in brackets
                or quotes) or ``"all"`` (numbers, too).
        """
        start = _SPACE.match(text, start).end()  # type: ignore[union-attr]  # matches anywhere
        end = self._end(text, start, comma_ends=comma_ends)
        stop = len(text) if end is None else end
        if end is None:
            line = text[start : start + _KEPT].partition("\n")[0].rstrip()
            answer = Answer(line, None, "a bracket or quote stays open", complete=False)
        else:
            answer = self.read(text[start:end], complete=end < len(text))
        if answer.value is None and prose and (part := self._group(text, start, numbers=prose == "all")):
            shorter = self.read(text[start:part], complete=part < len(text))
            if shorter.value is not None:
                return shorter, part
        return answer, stop

    def _group(self, text: str, start: int, *, numbers: bool) -> int | None:
        """Where the first bracketed or quoted group ends, or a number, if prose follows it."""
        if found := _NUMBER.match(text, start):
            end = found.end() if numbers else None
        else:
            end = self._end(text, start, comma_ends=True, group=True)
        return end if end is not None and _PROSE.match(text, end) else None

    def _end(self, text: str, start: int, *, comma_ends: bool, group: bool = False) -> int | None:
        """Where the expression that begins at ``start`` ends; ``None`` if a bracket or quote stays open.

        With ``group``, where its first bracketed or quoted part ends.
        """
        depth = 0
        for token, where, end in self._tokens(text, start):
            if token in _OPENING:
                depth += 1
            elif depth == 0 and (token in _ENDING or (token == "," and comma_ends)):
                return where
            elif token in _SHUTTING:
                depth -= 1
            if token == "unclosed" or depth > _MAX_DEPTH:
                return None
            if group and depth == 0 and (token in _SHUTTING or token == "string"):
                return end
        return len(text) if depth == 0 else None

    def _tokens(self, text: str, start: int) -> Iterator[tuple[str, int, int]]:
        """What decides where an expression ends, with where it begins and ends itself.

        Strings come as ``string``, comments as ``comment``; a string without an end, and the end of the
        budget, as ``unclosed``.
        """
        position = start
        while found := _TOKEN.search(text, position):
            token, where, end = found[0], found.start(), found.end()
            if token == "\\":
                end += 1
            elif token in _STRING_END and (token != "`" or where == start or text[where - 1] in _BEFORE_TEMPLATE):
                closing = _STRING_END[token].match(text, end)
                end = closing.end() if closing else self._after(text, "\n" if token in "'\"" else "", end)
                token = "string" if closing else "unclosed"
            elif token == "#" or (token in ("//", "/*") and not self._slashes_divide):
                end = self._after(text, "*/" if token == "/*" else "\n", end)
                token = "comment"
            yield token if self.pay(end - position + _TOKEN_COST) else "unclosed", where, end
            position = end
        if not self.pay(len(text) - position):
            yield "unclosed", position, len(text)

    @staticmethod
    def _after(text: str, what: str, position: int) -> int:
        """Where ``what`` stands next, else the end of the text; nothing stands only there."""
        found = text.find(what, position) if what else -1
        return len(text) if found < 0 else found
