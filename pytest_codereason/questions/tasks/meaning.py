"""Meaning: given rules by which symbols mean something else, which value does a call return?

Whoever follows habit gives the value that the program has as its language is. ``docs/meaning.md`` has the rules.
"""

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
    Metric,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.questions.meanings.finding import NONE, VALUES, Meaning, find_meaning
from pytest_codereason.questions.replies.final_answers import write_answer
from pytest_codereason.questions.replies.values import count_values
from pytest_codereason.questions.tasks.output_prediction import judge_reply
from pytest_codereason.questions.tasks.shared.alone import require_alone
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis
from pytest_codereason.questions.tasks.shared.verdicts import RESOLVED_METRICS
from pytest_codereason.registry import language

_KEPT = ("exact", "partial", "exact_answered", *(metric.name for metric in RESOLVED_METRICS))


class MeaningTask(Task):
    """One question, one answer: the value of a call under the rules."""

    name = "meaning"
    version = 4
    needs = frozenset({"output"})
    capabilities = frozenset({"syntax", "values", "dialect", "runner"})
    asks = "output"
    needs_call = True
    metrics = (
        Metric(name="exact", title="Exact match", right=True),
        Metric(name="partial", title="Partial match", binary=False, proportion=True),
        Metric(name="exact_answered", title="Exact match, answered only", of=ANSWERED, right=True),
        *RESOLVED_METRICS,
        Metric(name="habit", title="Usual value given", higher_is_better=False, only=("meaning", None)),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "meaning": Axis.of_words("meaning", VALUES),
        "prompting": make_prompting_axis("direct", "cot"),
    }
    executes = True

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about a small program as usual, and with its symbols exchanged."""
        source = "def f(n):\n    t = 10\n    for i in range(n):\n        t = t + i * 2\n    return t\n"
        program = Program.from_source(language="python", source=source, call="f(4)", facts=Facts(output=22))
        usual = partial(TaskExample, program=program)
        changed = partial(TaskExample, program=program, axes={"meaning": "swapped(rules=1)"})
        return (
            usual(reply="[ANSWER]22[/ANSWER]", outcome="correct", metrics={"exact": 1}),
            usual(reply="[ANSWER]-2[/ANSWER]", outcome="wrong", metrics={"exact": 0}),
            changed(reply="[ANSWER]22[/ANSWER]", outcome="wrong", metrics={"exact": 0, "habit": 1}),
            changed(reply="[ANSWER]f(4)[/ANSWER]", outcome="invalid", metrics={"exact": 0, "habit": 0}),
            changed(reply="I cannot say.", outcome="invalid", metrics={"exact": 0, "habit": 0}),
        )

    def steps(self, instance: Instance) -> Steps:
        """Draws rules, runs what they make of the program, and asks for the value.

        Raises:
            Skip: no rules change what the program gives.
        """
        require_alone(instance, "rules are said of one program")
        lang = language(instance.language)
        meaning = yield from find_meaning(instance, lang, str(instance.axes.get("meaning", NONE)))
        completion = yield from ask_model(_ask_about(instance, lang, meaning))
        program = instance.program
        grounds = {"call": program.call, "shown": meaning.shown, "usual": lang.values.write(meaning.usual)}
        return _judge(lang, completion, grounds, meaning.value)

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different values the reply states."""
        program = instance.program
        return count_values(reply, language=language(instance.language), call=program.call, program=program.source)

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the right value and the usual one."""
        return _judge(lang, recorded.replies[-1], recorded.grounds, lang.values.read(recorded.expected).value)


def _judge(lang: Language, completion: Completion, grounds: Mapping[str, Any], expected: Any) -> Verdict:
    """The verdict on a reply, and whether it gives the usual value where another is right."""
    program = Program.from_source(language=lang.name, source=grounds["shown"], call=grounds["call"])
    verdict = judge_reply(completion, program=program, prefill="", expected=expected)
    metrics = {name: verdict.metrics[name] for name in _KEPT}
    usual = lang.values.read(grounds["usual"]).value
    if not lang.values.equal(usual, expected):
        habitual = judge_reply(completion, program=program, prefill="", expected=usual)
        metrics["habit"] = habitual.metrics["exact"]
    return replace(verdict, metrics=metrics, grounds=dict(grounds))


def _ask_about(instance: Instance, lang: Language, meaning: Meaning) -> Ask:
    messages, prefill = instance.template.render(
        [],
        {
            "language": lang.title,
            "code": meaning.shown.rstrip("\n"),
            "call": instance.program.call,
            "rules": list(meaning.words),
        },
    )

    def reply(value: Any) -> str:
        return write_answer(lang.values.write(value))

    return Ask(
        messages=messages,
        prefill=prefill,
        truth=reply(meaning.value),
        guess=lambda random: reply(guess_value(meaning.value, random)),
        naive=reply(meaning.usual)
        if meaning.shown == instance.program.source
        else "",  # no habit speaks of new symbols
        notes=(f"as usual it returns {lang.values.write(meaning.usual)}",),
    )
