"""How the answer to each kind of question is written, read and scored.

An answer is a text between tags. Only that of ``value`` is a literal, which the language reads. The others are a
number, a row of letters, or a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_codereason.core import Completion, Language, Outcome, Value, Verdict
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.moments.kinds.branch import LENGTH
from pytest_codereason.questions.replies.final_answers import MESSAGE, find_answer
from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.questions.tasks.output_prediction import measure_partial_match
from pytest_codereason.questions.tasks.shared.verdicts import CUT_OFF, make_verdict, measure_resolved

_NUMBERED = r"(?:line\W*|L)?#?(\d{1,9})"
_LINE = re.compile(
    rf"{_NUMBERED}(?:\s+(?:(?:runs|is executed|executes|comes)\s+next"
    r"|(?:gave|gives|wrote|set)\b(?:(?!\bor\b)[^\d?])*))?",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"(?:(?:it|line\s+(?P<line>\d+))\s+(?:runs|ran|is run|is executed|executes)\s+(?:exactly\s+)?)?"
    r"(?P<times>\d{1,9})(?:\s*times?(?:\s+in\s+(?:all|total))?)?",
    re.IGNORECASE,
)
_RAISED = re.compile(
    rf"\(?{_NUMBERED}\s*[,:;-]?\s*(?:raises?\s+|type\s+|an?\s+)*[`\"']?([A-Za-z_][\w.]*)[`\"']?{MESSAGE}\)?",
    re.IGNORECASE,
)
#: What says at the beginning of the last line what a variable holds.
_VALUE_IS = r"(?<![^\n])[ \t]*(?:so,?\s+)?(?:the\s+value\s+of\s+)?[`*]*{}[`*]*\s+is\s+(?=[^\n]*\Z)"
_TRUTHS = re.compile(r"\b(t)rue\b|\b(f)alse\b", re.IGNORECASE)
_WORD = re.compile(r"(yes|no)\b[\s,.;:*-]*(.*)", re.IGNORECASE)
#: What an explanation behind ``yes`` or ``no`` may not say, and what says that objects are two, or one.
_DOUBTS = re.compile(r"\?|\b(?:but|or|if|unless|maybe|perhaps|possibly|sometimes|until|only|yes|no)\b", re.IGNORECASE)
_TWO = re.compile(r"n't|\b(?:not|different|separate|distinct|two|copy|copies)\b", re.IGNORECASE)
_ONE = re.compile(r"\b(?:same|one)\b", re.IGNORECASE)

#: What is read from a text: the answer as it is compared, or why there is none.
Read = Callable[[str, "Rule"], tuple[Any, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """All that decides whether a reply is right, without the program."""

    kind: str
    expected: str  #: the right answer, as a reply writes it
    labels: Sequence[str] = ()  #: of the lines that are shown
    name: str = ""  #: the variable that a value is asked of
    line: str = ""  #: the label of the line that is asked about

    def judge(self, completion: Completion, lang: Language) -> Verdict:
        """The verdict on a reply."""
        if completion.finish in ("refused", "too-long"):
            return self._make_verdict(completion.finish)
        cut = completion.finish == "length"
        if self.kind == "value":
            return self._judge_value(completion, lang, cut=cut)
        try:
            text = find_answer(completion.text, cut=cut)
        except TakesTooLong as error:
            return self._make_verdict("invalid", reason=str(error))
        if text is None:
            return self._refuse_empty(cut=cut)
        answer, complaint = FORMS[self.kind](text, self)
        if complaint:
            return self._make_verdict("invalid", text, complaint)
        right, _ = FORMS[self.kind](self.expected, self)
        share = measure_share(self.kind, answer, right)
        return self._make_verdict("correct" if answer == right else "wrong", text, share=share)

    def _judge_value(self, completion: Completion, lang: Language, *, cut: bool) -> Verdict:
        told = re.sub(_VALUE_IS.format(re.escape(self.name)), "The answer is ", completion.text, flags=re.IGNORECASE)
        found = read_value(told, language=lang, call=self.name, cut=cut)
        text = found.text if found else None
        if cut and (found is None or not found.complete):
            return self._make_verdict("truncated", text, CUT_OFF)
        if found is None or found.value is None:
            reason = f"no {lang.title} literal: {found.reason}" if found else "no answer found"
            return self._make_verdict("invalid", text, reason)
        value, right = found.value.value, lang.values.read(self.expected).value
        outcome: Outcome = "correct" if lang.values.equal(value, right) else "wrong"
        return self._make_verdict(outcome, text, share=measure_partial_match(lang, value, right), given=found.value)

    def _refuse_empty(self, *, cut: bool) -> Verdict:
        outcome: Outcome = "truncated" if cut else "invalid"
        return self._make_verdict(outcome, reason=CUT_OFF if cut else "no answer found")

    def _make_verdict(
        self,
        outcome: Outcome,
        text: str | None = None,
        reason: str = "",
        *,
        share: float = 0.0,
        given: Value | None = None,
    ) -> Verdict:
        exact = float(outcome == "correct")
        metrics = {"exact": exact, "exact_answered": exact, "partial": max(share, exact)}
        if self.kind == "value":
            metrics |= measure_resolved(exact, given)
        if self.kind == "alias":
            metrics[f"{self.expected}_found"] = exact
        return make_verdict(
            outcome,
            expected=self.expected,
            answer=text,
            reason=reason,
            metrics=metrics,
        )


def _read_number(text: str, rule: Rule) -> tuple[Any, str]:
    found = _TIMES.fullmatch(text)
    if found is None or (found["line"] and found["line"] != rule.line):
        return None, "no whole number"
    return int(found["times"]), ""


def _read_line(text: str, rule: Rule) -> tuple[Any, str]:
    found = _LINE.fullmatch(text)
    if found is None:
        return None, "no number of a line"
    number = found[1].lstrip("0")
    return (number, "") if number in rule.labels else (None, f"no such line is shown: {number}")


def _read_row(text: str, rule: Rule) -> tuple[Any, str]:
    row = re.sub(r"[\s,\[\]\"'-]", "", _TRUTHS.sub(lambda word: word[1] or word[2], text)).upper()
    return (row, "") if re.fullmatch(rf"[TF]{{{LENGTH}}}", row) else (None, f"no row of {LENGTH} letters T and F")


def _read_raised(text: str, rule: Rule) -> tuple[Any, str]:
    found = _RAISED.fullmatch(text)
    if found is None:
        return None, "no line with a type"
    number, complaint = _read_line(found[1], rule)
    return (None, complaint) if complaint else ((number, found[2].rpartition(".")[2]), "")


def _read_word(text: str, rule: Rule) -> tuple[Any, str]:
    found = _WORD.fullmatch(text)
    if found is None or _DOUBTS.search(found[2]):
        return None, "neither yes nor no"
    word, two = found[1].lower(), _TWO.search(found[2])
    contradicted = two if word == "yes" else _ONE.search(found[2]) and not two
    return (None, "both yes and no") if contradicted else (word, "")


#: How the answers of each kind are read, apart from values.
FORMS: Mapping[str, Read] = {
    "visits": _read_number,
    "branch": _read_row,
    "next": _read_line,
    "raise": _read_raised,
    "writer": _read_line,
    "alias": _read_word,
}


#: The kinds whose answers have parts, each of which may be right.
IN_PARTS = {"branch", "raise"}


def measure_share(kind: str, answer: Any, right: Any) -> float:
    """The share of an answer that is right: of a row its letters, of a line with a type both."""
    if kind not in IN_PARTS:
        return float(answer == right)
    same = [bool(one == other) for one, other in zip(answer, right, strict=True)]
    return sum(same) / len(same)
