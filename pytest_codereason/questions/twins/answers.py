"""Reads an answer that is a value or an exception: ``[1, 2]``, ``raises KeyError``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_codereason.core import Completion, Language, Outcome, Verdict
from pytest_codereason.core.programs import Program
from pytest_codereason.errors import TakesTooLong
from pytest_codereason.questions.replies.final_answers import MESSAGE, find_answer
from pytest_codereason.questions.tasks.output_prediction import judge_reply
from pytest_codereason.questions.tasks.shared.verdicts import make_verdict

_NAME = r"[A-Za-z_][\w.\\]*"
#: Behind a type: its message, and nothing that takes it back.
_MESSAGE = rf"(?:\s+(?:exception|error))?[^\w?(:]*{MESSAGE}"
_RAISES = re.compile(
    rf"(?:(?:it|the\s+call)\s+)?(?:raises?|throws?)\W+(?:an?\W+)?({_NAME})\b{_MESSAGE}", re.IGNORECASE | re.DOTALL
)
#: A type alone, or with its message: one that no value of a language looks like.
_TYPE = re.compile(r"([A-Z][\w.\\]*(?:Error|Exception|Interrupt|Iteration|Warning))\b" + MESSAGE, re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinRule:
    """The right answer, and the program as it was shown."""

    call: str
    program: str
    returned: bool
    expected: str  #: a literal, or the type of the exception

    @property
    def written(self) -> str:
        """The right answer as a reply writes it."""
        return self.expected if self.returned else f"raises {self.expected}"

    def judge(self, completion: Completion, lang: Language) -> Verdict:
        """The verdict on a reply."""
        if completion.finish in ("refused", "too-long"):
            return self._make_verdict(completion.finish)
        named = read_exception(completion, self.call)
        if named is not None:
            right = not self.returned and named == self.expected
            return self._make_verdict("correct" if right else "wrong", f"raises {named}")
        program = Program.from_source(language=lang.name, source=self.program, call=self.call)
        value = lang.values.read(self.expected).value if self.returned else None
        verdict = judge_reply(completion, program=program, prefill="", expected=value)
        outcome: Outcome = verdict.outcome
        if not self.returned and outcome == "correct":  # ``None`` stands for no value here
            outcome = "wrong"
        return self._make_verdict(outcome, verdict.answer, verdict.reason, unresolved=verdict.metrics["unresolved"])

    def _make_verdict(
        self, outcome: Outcome, text: str | None = None, reason: str = "", *, unresolved: float = 0.0
    ) -> Verdict:
        exact = float(outcome == "correct")
        return make_verdict(
            outcome,
            expected=self.written,
            answer=text,
            reason=reason,
            metrics={
                "exact": exact,
                "exact_answered": exact,
                "unresolved": unresolved,
                "exact_resolved": exact * (1 - unresolved),
                ("value_found" if self.returned else "raise_found"): exact,
            },
        )


def read_exception(completion: Completion, call: str = "") -> str | None:
    """The name of the exception that a reply gives as its answer, without its module; ``None`` if it gives none.

    A sentence may name the ``call``, or none: ``f(3) raises KeyError``.
    """
    try:
        text = find_answer(completion.text, cut=completion.finish == "length")
    except TakesTooLong:
        return None
    if text and call and call in text:
        text = re.sub(rf"\A\W*(?:(?:[Tt]he\s+)?call\W+)?{re.escape(call)}[`*]*(?=\s)", "it", text)
    found = text and (_RAISES.fullmatch(text) or _TYPE.fullmatch(text))
    return re.split(r"[.\\]", found[1].rstrip("."))[-1] if found else None
