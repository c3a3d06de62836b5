"""Input prediction: given a program and a value, for which arguments does a call return that value?

Any such arguments are right, so an answer is judged by running the program. The program is the one of the data set,
never the model's. The text of an answer is never run: its arguments are read as data, and the call is written anew from
them. The sandbox gives back data and never learns the expected value.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from pytest_codereason.core import (
    ANSWERED,
    Ask,
    Axis,
    Completion,
    Facts,
    Instance,
    Language,
    Message,
    Metric,
    Outcome,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
    run_program,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import NotALiteral, TakesTooLong
from pytest_codereason.questions.replies.arguments import ArgumentsCandidate, read_call_arguments
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.tasks.shared import defences
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import (
    describe_query,
    make_prompting_axis,
    make_query_axis,
    make_shots_axis,
)
from pytest_codereason.questions.tasks.shared.verdicts import CUT_OFF, make_verdict
from pytest_codereason.registry import language

_HOLE = "??"


class InputPrediction(Task):
    """One question, one answer: arguments, judged by what the program returns for them."""

    name = "input-prediction"
    version = 7
    needs = frozenset({"input", "output"})
    capabilities = frozenset({"values", "runner"})
    asks = "input"
    needs_call = True
    metrics = (
        Metric(name="exact", title="Output reached", right=True),
        Metric(name="exact_answered", title="Output reached, answered only", of=ANSWERED, right=True),
        Metric(name="tampered", title="Tampering", of=ANSWERED, higher_is_better=False),
        *defences.METRICS,
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "prompting": make_prompting_axis("direct", "cot"),
        "shots": make_shots_axis(2),
        "query": make_query_axis("the question"),
        "defence": defences.AXIS,
    }
    executes = True

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """The recorded arguments, others that do as well, and answers that do not."""
        source = "def f(a, b=1):\n    return a + b\n"
        program = Program.from_source(
            language="python", source=source, call="f(1, 2)", facts=Facts(input="1, 2", output=3)
        )
        direct = partial(TaskExample, program=program, prefilled=True)
        free = partial(TaskExample, program=program, axes={"prompting": "cot"})
        return (
            direct(reply="1, 2) == 3\n```", outcome="correct", metrics={"exact": 1, "tampered": 0}),
            direct(reply="b=0, a=3) == 3\n```", outcome="correct"),
            direct(reply="2, 2) == 3\n```", outcome="wrong", metrics={"exact": 0}),
            direct(reply="0) or True or f(0) == 3\n```", outcome="invalid"),
            free(reply="```python\nassert f(2) == 3\n```", outcome="correct"),
            free(reply="[ANSWER]f(2, 2)[/ANSWER] no: [ANSWER]f(2, 1)[/ANSWER]", outcome="correct"),
            free(reply="I do not know.", outcome="invalid"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once, then runs what the judgement of the answer needs.

        A stage may have removed lines, so the program from before the stages judges. Where execution showed that the
        stages kept what the program does, the program that was shown judges: answers use its names.
        """
        judging = instance.program if instance.verify else instance.reference or instance.program
        rewriting = yield from defences.rewrite_program(instance)
        ask = _ask_about(rewriting.instance)
        completion = yield from ask_model(ask)
        verdict = yield from _ReplyJudge(judging).judge_reply(completion, ask.prefill)
        output = language(judging.language).values.write(judging.facts["output"])
        grounds = {"function": judging.function, "output": output, "prefill": ask.prefill, **verdict.grounds}
        return replace(verdict, metrics={**verdict.metrics, **rewriting.metrics}, grounds=grounds)

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by how the call with the answer ended. Nothing is run."""
        grounds = recorded.grounds
        facts = Facts(input=recorded.expected, output=lang.values.read(grounds["output"]).value)
        program = Program.from_source(language=lang.name, source="", call=f"{grounds['function']}()", facts=facts)
        judging = _ReplyJudge(program).judge_reply(recorded.replies[-1], grounds["prefill"])
        try:
            run = next(judging)
            assert isinstance(run, Run)
            judging.send(_read_ending(lang, grounds, run.call))
        except StopIteration as done:
            verdict: Verdict = done.value
            return verdict
        return None


def _ask_about(instance: Instance) -> Ask:
    """The question, with the replies that baselines give."""
    lang, program = language(instance.language), instance.program
    opening, closing = _assert_around(lang, program)
    messages, prefill = _render_prompt(instance)
    recorded_input, expected = program.facts["input"], program.facts["output"]

    def write_reply(arguments: str) -> str:
        if prefill:
            return f"{arguments}{closing}\n```"
        return f"```{lang.fence}\n{opening}{arguments}{closing}\n```"

    def reply_from_execution(execution: Execution) -> str:
        if execution.returned and lang.values.equal(execution.value, expected):
            return write_reply(recorded_input)
        return f"With the recorded arguments the call {execution.words}"

    def guess_reply(random: Callable[[], float]) -> str:
        try:
            recorded = lang.values.read_arguments(recorded_input)
        except NotALiteral:
            return write_reply("")
        values = guess_value(recorded.values, random) if recorded.literal else ()
        return write_reply(lang.values.write_arguments(values, recorded_input))

    return Ask(
        messages=messages,
        prefill=prefill,
        prefill_stop=("\n```",) if prefill else (),
        truth=write_reply(recorded_input),
        guess=guess_reply,
        run=Run.from_program(program),
        reply=reply_from_execution,
    )


def _render_prompt(instance: Instance) -> tuple[tuple[Message, ...], str]:
    """The messages and the prefill."""
    lang = language(instance.language)
    manner = {**describe_query(instance), **defences.describe_defence(instance)}

    def describe(program: Program) -> dict[str, object]:
        opening, closing = _assert_around(lang, program)
        return {
            **manner,
            "code": program.source.rstrip("\n"),
            "call": f"{program.function}({_HOLE})",
            "language": lang.title,
            "fence": lang.fence,
            "value": lang.values.write(program.facts["output"]),
            "opening": opening,
            "closing": closing,
        }

    def solve(shot: Program) -> dict[str, object]:
        return {"answer": shot.facts["input"], "reasoning": shot.facts.get("reasoning", "")}

    return instance.template.render(
        [{**describe(shot), **solve(shot)} for shot in instance.shots],
        {**describe(instance.program), "code": instance.code.rstrip("\n")},
    )


def _assert_around(lang: Language, program: Program) -> tuple[str, str]:
    """The assertion that gives the call its output, up to the arguments and after them."""
    before, after = lang.values.assertion(f"{program.function}({_HOLE})")
    opening, _, closing = before.partition(_HOLE)
    return opening, f"{closing}{lang.values.write(program.facts['output'])}{after}"


def _equal_arguments(lang: Language, text: str, recorded: str) -> bool:
    try:
        return _compare_arguments(lang, text, recorded)
    except TakesTooLong:
        return False


@bounded("text")
def _compare_arguments(lang: Language, text: str, recorded: str) -> bool:
    return lang.values.equal_arguments(text, recorded)


def _write_ending(lang: Language, call: str, execution: Execution) -> dict[str, str]:
    """How a call ended, for :func:`_read_ending`."""
    value = {"returned": lang.values.write(execution.value)} if execution.returned else {}
    return {"ran": call, "ending": execution.ending, **value}


def _read_ending(lang: Language, grounds: Mapping[str, Any], call: str) -> Execution:
    """How the call ended; one that was not run counts as ended without a result."""
    if grounds.get("ran") != call:
        return Execution(ending="tampered", message="it was never run")
    if grounds["ending"] != "returned":
        return Execution(ending=grounds["ending"])
    return Execution(ending="returned", value=lang.values.read(grounds["returned"]).value)


class _ReplyJudge:
    """Judges answers by one program."""

    def __init__(self, program: Program) -> None:
        self._lang = language(program.language)
        self._program = program
        self._function = program.function

    def judge_reply(
        self, completion: Completion, prefill: str
    ) -> Generator[Ask | Run, Completion | Execution, Verdict]:
        """The verdict on a reply."""
        if completion.finish in ("refused", "too-long"):
            return self._make_verdict(completion.finish)
        answer = read_call_arguments(
            completion.text,
            language=self._lang,
            function=self._function,
            prefill=prefill,
            prefilled=completion.prefilled,
        )
        cut = completion.finish == "length"
        spoken = read_spoken(completion.text).strip()
        if not cut and (answer is None or not answer.complete) and self._is_recorded(spoken):
            return self._make_verdict("correct", spoken)
        if answer is None or not (answer.complete or (answer.arguments and not cut)):
            text = None if answer is None else answer.text
            if cut:
                return self._make_verdict("truncated", text, CUT_OFF)
            return self._make_verdict("invalid", text, "no complete call found")
        if self._has_recorded(answer):
            return self._make_verdict("correct", answer.text)
        return (yield from self._run_answer(answer))

    def _is_recorded(self, text: str) -> bool:
        """Whether a text is the recorded input, which needs no running."""
        return _equal_arguments(self._lang, text, self._program.facts["input"])

    def _has_recorded(self, answer: ArgumentsCandidate) -> bool:
        """Whether an answer is the recorded input. Arguments that were read are not read again."""
        values, recorded = self._lang.values, self._program.facts["input"]
        if answer.text == recorded:
            return True
        if answer.arguments is None:
            return self._is_recorded(answer.text)
        try:
            return values.equal_values(answer.arguments, values.read_arguments(recorded))
        except NotALiteral:
            return False

    def _run_answer(self, answer: ArgumentsCandidate) -> Generator[Ask | Run, Completion | Execution, Verdict]:
        """The verdict on an answer that is not the recorded input."""
        if answer.arguments is None:
            return self._make_verdict("invalid", answer.text, answer.reason)
        call = f"{self._function}({answer.arguments.text})"
        execution = yield from run_program(Run.from_program(self._program, call=call))
        verdict = self._judge_execution(execution, answer.text)
        return replace(verdict, grounds=_write_ending(self._lang, call, execution))

    def _judge_execution(self, execution: Execution, text: str) -> Verdict:
        """The verdict on an answer by how the call with it ended."""
        if not execution.returned:
            return self._judge_ending(execution, text)
        if self._lang.values.equal(execution.value, self._program.facts["output"]):
            return self._make_verdict("correct", text)
        return self._make_verdict("wrong", text, f"it returns {self._lang.values.write(execution.value)}")

    def _judge_ending(self, execution: Execution, text: str) -> Verdict:
        """The verdict on an answer with which the call gave no value."""
        tampered = execution.ending == "tampered"
        reason = f"{'tampering: ' if tampered else ''}the call {execution.words}"
        # A call that does not compile is no call of this program.
        outcome: Outcome = "invalid" if execution.ending == "rejected" else "wrong"
        return self._make_verdict(outcome, text, reason, tampered=tampered)

    def _make_verdict(
        self, outcome: Outcome, text: str | None = None, reason: str = "", *, tampered: bool = False
    ) -> Verdict:
        exact = float(outcome == "correct")
        return make_verdict(
            outcome,
            expected=self._program.facts["input"],
            answer=text,
            reason=reason,
            metrics={"exact": exact, "exact_answered": exact, "tampered": float(tampered)},
        )
