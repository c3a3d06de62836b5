"""Output prediction: given a program and a call, which value does the call return?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Value,
    Verdict,
    ask_model,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import NotALiteral, Skip
from pytest_codereason.questions.replies.values import count_values, read_value
from pytest_codereason.questions.tasks.shared import defences
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import (
    describe_query,
    make_prompting_axis,
    make_query_axis,
    make_shots_axis,
)
from pytest_codereason.questions.tasks.shared.verdicts import CUT_OFF, RESOLVED_METRICS, make_verdict, measure_resolved
from pytest_codereason.registry import language

#: Shorter literals, in characters, are read in every language.
_LONG = 10_000
#: Tokens that a chain of thought may take at least about a program whose executed steps are known, and more for each.
_ROOM, _ROOM_A_STEP = 300, 40


class OutputPrediction(Task):
    """One question, one answer, compared as data with the recorded output of the program."""

    name = "output-prediction"
    version = 7
    needs = frozenset({"output"})
    capabilities = frozenset({"values"})
    asks = "output"
    needs_call = True
    metrics = (
        Metric(name="exact", title="Exact match", right=True),
        Metric(name="partial", title="Partial match", binary=False, proportion=True),
        Metric(name="exact_answered", title="Exact match, answered only", of=ANSWERED, right=True),
        *RESOLVED_METRICS,
        *defences.METRICS,
        Metric(name="stopped_at", title="Stopped at step", of=ANSWERED, binary=False, only=("steps", None)),
        Metric(name="exact_own", title="Right about its own rewriting", only=("defence", defences.REFACTOR)),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "prompting": make_prompting_axis("direct", "cot"),
        "shots": make_shots_axis(2),
        "query": make_query_axis("the question"),
        "defence": defences.AXIS,
    }

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Right and wrong values, in direct prompting and in chain of thought."""
        source = "def f(a):\n    return [a, a + 1]\n"
        program = Program.from_source(language="python", source=source, call="f(1)", facts=Facts(output=[1, 2]))
        direct = partial(TaskExample, program=program, prefilled=True)
        free = partial(TaskExample, program=program, axes={"prompting": "cot"})
        return (
            direct(reply=" [1, 2]\n```", outcome="correct", metrics={"exact": 1, "partial": 1, "unresolved": 0}),
            direct(reply=" [1, 1 + 1]\n```", outcome="correct", metrics={"unresolved": 1, "exact_resolved": 0}),
            direct(reply=" [1, 3]\n```", outcome="wrong", metrics={"exact": 0, "partial": 0.5}),
            direct(reply=" f(1)\n```", outcome="invalid", metrics={"exact": 0, "partial": 0}),
            free(reply="1 + 1 is 2.\n\n[ANSWER][1, 2][/ANSWER]", outcome="correct"),
            free(reply="```python\nassert f(1) == [1, 2]\n```", outcome="correct"),
            free(reply="<think>[1, 2]</think>\nI do not know.", outcome="invalid"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once. Direct prompting begins the reply, chain of thought leaves the whole reply to the model.

        The recorded output is right, even if the model's rewriting is another program.

        Raises:
            Skip: the output is so long that no answer with it would be read.
        """
        _check_readable(instance)
        rewriting = yield from defences.rewrite_program(instance)
        instance = rewriting.instance
        ask = _ask_about(instance)
        completion = yield from ask_model(ask)
        judge = partial(judge_reply, completion, program=instance.program, prefill=ask.prefill)
        facts = instance.program.facts
        verdict = judge(expected=facts["output"], states=facts.get("states", ()))
        own_metrics = dict(rewriting.metrics)
        grounds = {"call": instance.program.call, "program": instance.program.source, "prefill": ask.prefill}
        if rewriting.execution and rewriting.execution.returned:
            own = rewriting.execution.read_output(instance.program)
            own_metrics["exact_own"] = judge(expected=own).metrics["exact"]
        return replace(verdict, metrics={**verdict.metrics, **own_metrics}, grounds=grounds)

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different values the reply states."""
        lang, program = language(instance.language), instance.program
        return count_values(reply, language=lang, call=program.call, program=program.source)

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the right value. What became of a rewriting is not looked at."""
        grounds, value = recorded.grounds, lang.values.read(recorded.expected).value
        program = Program.from_source(language=lang.name, source=grounds["program"], call=grounds["call"])
        return judge_reply(recorded.replies[-1], program=program, prefill=grounds["prefill"], expected=value)


def _check_readable(instance: Instance) -> None:
    """Skips a question whose right answer would not be read."""
    values = language(instance.language).values
    literal = values.write(instance.program.facts["output"])
    if len(literal) < _LONG:
        return
    try:
        values.read(literal)
    except NotALiteral as error:
        raise Skip(f"no answer with the output would be read: {error}") from error


def _ask_about(instance: Instance) -> Ask:
    """The question, with the replies that baselines give."""
    lang, program = language(instance.language), instance.program
    before, after = lang.values.assertion(program.call)
    messages, prefill = _render_prompt(instance)

    def write_reply(value: Any) -> str:
        literal = lang.values.write(value)
        if prefill:
            return f" {literal}{after}\n```"
        steps = program.facts.get("reasoning", "")
        return f"{steps}\n\n```{lang.fence}\n{before}{literal}{after}\n```".lstrip()

    def reply_from_execution(execution: Execution) -> str:
        return write_reply(execution.read_output(program)) if execution.returned else f"The call {execution.words}"

    expected = program.facts["output"]
    return Ask(
        messages=messages,
        prefill=prefill,
        prefill_stop=("\n```",) if prefill else (),
        room=_ROOM + _ROOM_A_STEP * program.facts.get("executed", 0) if _grows(instance) else 0,
        truth=write_reply(expected),
        guess=lambda random: write_reply(guess_value(expected, random)),
        run=Run.from_program(program),
        reply=reply_from_execution,
    )


def _grows(instance: Instance) -> bool:
    """Whether a reply needs more room for each step of the program."""
    return instance.way == "cot" and "executed" in instance.program.facts


def _render_prompt(instance: Instance) -> tuple[tuple[Message, ...], str]:
    """The messages and the prefill."""
    lang = language(instance.language)
    manner = {**describe_query(instance), **defences.describe_defence(instance)}

    def describe(program: Program) -> dict[str, object]:
        before, after = lang.values.assertion(program.call)
        code, call = program.source.rstrip("\n"), program.call
        return {
            **manner,
            "code": code,
            "call": call,
            "language": lang.title,
            "fence": lang.fence,
            "before": before,
            "after": after,
        }

    def solve(shot: Program) -> dict[str, object]:
        return {"answer": lang.values.write(shot.facts["output"]), "reasoning": shot.facts.get("reasoning", "")}

    return instance.template.render(
        [{**describe(shot), **solve(shot)} for shot in instance.shots],
        {**describe(instance.program), "code": instance.code.rstrip("\n")},
    )


def judge_reply(
    completion: Completion, *, program: Program, prefill: str, expected: Any, states: Sequence[Any] = ()
) -> Verdict:
    """The verdict on a reply. Every metric is 0 for a reply without a value.

    A reply that was cut off counts if its answer was complete before.

    Args:
        states: what the program would return after each of its steps, and before the first one. The verdict then says
            after how many of them the reply stopped.
    """
    lang = language(program.language)
    if completion.finish in ("refused", "too-long"):
        return _make_verdict(completion.finish, lang, expected)
    cut = completion.finish == "length"
    answer = read_value(
        completion.text,
        language=lang,
        call=program.call,
        program=program.source,
        prefill=prefill,
        prefilled=completion.prefilled,
        cut=cut,
    )
    text = answer.text if answer else None
    if cut and (answer is None or not answer.complete):
        return _make_verdict("truncated", lang, expected, text, reason=CUT_OFF)
    if answer is None:
        return _make_verdict("invalid", lang, expected, reason="no answer found")
    if answer.value is None:
        return _make_verdict("invalid", lang, expected, text, reason=f"no {lang.title} literal: {answer.reason}")
    value = answer.value.value
    outcome: Outcome = "correct" if lang.values.equal(value, expected) else "wrong"
    verdict = _make_verdict(outcome, lang, expected, text, value=answer.value)
    stopped = next((j for j in reversed(range(len(states))) if lang.values.equal(value, states[j])), None)
    return verdict if stopped is None else replace(verdict, metrics={**verdict.metrics, "stopped_at": float(stopped)})


def _make_verdict(
    outcome: Outcome,
    lang: Language,
    expected: Any,
    text: str | None = None,
    *,
    reason: str = "",
    value: Value | None = None,
) -> Verdict:
    exact = float(outcome == "correct")
    return make_verdict(
        outcome,
        expected=lang.values.write(expected),
        answer=text,
        reason=reason,
        metrics={
            "exact": exact,
            "partial": measure_partial_match(lang, value.value, expected) if value else 0.0,
            "exact_answered": exact,
            **measure_resolved(exact, value),
        },
    )


def measure_partial_match(lang: Language, answer: Any, expected: Any) -> float:
    """The share of the positions of ``expected`` at which ``answer`` is right, 0 to 1.

    Only lists and tuples have positions (Sense and Sensitivity, appendix C). Any other value is right (1) or wrong (0).
    """
    if not (isinstance(expected, (list, tuple)) and isinstance(answer, (list, tuple)) and expected):
        return float(lang.values.equal(answer, expected))
    # The answer may be shorter or longer: positions past the end of either do not count.
    return sum(map(lang.values.equal, answer, expected)) / len(expected)
