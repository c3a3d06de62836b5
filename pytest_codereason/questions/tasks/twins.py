"""Twins: does a model work out a program, or does it recite what it has read about it?

The same program is asked about with its published call and with a fresh one, see ``docs/twins.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import ClassVar

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
from pytest_codereason.questions.replies.final_answers import count_answers, write_answer
from pytest_codereason.questions.replies.values import count_values
from pytest_codereason.questions.tasks.shared.alone import require_alone
from pytest_codereason.questions.tasks.shared.chance import guess_value
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis
from pytest_codereason.questions.tasks.shared.verdicts import RESOLVED_METRICS
from pytest_codereason.questions.twins.answers import TwinRule, read_exception
from pytest_codereason.questions.twins.finding import Twin, find_twin
from pytest_codereason.registry import language

TWINS = ("published", "fresh-input", "fresh-program", "fresh-raise")


class Twins(Task):
    """One question, one answer: the value of a call, or the type of the exception that it raises."""

    name = "twins"
    version = 4
    needs = frozenset({"output"})
    capabilities = frozenset({"values", "runner"})
    asks = "output"
    needs_call = True
    metrics = (
        Metric(name="exact", title="Right", right=True),
        Metric(name="exact_answered", title="Right, answered only", of=ANSWERED, right=True),
        *RESOLVED_METRICS,
        Metric(name="value_found", title="Value found", only=("twin", "fresh-raise")),
        Metric(name="raise_found", title="Exception found", only=("twin", "fresh-raise")),
    )
    axes: ClassVar[Mapping[str, Axis]] = {
        "twin": Axis.of_words("twin", TWINS),
        "prompting": make_prompting_axis("direct", "cot"),
    }
    executes = True

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about a small program with its published call."""
        source = "def f(xs):\n    return [x * 2 for x in xs][1:]\n"
        facts = Facts(output=[8, 46, 2])
        program = Program.from_source(language="python", source=source, call="f([7, 4, 23, 1])", facts=facts)
        published = partial(TaskExample, program=program)
        return (
            published(reply="[ANSWER][8, 46, 2][/ANSWER]", outcome="correct", metrics={"exact": 1}),
            published(reply="[ANSWER][8, 46][/ANSWER]", outcome="wrong", metrics={"exact": 0}),
            published(reply="[ANSWER]raises TypeError[/ANSWER]", outcome="wrong"),
            published(reply="[ANSWER]f([7])[/ANSWER]", outcome="invalid"),
            published(reply="I cannot say.", outcome="invalid"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Finds a fresh call by runs, and asks about it or about the published one.

        Raises:
            Skip: no fresh call will do.
        """
        require_alone(instance, "twins are shown as published")
        lang = language(instance.language)
        twin = yield from find_twin(instance, lang, str(instance.axes.get("twin", TWINS[0])))
        rule = TwinRule(
            call=twin.program.call,
            program=twin.program.source,
            returned=twin.returned,
            expected=lang.values.write(twin.value) if twin.returned else twin.value,
        )
        verdict = rule.judge((yield from ask_model(_ask_about(instance, lang, twin, rule))), lang)
        return replace(verdict, grounds=asdict(rule))

    def count_answers(self, instance: Instance, reply: str) -> int:
        """How many different answers the reply gives, values and exceptions alike."""
        tagged, program = count_answers(reply), instance.program
        if read_exception(Completion(text=reply)) is not None:
            return tagged
        lang = language(instance.language)
        return max(tagged, count_values(reply, language=lang, call=program.call, program=program.source))

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the right answer."""
        return TwinRule(**recorded.grounds).judge(recorded.replies[-1], lang)


def _ask_about(instance: Instance, lang: Language, twin: Twin, rule: TwinRule) -> Ask:
    messages, prefill = instance.template.render(
        [], {"language": lang.title, "code": twin.program.text.rstrip("\n"), "call": twin.program.call}
    )
    published = instance.program.facts["output"]

    def guess(random: Callable[[], float]) -> str:
        return write_answer(lang.values.write(guess_value(published, random)))

    return Ask(
        messages=messages,
        prefill=prefill,
        truth=write_answer(rule.written),
        guess=guess,
        naive=write_answer(lang.values.write(published)),
        notes=(f"{instance.program.call} returns {lang.values.write(published)}",),
    )
