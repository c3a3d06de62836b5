"""Reads an answer about a pair, ``EQUAL`` or ``DIFFERENT f(3)``, and scores it by what the witness showed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pytest_codereason.core import Completion, Language, Outcome, Verdict
from pytest_codereason.core.text.brackets import find_closing_bracket
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.pairs.inputs import CallDomain, read_domain
from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.questions.replies.final_answers import find_answer
from pytest_codereason.questions.tasks.shared.verdicts import CUT_OFF, make_verdict

EQUAL, DIFFERENT = "EQUAL", "DIFFERENT"
_ANSWER = re.compile(
    r"(?:(?:they|A and B|(?:the\s+)?(?:two\s+)?programs(?:\s+A and B)?)\s+are\b)?\W*(equal|different)\b\W?(.*)",
    re.IGNORECASE | re.DOTALL,
)
#: What takes a witness back, before its call or behind it.
_HEDGE = re.compile(r"\?|\b(?:or|maybe|perhaps|possibly|might|could|equal|unless|otherwise|else)\b", re.IGNORECASE)
_BOTH = re.compile(r"(?:or|and)?\W*equal\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer:
    """What a reply says."""

    text: str | None = None
    says: str = ""  #: one of the two words; empty where it says neither
    witness: str = ""  #: arguments within the domain, written anew
    complaint: str = ""  #: why the answer is invalid
    outcome: Outcome | None = None  #: of a reply without an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRule:
    """All that decides whether a reply is right, apart from running the programs."""

    equal: bool
    functions: Sequence[str]
    recorded: str  #: the arguments of the program's own call, which make the domain
    expected: str

    def read(self, completion: Completion, lang: Language) -> ReadAnswer:
        """What a reply says."""
        if completion.finish in ("refused", "too-long"):
            return ReadAnswer(outcome=completion.finish)
        cut = completion.finish == "length"
        try:
            text = find_answer(completion.text, cut=cut)
        except TakesTooLong as error:
            return ReadAnswer(outcome="invalid", complaint=str(error))
        if text is None:
            return ReadAnswer(
                outcome="truncated" if cut else "invalid", complaint=CUT_OFF if cut else "no answer found"
            )
        return read_answer(lang, text, self.functions, read_domain(lang, self.recorded))

    def judge(self, answer: ReadAnswer, separates: bool | str | None) -> Verdict:
        """The verdict, by whether the witness separates the programs, or why that cannot be said."""
        found = separates is True
        right = answer.says == (EQUAL if self.equal else DIFFERENT)
        exact = right and not answer.complaint and (self.equal or found)
        reason = answer.complaint
        if answer.witness and not found:
            reason = "both end alike for that call" if separates is False else f"no witness: the program {separates}"
        outcome: Outcome = answer.outcome or ("invalid" if answer.complaint else "correct" if exact else "wrong")
        metrics = {
            "exact": float(exact),
            "verdict": float(right),
            "false_witness": float(bool(answer.witness) and not found),
            **({} if self.equal else {"witness": float(found)}),
        }
        return make_verdict(
            outcome,
            expected=self.expected,
            answer=answer.text,
            reason=reason,
            metrics=metrics,
        )


def read_answer(lang: Language, text: str, functions: Sequence[str], domain: CallDomain) -> ReadAnswer:
    """What the text of an answer says: one word, and behind ``DIFFERENT`` a call of one of the functions."""
    found = _ANSWER.fullmatch(text)
    if found is None:
        return ReadAnswer(text=text, complaint=f"neither {EQUAL} nor {DIFFERENT}")
    says, rest = found[1].upper(), found[2].strip()
    if says == EQUAL and re.search(r"[\w?]", found[0][found.end(1) :]):  # who says both words says neither
        return ReadAnswer(text=text, complaint=f"something stands behind {EQUAL}")
    if says == EQUAL:
        return ReadAnswer(text=text, says=says)
    if _BOTH.match(rest):
        return ReadAnswer(text=text, complaint=f"both {DIFFERENT} and {EQUAL}")
    witness, complaint = _read_witness(lang, rest, functions, domain)
    return ReadAnswer(text=text, says=says, witness=witness, complaint=complaint)


def _read_witness(lang: Language, text: str, functions: Sequence[str], domain: CallDomain) -> tuple[str, str]:
    """The arguments of the call that a text gives, or why it gives none."""
    call = _cut_call(text, functions)
    if call is None:
        return "", "something else than one call stands there"
    candidates: list[Any] = [read_call_arguments(call, language=lang, function=name) for name in functions]
    readable = [each for each in candidates if each is not None and each.arguments is not None]
    if not readable:
        reasons = [each.reason for each in candidates if each is not None]
        return "", f"no call with literals: {reasons[0]}" if reasons else "no call for which they differ"
    arguments = readable[0].arguments
    if any(arguments.names):
        return "", "an argument of the call names a parameter"
    if not domain.holds(lang, arguments):
        return "", "the call is outside of the domain"
    return arguments.text, ""


def _cut_call(text: str, functions: Sequence[str]) -> str | None:
    """The call in a text, without what explains it; ``None`` if it is taken back, or if there are several calls.

    A text without a call comes back as it is: it may be the arguments alone.
    """
    text = text.strip("*` \t\n")
    names = "|".join(map(re.escape, functions))
    calls = dict[str, str]()
    around, at = "", 0
    for opening in re.finditer(rf"(?<![\w$.])(?:{names})\s*\(", text):
        end = find_closing_bracket(text, opening.end()) if opening.start() >= at else None
        if end is not None:
            calls.setdefault(text[opening.end() : end], text[opening.start() : end + 1])
            around, at = around + text[at : opening.start()], end + 1
    if not calls:
        return text
    return None if len(calls) > 1 or _HEDGE.search(around + text[at:]) else next(iter(calls.values()))
