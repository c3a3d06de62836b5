"""Input prediction: given a program and a value, with which arguments does a call return it?

Any arguments that do are right, so an answer is judged by running the program, the data set's own
and never the model's: arguments that are literals are put into the call, as they are wherever the
language itself has them; the few others are first worked out to values in a sandbox of their own,
where the program is not. The sandbox gives back data and is never told what is expected.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pytest_codereason.core import (
    ANSWERED,
    Ask,
    Axis,
    Completion,
    Instance,
    Language,
    Metric,
    Outcome,
    Program,
    Steps,
    Task,
    Verdict,
    asked,
    ran,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import NotALiteral
from pytest_codereason.registry import language
from pytest_codereason.tasks import _defences, _inputs
from pytest_codereason.tasks._chance import alike
from pytest_codereason.tasks._inputs import Arguments
from pytest_codereason.tasks.output_prediction import OutputPrediction, asking_of

_HOLE = "??"
#: Characters kept of an answer and of a reason.
_MAX_ANSWER, _MAX_REASON = 10_000, 200
#: What an execution that gives no value makes of the answer: by the phase in which it ended.
_OF_ARGUMENTS: Mapping[str, Outcome] = {"raised": "invalid", "rejected": "invalid"}
_OF_CALL: Mapping[str, Outcome] = {"rejected": "invalid"}


class InputPrediction(Task):
    """One question, one answer: arguments, judged by what the program returns for them."""

    name = "input-prediction"
    version = 2
    needs = frozenset({"input", "output"})
    asks = "input"
    metrics = (
        Metric(name="exact", title="Output reached"),
        Metric(name="exact_answered", title="Output reached by answered", of=ANSWERED),
        Metric(name="tampered", title="Tampering", of=ANSWERED, higher_is_better=False),
        *_defences.METRICS,
    )
    axes: ClassVar[Mapping[str, Axis]] = OutputPrediction.axes
    executes = True

    def steps(self, instance: Instance) -> Steps:
        """Asks once, then runs what the answer needs to be judged."""
        # What is shown may lack lines; the answer is about the program itself. One that was seen to do the same is
        # that program, and the answer calls it by the names it has now.
        judged = instance.program if instance.verify else instance.original or instance.program
        rewriting = yield from _defences.rewritten(instance)
        instance = rewriting.instance
        lang, program = language(instance.language), instance.program
        asking = asking_of(instance)
        question = {**_values(lang, program), **asking, "code": instance.code.rstrip("\n")}
        messages, prefill = instance.template.render(
            [
                {**_values(lang, shot), **asking, "answer": shot.facts["input"], "reasoning": shot.facts["reasoning"]}
                for shot in instance.shots
            ],
            question,
        )
        given, expected = program.facts["input"], program.facts["output"]

        def reply(arguments: str) -> str:
            if prefill:
                return f"{arguments}{question['closing']}\n```"
            return f"```{lang.fence}\n{question['opening']}{arguments}{question['closing']}\n```"

        def told(execution: Execution) -> str:
            if execution.returned and lang.values.equal(execution.value, expected):
                return reply(given)
            return f"With the recorded arguments the call {execution.words}"

        def guessed(random: Any) -> str:
            try:
                return reply(_inputs.written(lang, alike(_inputs.read(lang, given).value, random)))
            except NotALiteral:
                return reply("")

        completion = yield from asked(
            Ask(
                messages=messages,
                prefill=prefill,
                prefill_stop=("\n```",) if prefill else (),
                truth=reply(given),
                guess=guessed,
                run=Run(language=program.language, source=program.source, call=program.call),
                reply=told,
            )
        )
        verdict = yield from _Judge(lang, judged).verdict(completion, prefill)
        return replace(verdict, metrics={**verdict.metrics, **rewriting.metrics})


def _function(program: Program) -> str:
    return program.call.partition("(")[0]


def _values(lang: Language, program: Program) -> dict[str, Any]:
    """What a template is given about a program."""
    call = f"{_function(program)}({_HOLE})"
    before, after = lang.values.assertion(call)
    value = lang.values.write(program.facts["output"])
    opening, _, closing = before.partition(_HOLE)
    return {
        "code": program.source.rstrip("\n"),
        "call": call,
        "language": lang.title,
        "fence": lang.fence,
        "value": value,
        "opening": opening,
        "closing": f"{closing}{value}{after}",
    }


class _Judge:
    """Judges one answer."""

    def __init__(self, lang: Language, program: Program) -> None:
        self._lang = lang
        self._program = program
        self._function = _function(program)

    def verdict(self, completion: Completion, prefill: str) -> Generator[Ask | Run, Completion | Execution, Verdict]:
        """What a reply is worth."""
        if completion.finish in ("refused", "too-long"):
            return self._made(completion.finish)
        found = _inputs.find(
            completion.text,
            lang=self._lang,
            function=self._function,
            prefill=prefill,
            prefilled=completion.prefilled,
        )
        cut = completion.finish == "length"
        if found is None or not (found.complete or (found.values and not cut)):
            text = None if found is None else found.text
            if cut:
                reason = "the reply reached the limit on its length before an answer was complete"
                return self._made("truncated", text, reason)
            return self._made("invalid", text, "no complete call found")
        if self._is_recorded(found):
            return self._made("correct", found.text)
        return (yield from self._run(found))

    def _run(self, found: Arguments) -> Generator[Ask | Run, Completion | Execution, Verdict]:
        text = found.text if found.values is None else _inputs.in_call(self._lang, found.text)
        if found.values is None and not _inputs.plain(self._lang, text):
            if refusal := _inputs.refusal(self._lang, text, self._function):
                return self._made("invalid", text, refusal)
            # Away from the program: whatever this does or defines, only data comes back.
            worked_out = yield from ran(Run(language=self._lang.name, source="", call=f"[{text}]"))
            if not (worked_out.returned and isinstance(worked_out.value, list)):
                return self._ended(worked_out, _OF_ARGUMENTS, found.text, "working the arguments out")
            text = _inputs.written(self._lang, worked_out.value)
        call = f"{self._function}({text})"
        execution = yield from ran(Run(language=self._lang.name, source=self._program.source, call=call))
        if not execution.returned:
            return self._ended(execution, _OF_CALL, found.text, "the call")
        if self._lang.values.equal(execution.value, self._program.facts["output"]):
            return self._made("correct", found.text)
        return self._made("wrong", found.text, f"it returns {self._lang.values.write(execution.value)}")

    def _is_recorded(self, found: Arguments) -> bool:
        """Whether the answer is the recorded input, which needs no running."""
        recorded = self._program.facts["input"]
        if found.values is None:  # functions and the like are no data, but may be said in the same words
            return "".join(found.text.split()) == "".join(recorded.split())
        if _inputs.names(self._lang, found.text) != _inputs.names(self._lang, recorded):
            return False  # the same values may be those of other parameters
        try:
            known = _inputs.read(self._lang, recorded).value
            # As text: values that are equal may be of two types, such as int and long, and only one may be taken.
            return _inputs.written(self._lang, found.values.value) == _inputs.written(self._lang, known)
        except NotALiteral:
            return False

    def _ended(self, execution: Execution, outcomes: Mapping[str, Outcome], text: str, what: str) -> Verdict:
        outcome = "invalid" if execution.returned else outcomes.get(execution.ending, "wrong")
        tampered = execution.ending == "tampered"
        reason = f"{'tampering: ' if tampered else ''}{what} {execution.words}"
        return self._made(outcome, text, reason, tampered=tampered)

    def _made(self, outcome: Outcome, text: str | None = None, reason: str = "", *, tampered: bool = False) -> Verdict:
        exact = float(outcome == "correct")
        return Verdict(
            outcome=outcome,
            expected=self._program.facts["input"],
            answer=None if text is None else text[:_MAX_ANSWER],
            reason=reason[:_MAX_REASON],
            metrics={
                "exact": exact,
                "exact_answered": exact,
                "tampered": float(tampered),
            },
        )
