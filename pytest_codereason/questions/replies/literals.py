"""Reads a literal that begins somewhere in a reply: where the literal ends, and which value it stands for.

Every reading is paid from a budget in proportion to the length of the reply. So no reply takes more than linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from pytest_codereason.errors import NotALiteral

if TYPE_CHECKING:
    from pytest_codereason.core import Language, Value

#: The most brackets that may be open at once in a literal.
_MAX_DEPTH = 100
#: The budget for each character of a reply, and for any reply.
_PER_CHARACTER, _PER_REPLY = 12, 20_000
#: What the reader pays for a bracket, quote or the like, for each character that the language reads, and for each
#: call of the language. Passing over a character costs 1.
_TOKEN_COST, _READ_COST, _CALL_COST = 2, 4, 100
#: Characters kept of a text whose brackets stay open.
_MAX_KEPT = 1_000

_TOKEN = re.compile(r"""'{3}|"{3}|['"`\\\[({\])}\n;,#]|//|/\*""")
_FENCE = "```"  #: begins a block of code, and no template string
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
#: A word that may be a literal, and groups in brackets or quotes after which a literal may end.
_WORD = re.compile(r"[A-Za-z_][\w.]*+(?![\w(\[{'\"])")
_MAX_GROUPS = 4
#: What leaves open whether a value is meant, or where it ends.
_OPEN_ENDS = ("?", "...", "…")

#: Says of a text whether a statement may end at a place.
Ends = Callable[[str, int], bool]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text in a reply that may be the answer."""

    text: str
    value: Value | None  #: ``None`` where the text is no literal
    reason: str = ""  #: why the text is no literal
    complete: bool = True  #: whether something ends the text: a closing tag or fence, or more text


@cache
def _slashes_divide(language: Language) -> bool:
    """Whether ``//`` divides in this language, and does not begin a comment."""
    try:
        return bool(language.values.read("7 // 2").value == 3)
    except NotALiteral:
        return False


class LiteralReader:
    """Reads literals of one language in a reply of ``length`` characters."""

    def __init__(self, language: Language, length: int) -> None:
        self._language = language
        self._slashes_divide = _slashes_divide(language)
        self._budget = _PER_CHARACTER * length + _PER_REPLY
        self.parameter_mark = language.values.parameter_mark

    def pay(self, cost: int) -> bool:
        """Takes ``cost`` from the budget; ``False`` if the budget holds less."""
        if cost > self._budget:
            return False
        self._budget -= cost
        return True

    def read(self, text: str, *, complete: bool = True) -> Candidate:
        """``text`` as an answer, without the emphasis and punctuation around it."""
        text = text.strip().strip("*_").rstrip(" \t\r\n.,;:!*_")
        if not self.pay(_READ_COST * len(text) + _CALL_COST):
            return Candidate(text, None, "the reply has too many possible answers to read them all", complete)
        try:
            return Candidate(text, self._interpret(text), complete=complete)
        except NotALiteral as error:
            return Candidate(text, None, str(error), complete)

    def _interpret(self, text: str) -> Value:
        return self._language.values.read_answer(text)

    def read_at(self, text: str, start: int, *, comma_ends: bool, ends: Ends | None = None) -> tuple[Candidate, int]:
        """The literal that begins at ``start``, and where the literal ends.

        Args:
            text: the text around the literal.
            start: where the literal begins; whitespace at this place is passed over.
            comma_ends: whether a comma outside brackets ends the literal.
            ends: says whether a literal may end at a place, with other text behind it on the same line. Without
                ``ends`` the literal must go on to the end of its line, or to a sign that ends an expression.
        """
        start = _SPACE.match(text, start).end()  # type: ignore[union-attr]  # matches anywhere
        end = self._find_end(text, start, comma_ends=comma_ends)
        stop = len(text) if end is None else end
        if end is None:
            line = text[start : start + _MAX_KEPT].partition("\n")[0].rstrip()
            candidate = Candidate(line, None, "a bracket or quote stays open", complete=False)
        else:
            candidate = self.read(text[start:end], complete=end < len(text))
        if ends is None:
            return candidate, stop
        if candidate.value is not None:
            if not text.endswith(_OPEN_ENDS, start, stop) and ends(text, stop):
                return candidate, stop
            candidate = replace(candidate, value=None, reason="the statement goes on behind the value")
        for part in self._list_parts(text, start):
            if part != stop and ends(text, part):
                shorter = self.read(text[start:part], complete=part < len(text))
                if shorter.value is not None:
                    return shorter, part
        return candidate, stop

    def _list_parts(self, text: str, start: int) -> Iterator[int]:
        """Where the first number or word ends, else each of the first groups in brackets or quotes."""
        if simple := _NUMBER.match(text, start) or _WORD.match(text, start):
            end = simple.end()
            yield end - 1 if text[end - 1] == "." else end
            return
        depth = groups = 0
        for token, _, token_end in self._list_tokens(text, start):
            depth += token in _OPENING
            if (depth == 0 and token in _ENDING) or token == "unclosed" or depth > _MAX_DEPTH or groups == _MAX_GROUPS:
                return
            depth -= token in _SHUTTING
            if depth == 0 and (token in _SHUTTING or token == "string"):
                groups += 1
                yield token_end

    def _find_end(self, text: str, start: int, *, comma_ends: bool) -> int | None:
        """Where the expression that begins at ``start`` ends; ``None`` if a bracket or quote stays open."""
        depth = 0
        for token, token_start, _ in self._list_tokens(text, start):
            if token in _OPENING:
                depth += 1
            elif depth == 0 and (token in _ENDING or (token == "," and comma_ends)):
                return token_start
            elif token in _SHUTTING:
                depth -= 1
            if token == "unclosed" or depth > _MAX_DEPTH:
                return None
        return len(text) if depth == 0 else None

    def _list_tokens(self, text: str, start: int) -> Iterator[tuple[str, int, int]]:
        """The tokens that decide where an expression ends, each with its start and end.

        A string is the token ``string``, a comment ``comment``. A string without an end is ``unclosed``, and so is
        the end of the budget.
        """
        position = start
        while match := _TOKEN.search(text, position):
            token, token_start, end = match[0], match.start(), match.end()
            if token == "\\":
                end += 1
            elif token in _STRING_END and (
                token != "`"
                or (
                    (token_start == start or text[token_start - 1] in _BEFORE_TEMPLATE)
                    and not text.startswith(_FENCE, token_start)
                )
            ):
                closing = _STRING_END[token].match(text, end)
                end = closing.end() if closing else _find_next(text, "\n" if token in "'\"" else "", end)
                token = "string" if closing else "unclosed"
            elif token == "#" or (token in ("//", "/*") and not self._slashes_divide):
                end = _find_next(text, "*/" if token == "/*" else "\n", end)
                token = "comment"
            yield token if self.pay(end - position + _TOKEN_COST) else "unclosed", token_start, end
            position = end
        if not self.pay(len(text) - position):
            yield "unclosed", position, len(text)


def _find_next(text: str, what: str, position: int) -> int:
    """Where ``what`` stands next, else the end of the text."""
    offset = text.find(what, position) if what else -1
    return len(text) if offset < 0 else offset
