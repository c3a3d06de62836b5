"""Finds what assertions and sentences about one call say of its value.

Example: ``assert JSON.stringify(f(3)) === '[1,2]'``. The reader begins at the call, ``f(3)``, and looks at what stands
around it. ``JSON.stringify(...)`` is a way to write the value out, so the reader goes on from there. Next comes
``===``, so the value stands behind it, written out.

The same steps read the libraries for assertions of all languages. A call is compared by an operator, by a method
(``.toEqual(``) or by a function of two arguments (``assertEquals(``), or it is shown, and a comment says what is shown.
A call within anything else, as in ``len(f(3)) == 2``, says nothing of its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from pytest_codereason.core.text.brackets import find_closing_bracket
from pytest_codereason.questions.replies.literals import Candidate, LiteralReader
from pytest_codereason.questions.replies.statements import forms
from pytest_codereason.questions.replies.statements.aliases import list_mentions
from pytest_codereason.questions.replies.statements.chains import read_chain
from pytest_codereason.questions.replies.statements.openers import drop_casts, find_opener
from pytest_codereason.questions.replies.statements.tails import ends_code, ends_prose
from pytest_codereason.questions.replies.wrappers import read_written

#: Calls that are looked at, the last ones, the calls around each, and characters and words before a call.
_MAX_CALLS, _MAX_AROUND, _MAX_BEFORE, _MAX_WORDS = 500, 6, 500, 60


#: Words before a bracket that change no value.
_STATEMENTS = frozenset({"assert", "await", "return", "ok"})


class Found(NamedTuple):
    """A value that a reply states, and where the statement stands."""

    start: int
    end: int
    candidate: Candidate


@lru_cache(maxsize=1024)
def compile_call(call: str, mark: str) -> re.Pattern[str]:
    """Finds a call, with any blanks and quotes, with or without the class before it and names before its arguments."""
    function, bracket, arguments = call.partition("(")
    qualifier, _, name = function.rpartition(".")
    optional = rf"(?:{re.escape(qualifier)}\s*(?:\.|::)\s*)?" if qualifier else ""
    named = rf"(?:[A-Za-z_]\w*\s*{mark}\s*)?" if mark else ""
    tokens: list[str] = []
    depth = 0
    for token in re.findall(r"\w+|[^\w\s]", bracket + arguments):
        pattern = re.escape(token) if token not in "'\"" else "['\"]"
        first = depth == 1 and (not tokens or tokens[-1] in (re.escape(","), re.escape("(")))
        tokens.append(named + pattern if first and token != ")" else pattern)
        depth += (token in "([{") - (token in ")]}")
    return re.compile(rf"(?<![\w$.]){optional}{re.escape(name)}\s*" + r"\s*".join(tokens))


@lru_cache(maxsize=1024)
def compile_function(call: str) -> re.Pattern[str]:
    """Finds the beginning of any call of a function."""
    qualifier, _, name = call.partition("(")[0].rpartition(".")
    optional = rf"(?:{re.escape(qualifier)}\s*(?:\.|::)\s*)?" if qualifier else ""
    return re.compile(rf"(?<![\w$.])(?<!def )(?<!function ){optional}{re.escape(name)}\s*\(")


class AssertionReader:
    """Reads what a text says of the value of a call."""

    def __init__(self, reader: LiteralReader, call: str) -> None:
        self._reader = reader
        self._call = call
        self._name = call.partition("(")[0].rpartition(".")[2]

    def find(self, text: str, is_copied: Callable[[int], bool]) -> tuple[list[Found], Candidate | None]:
        """What statements about the call say, in their order, and a text in the place of a value that is no literal."""
        if self._name not in text:
            return [], None
        calls = compile_call(self._call, self._reader.parameter_mark).finditer(text)
        spans = [call.span() for call in calls][-_MAX_CALLS:]
        return self._read_spans(text, sorted([*spans, *list_mentions(text, spans)]), is_copied)

    def find_misquoted(self, text: str, is_copied: Callable[[int], bool]) -> tuple[list[Found], Candidate | None]:
        """The same of calls with other arguments."""
        openings = list(compile_function(self._call).finditer(text))[-20:]
        closings = ((opening.start(), find_closing_bracket(text, opening.end())) for opening in openings)
        spans = [(start, closing + 1) for start, closing in closings if closing is not None]
        return self._read_spans(text, spans, is_copied)

    def _read_spans(
        self, text: str, spans: list[tuple[int, int]], is_copied: Callable[[int], bool]
    ) -> tuple[list[Found], Candidate | None]:
        found: list[Found] = []
        no_literal: Candidate | None = None
        position = 0
        for start, end in spans:
            if start < position or is_copied(start):
                continue
            each = _Statement(self._reader, text, start, end).read()
            if each is None:
                continue
            if each.candidate.value is not None:
                found.append(each)
                position = each.end
            elif each.candidate.text.strip("?._… "):
                no_literal = each.candidate
        return found, no_literal


class _Statement:
    """What stands around one call."""

    def __init__(self, reader: LiteralReader, text: str, start: int, end: int) -> None:
        self._reader, self._text = reader, text
        self._start, self._end = start, end
        self._written = False
        self._first, self._call_end = start, end

    def read(self) -> Found | None:
        """The statement, ``None`` if there is none, or it is denied, doubted or a condition."""
        before = self._text[max(0, self._start - 40) : self._start]
        in_brackets = before.rstrip().endswith("(")
        if not in_brackets and forms.WITHIN_SUM.search(before):
            return None
        if in_brackets and (found := self._read_subject()):
            return found
        if (forms.LEFT_EQUALS if in_brackets else forms.LEFT_OPERATOR).search(before):
            return self._read_left()
        for _ in range(_MAX_AROUND):
            if found := self._read_right():
                return found if self._is_sure(found) else None
            opener = self._find_opener()
            if opener is None:
                break
            name, after = opener["name"] or "", self._text[self._end : self._end + _MAX_BEFORE].lstrip()[:1]
            if name.startswith("!") or opener["not"] or after not in (",", ")"):
                return None
            function = forms.describe(name)
            if after == ",":
                return self._read_second(function, len(opener[0]))
            if function.states and not function.denies:
                self._start -= len(opener[0])
                return self._make_constant(function.states)
            if name and not self._widen(function):
                return None
            self._start = self._start - len(opener[0])
            self._end = self._text.index(")", self._end) + 1
        return self._read_left() or self._read_shown()

    def _read_subject(self) -> Found | None:
        """The value that ``expect(42).toBe(f(3))`` compares with the call."""
        low = max(0, self._start - _MAX_BEFORE)
        if self._text.find(")", low, self._start) < 0:
            return None
        subject = forms.LEFT_SUBJECT.search(self._text, low, self._start)
        after = forms.CLOSED.match(self._text, self._end)
        if not subject or not after or not forms.EQUAL_METHOD.fullmatch(subject["name"]):
            return None
        found = Found(subject.start(), after.end(), self._reader.read(subject["value"]))
        sure = found.candidate.value is not None and not forms.DENIES.search(subject["chain"])
        return self._check(found) if sure and _ends_statement(self._text, after.end()) else None

    def _check(self, found: Found) -> Found | None:
        self._start = found.start
        return found if self._is_sure(found) else None

    def _widen(self, function: forms.Around) -> bool:
        """Goes on from the call of a function around, if that call stands for the value."""
        self._written |= function.writes
        return function.writes or function.shows or function.subject or function.last in _STATEMENTS

    def _find_opener(self) -> re.Match[str] | None:
        before = drop_casts(self._text[max(0, self._start - _MAX_BEFORE) : self._start])
        self._start = max(0, self._start - _MAX_BEFORE) + len(before)
        return find_opener(before)

    def _read_right(self) -> Found | None:
        text, end = self._text, self._end
        if nothing := forms.METHOD_OF_NOTHING.match(text, end):
            return (
                None
                if forms.DENIES.search(nothing["chain"])
                else self._make_constant(nothing["what"].lower(), nothing.end())
            )
        if elements := forms.ELEMENTS.match(text, end):
            closing = find_closing_bracket(text, elements.end())
            candidate = self._reader.read(f"[{text[elements.end() : closing]}]")
            return Found(self._start, closing + 1, candidate) if closing is not None else None
        if method := forms.METHOD.match(text, end):
            if forms.DENIES.search(method["chain"] + method["name"]) or not forms.EQUAL_METHOD.fullmatch(
                method["name"]
            ):
                return None
            return self._read_value(method.end(), code=True, closed=True)
        if operator := forms.OPERATOR.match(text, end):
            code = bool(forms.IN_CODE.match(text, end)) or bool(
                find_opener(text[max(0, self._start - _MAX_WORDS) : self._start])
            )
            return self._read_value(operator.end(), code=code)
        if verb := forms.VERB.match(text, end):
            kind = forms.KIND.match(text, verb.end())
            return self._read_value(kind.end() if kind else verb.end(), code=False)
        return None

    def _read_second(self, function: forms.Around, opener_length: int) -> Found | None:
        """The second argument of ``assertEquals(f(3), 42)`` or ``assertThat(f(3), is(42))``."""
        found = self._read_argument(function)
        self._start -= opener_length
        return found if found is not None and self._is_sure(found) else None

    def _read_argument(self, function: forms.Around) -> Found | None:
        if function.denies:
            return None
        comma = self._text.index(",", self._end) + 1
        start = (
            comma + len(self._text[comma : comma + _MAX_BEFORE]) - len(self._text[comma : comma + _MAX_BEFORE].lstrip())
        )
        if function.equals:
            return self._read_value(start, code=True, closed=True, first=self._start - 1)
        if function.subject:
            while (matcher := forms.NAME.match(self._text, start)) and forms.MATCHER.fullmatch(matcher[1]):
                start = matcher.end()
                if forms.NOTHING_MATCHER.match(self._text, start):
                    break
            if constant := forms.NOTHING_MATCHER.match(self._text, start):
                return self._make_constant("null", constant.end())
            if start > comma and self._text[start - 1] == "(":
                return self._read_value(start, code=True, closed=True)
            return None
        if function.writes or function.shows:
            closing = find_closing_bracket(self._text, self._end)
            if closing is None or not self._widen(function):
                return None
            self._end = closing + 1
            return self._read_right() or self._read_shown()
        return None

    def _read_left(self) -> Found | None:
        """The value before the call: ``assert 42 == f(3)``, ``assertEquals(42, f(3))``, ``"ab".equals(f(3))``."""
        text, start = self._text, self._first
        low = max(0, start - _MAX_BEFORE)
        before = drop_casts(text[low:start])
        if (wrapper := find_opener(before)) and forms.describe(wrapper["name"] or "").writes:
            before, self._written = before[: -len(wrapper[0])], True
        bare = before.rstrip()
        if bare.endswith(","):
            return self._read_first(low, bare[:-1])
        operator = forms.LEFT_OPERATOR.search(bare) or forms.LEFT_EQUALS.search(before)
        if operator is None:
            return None
        line = max(before.rfind("\n", 0, operator.start()), 0)
        after = text[self._end_of_call() :][:1]
        for opening in reversed(list(forms.STATEMENT.finditer(before, line, operator.start()))):
            if (
                not opening["assert"]
                and not opening["prose"]
                and operator.re is forms.LEFT_OPERATOR
                and before[: opening.start()].strip()
            ):
                continue
            if forms.UNSURE.search(
                before[: opening.start()] + " " + ("assert " if opening["prose"] else "")
            ) or forms.DENIES.search(opening[0]):
                return None
            candidate = self._read_written(before[opening.end() : operator.start()])
            if candidate.value is not None:
                end = self._end_of_call()
                end += operator.re is forms.LEFT_EQUALS and after == ")"
                if "(" in opening[0]:
                    bracket = re.match(r"[ \t]*([,)])", text[end : end + 20])
                    if bracket is None:
                        return None
                    end += bracket.end() if bracket[1] == ")" else 0
                if not ends_code(text, end) or not _ends_statement(text, end):
                    return None
                return self._check(Found(low + opening.start(), end, candidate))
        return None

    def _end_of_call(self) -> int:
        end = self._call_end
        return end + 1 if self._written and self._text[end : end + 1] == ")" else end

    def _read_first(self, low: int, before: str) -> Found | None:
        for name in reversed(list(forms.NAME.finditer(before))[-5:]):
            function = forms.describe(name[1])
            if not function.equals or function.denies:
                continue
            end = self._end_of_call()
            if not re.match(r"\s*[,)]", self._text[end : end + 20]) or forms.UNSURE.search(before[: name.start()]):
                return None
            candidate = self._read_written(before[name.end() :])
            if candidate.value is None:  # a message stands before the value
                candidate = self._read_written(before[name.end() :].rpartition(",")[2])
            return self._check(Found(low + name.start(), end, candidate)) if candidate.value is not None else None
        return None

    def _read_shown(self) -> Found | None:
        """The value that a comment, or the line below a prompt, says is shown."""
        text, end = self._text, self._end
        self._written = False
        before = text[max(0, self._start - _MAX_BEFORE) : self._start]
        if forms.THROWS.search(before):
            return None
        if comment := forms.COMMENT.match(text, end):
            return self._read_value(comment.end(), code=False)
        if forms.PROMPT.search(before) and (below := forms.BELOW_PROMPT.match(text, end)):
            return self._read_value(below.end(), code=True)
        if below := forms.BELOW.match(text, end):
            return self._read_value(below.end(), code=False)
        return None

    def _read_value(self, start: int, *, code: bool, closed: bool = False, first: int | None = None) -> Found | None:
        """The value at ``start``, unless the statement goes on behind it; ``closed`` says that a bracket ends it."""
        text = self._text
        ends: Callable[[str, int], bool] = (
            (lambda text, end: bool(forms.CLOSED.match(text, end))) if closed else (ends_code if code else ends_prose)
        )
        candidate, end = self._reader.read_at(text, start, comma_ends=True, ends=ends)
        if candidate.value is None and not closed and (chained := read_chain(self._reader, text, start)):
            candidate, end = chained
        candidate = self._unwrap(candidate, text, start)
        if candidate.value is not None and closed:
            bracket = find_closing_bracket(text, end)
            behind = (text.find(")", end) if bracket is None else bracket) + 1
            if more := forms.MORE.match(text, behind):
                behind = more.end()
            if not _ends_statement(text, behind) or not ends_code(text, behind):
                return None
            end = max(end, behind)
        return Found(self._start if first is None else first, end, candidate)

    def _unwrap(self, candidate: Candidate, text: str, start: int) -> Candidate:
        return self._read_content(candidate) if self._written else candidate

    def _read_written(self, text: str) -> Candidate:
        candidate = self._reader.read(text)
        return self._read_content(candidate) if self._written else candidate

    def _read_content(self, candidate: Candidate) -> Candidate:
        """What a text that writes a value out stands for: ``'[1,2]'``, ``JSON.stringify([1, 2])``."""
        if candidate.value is not None:
            inside = candidate.value.value
            return (
                read_written(self._reader, inside)
                if isinstance(inside, str)
                else Candidate(candidate.text, None, "no text")
            )
        name = forms.NAME.match(candidate.text)
        if name and forms.describe(name[1]).writes and candidate.text.endswith(")"):
            return self._reader.read(candidate.text[name.end() : -1])
        return candidate

    def _make_constant(self, what: str, end: int | None = None) -> Found | None:
        stop = self._end + 1 if end is None else end
        for word in forms.CONSTANTS.get({"none": "null", "nan": "NaN"}.get(what, what), ()):
            candidate = self._reader.read(word)
            if candidate.value is not None:
                found = Found(self._start, stop, candidate)
                return found if self._is_sure(found) and ends_code(self._text, stop) else None
        return None

    def _is_sure(self, found: Found) -> bool:
        """Whether nothing before a statement denies it or makes it a condition."""
        text, low = self._text, max(0, self._start - _MAX_BEFORE)
        before = text[low : self._start]
        if before.rpartition("\n")[2].strip() in ("", "assert") and "raises(" not in before:
            return True
        for _ in range(_MAX_AROUND):
            if forms.UNSURE.search(before[-_MAX_WORDS:]):
                return False
            opener = find_opener(before)
            if opener is None:
                break
            name = opener["name"] or ""
            function = forms.describe(name)
            if function.denies or function.fails or opener["not"] or name.startswith("!"):
                return False
            if name and not (function.holds or function.subject or function.shows):
                return False
            if (closing := find_closing_bracket(text, found.end)) is not None and not _ends_statement(
                text, closing + 1
            ):
                return False
            before = before[: -len(opener[0])]
        return True


def _ends_statement(text: str, end: int) -> bool:
    """Whether nothing behind a comparison turns it round, or adds another: ``(f(3) == 42) is False``."""
    return not forms.COMPARED_AGAIN.match(text, end)
