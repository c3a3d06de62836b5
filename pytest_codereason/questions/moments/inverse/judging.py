"""Judges an answer that is a call, by what was witnessed of it.

The text of an answer is never run. Its arguments are read as data, and the call is written anew from them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pytest_codereason.core import Ask, Completion, Language, Outcome, Verdict, run_program
from pytest_codereason.core.execution import Ending, Execution, Run
from pytest_codereason.questions.moments.inverse.aims import Aim, Want, WitnessedCall
from pytest_codereason.questions.moments.inverse.finding import see_call, trace_call
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.replies.arguments import ArgumentsCandidate, read_call_arguments
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.questions.tasks.shared.verdicts import CUT_OFF, MAX_REASON, make_verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnd:
    """How the call of an answer ended, as far as a verdict rests on it."""

    arguments: str
    ending: Ending
    words: str
    counts: Sequence[int] | None  #: how often each wanted line ran; ``None`` if that was not seen

    @classmethod
    def from_execution(cls, aim: Aim, arguments: str, execution: Execution) -> CallEnd:
        """What the execution of a call under trace shows."""
        seen = see_call(arguments, execution)
        counts = None if seen is None else [seen.counts.get(want.place, 0) for want in aim.wants]
        return cls(arguments=arguments, ending=execution.ending, words=execution.words[:MAX_REASON], counts=counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRule:
    """All that decides whether a reply is right, but the runs of its call."""

    kind: str
    function: str  #: that is called
    expected: str  #: a known call
    aim: Aim
    labels: Sequence[str]  #: of the wanted lines
    prefill: str = ""

    def judge(
        self, completion: Completion, lang: Language, run: WitnessedRun
    ) -> Generator[Ask | Run, Completion | Execution, Verdict]:
        """The verdict on a reply, after its call has been run."""
        answer = self._read(completion, lang)
        if isinstance(answer, Verdict):
            return replace(answer, grounds=self._write_grounds())
        assert answer.arguments is not None
        arguments = answer.arguments.text
        execution = yield from run_program(trace_call(run, arguments))
        end = CallEnd.from_execution(self.aim, arguments, execution)
        return replace(self._judge_end(answer.text, end), grounds=self._write_grounds(end))

    def judge_again(self, completion: Completion, lang: Language, end: CallEnd | None) -> Verdict:
        """The verdict on a reply by how its call ended. Nothing is run."""
        answer = self._read(completion, lang)
        if isinstance(answer, Verdict):
            return answer
        if end is None or answer.arguments is None or end.arguments != answer.arguments.text:
            return self._make_verdict("wrong", answer.text, "its call was never run")
        return self._judge_end(answer.text, end)

    def _read(self, completion: Completion, lang: Language) -> ArgumentsCandidate | Verdict:
        """The answer with its arguments, or the verdict on a reply that has none."""
        if completion.finish in ("refused", "too-long"):
            return self._make_verdict(completion.finish)
        answer = read_call_arguments(
            completion.text,
            language=lang,
            function=self.function,
            prefill=self.prefill,
            prefilled=completion.prefilled,
        )
        cut = completion.finish == "length"
        text = None if answer is None else answer.text
        if cut and (answer is None or not answer.complete):
            return self._make_verdict("truncated", text, CUT_OFF)
        if answer is None or not (answer.complete or answer.arguments):
            return self._make_verdict("invalid", text, "no complete call found")
        return self._make_verdict("invalid", text, answer.reason) if answer.arguments is None else answer

    def _judge_end(self, text: str, end: CallEnd) -> Verdict:
        if end.ending == "rejected":  # a call that does not compile is no call of this program
            return self._make_verdict("invalid", text, f"the call {end.words}")
        if end.ending == "tampered":
            return self._make_verdict("wrong", text, f"tampering: the call {end.words}")
        if end.ending == "limit":
            return self._make_verdict("wrong", text, f"the call {end.words}")
        if end.counts is None:
            return self._make_verdict("wrong", text, "the call runs too many lines, or several threads")
        counts = {want.place: times for want, times in zip(self.aim.wants, end.counts, strict=True)}
        if self.aim.is_met(WitnessedCall(end.arguments, end.ending == "returned", counts)):
            return self._make_verdict("correct", text)
        ran = [f"line {label} runs {times} times" for label, times in zip(self.labels, end.counts, strict=True)]
        return self._make_verdict("wrong", text, f"{' and '.join(ran)}, and the call {end.words}")

    def _make_verdict(self, outcome: Outcome, text: str | None = None, reason: str = "") -> Verdict:
        exact = float(outcome == "correct")
        return make_verdict(
            outcome,
            expected=self.expected,
            answer=text,
            reason=reason,
            metrics={"exact": exact, "exact_answered": exact, "partial": exact},
        )

    def _write_grounds(self, end: CallEnd | None = None) -> Mapping[str, Any]:
        """The rule as JSON, and how the call ended; :func:`read_grounds` reads it."""
        return {**asdict(self), "end": None if end is None else asdict(end)}


def read_grounds(grounds: Mapping[str, Any]) -> tuple[CallRule, CallEnd | None]:
    """A rule, and how a call ended, from the grounds of a verdict."""
    aim, end = grounds["aim"], grounds["end"]
    wants = tuple(Want(ProgramLine(*place), least, most) for place, least, most in aim["wants"])
    rest = {name: value for name, value in grounds.items() if name not in ("aim", "end")}
    rule = CallRule(**rest, aim=Aim(wants, aim["returns"]))
    return rule, None if end is None else CallEnd(**end)
