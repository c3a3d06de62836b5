"""Fault localisation: given a specification and a program that breaks it, which line is faulty?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from pytest_codereason.core import (
    Axis,
    Facts,
    Fault,
    Instance,
    Language,
    Program,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.questions.tasks.shared.faulty_lines import METRICS, TOP, FaultQuestion, LineRule
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis

_SOURCE = "def f(items):\n    total = 0\n    for item in items:\n        total = total - item\n    return total\n"


class FaultLocalization(Task):
    """One question, one answer: the faulty line of a program with one fault, counted in the text that is shown."""

    name = "fault-localization"
    version = 3
    needs = frozenset({"fault", "specification"})
    asks = "fault"
    metrics = METRICS
    axes: ClassVar[Mapping[str, Axis]] = {"prompting": make_prompting_axis("direct"), "top": TOP}

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies about a small program: right, near, far, of a bad form, and none."""
        facts = Facts(specification="The sum of the items.", fault=Fault(4))
        program = Program.from_source(language="python", source=_SOURCE, facts=facts)
        example, three = partial(TaskExample, program=program), partial(TaskExample, program=program, axes={"top": 3})
        return (
            example(reply='{"line": 4}', outcome="correct", metrics={"exact": 1, "distance": 0, "same_statement": 1}),
            example(reply='{"line": 3}', outcome="wrong", metrics={"distance": 1, "same_statement": 0, "within_2": 1}),
            example(reply='{"line": 1}', outcome="wrong", metrics={"distance": 3, "same_function": 1, "within_2": 0}),
            three(reply='{"lines": [3, 4]}', outcome="wrong", metrics={"exact": 0, "top_k": 1}),
            example(reply='{"lines": [3, 4]}', outcome="invalid", metrics={"exact": 0, "top_k": 0}),
            example(reply='{"line": "3-4"}', outcome="invalid"),
            example(reply='{"line": 9}', outcome="invalid"),
            example(reply="All is well.", outcome="invalid"),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once.

        Raises:
            Skip: the program has no fault or no specification.
        """
        question = FaultQuestion(instance)
        return question.judge((yield from ask_model(question.ask())))

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the labels of the faulty lines, without the metrics that look at the program."""
        return LineRule(**recorded.grounds).judge(recorded.replies[-1])[1]
