"""Fault robustness: is a fault that was found still found after a change that keeps what the program does?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from pytest_codereason.core import (
    Axis,
    AxisValue,
    Facts,
    Fault,
    Instance,
    Language,
    Metric,
    Program,
    Ratio,
    Recorded,
    Steps,
    Task,
    TaskExample,
    Verdict,
    ask_model,
)
from pytest_codereason.questions.tasks.fault_localization import FaultLocalization
from pytest_codereason.questions.tasks.shared.faulty_lines import TOP, FaultQuestion, LineRule
from pytest_codereason.questions.tasks.shared.prompting import make_prompting_axis


def _make_share(name: str, title: str, part: str, *, higher_is_better: bool = False) -> Metric:
    """The share of the faults that were found first, over all perturbations."""
    ratio = Ratio(part={part: 1}, whole={"first": 1})
    return Metric(
        name=name,
        title=title,
        binary=False,
        higher_is_better=higher_is_better,
        ratio=ratio,
        pools=("perturbation",),
    )


#: What is kept of the verdict on the last question: where things stand in the program that was shown.
_KEPT = ("fault_quarter_shown", "answer_quarter", "lines_shown")


class FaultRobustness(Task):
    """Two questions: about the faulty program, and, if the right line was named, about the perturbed program.

    The second question is asked without the first, in a conversation of its own. Under the perturbation ``none`` it is
    the first question once more, which shows how often a model changes its mind.
    """

    name = "fault-robustness"
    version = 3
    needs = FaultLocalization.needs
    asks = "fault"
    templates_of = FaultLocalization.name
    twin: ClassVar[Mapping[str, AxisValue]] = {"perturbation": "none"}
    # Answers to the unchanged question count for the control alone, so that no figure of mutations is thinned out.
    metrics = (
        _make_share("lost", "Lost after mutation", "lost"),
        _make_share("control", "Lost when asked again", "flipped"),
        Metric(name="exact_first", title="Found before mutation"),
        _make_share("exact_after", "Found again after mutation", "kept", higher_is_better=True),
        _make_share("stale", "Names the line before mutation", "stale"),
    )
    axes: ClassVar[Mapping[str, Axis]] = {"prompting": make_prompting_axis("direct"), "top": TOP}

    @classmethod
    def examples(cls) -> Sequence[TaskExample]:
        """Replies that are given twice: right, wrong, and none."""
        source = "def f(a, b):\n    return a - b\n"
        facts = Facts(specification="The sum of a and b.", fault=Fault(2))
        program = Program.from_source(language="python", source=source, facts=facts)
        example = partial(TaskExample, program=program)
        return (
            example(reply='{"line": 2}', outcome="correct", metrics={"first": 1, "flipped": 0}),
            example(reply='{"line": 1}', outcome="wrong", metrics={"first": 0, "flipped": 0}),
            example(reply="No line.", outcome="invalid", metrics={"first": 0, "exact_first": 0}),
        )

    def steps(self, instance: Instance) -> Steps:
        """Asks once or twice.

        Raises:
            Skip: the program has no fault or no specification.
        """
        twin = instance.twin or instance
        before, after = FaultQuestion(twin), FaultQuestion(instance)
        changed = dict(twin.axes) != dict(instance.axes)
        first = before.judge((yield from ask_model(before.ask())))
        grounds = {"changed": changed, "first": first.grounds}
        if first.outcome != "correct":
            return replace(_count(first, first, changed=changed), grounds=grounds)
        verdict = after.judge((yield from ask_model(after.ask())))
        return replace(_count(first, verdict, changed=changed), grounds={**grounds, "last": verdict.grounds})

    def judge_again(self, lang: Language, recorded: Recorded) -> Verdict | None:
        """The verdict by the labels of the faulty lines."""
        first = verdict = LineRule(**recorded.grounds["first"]).judge(recorded.replies[0])[1]
        if first.outcome == "correct":
            verdict = LineRule(**recorded.grounds["last"]).judge(recorded.replies[1])[1]
        return _count(first, verdict, changed=recorded.grounds["changed"])


def _count(before: Verdict, verdict: Verdict, *, changed: bool) -> Verdict:
    """The verdict on the last question, with what became of the fault: after a change, or asked again without one."""
    first = before.outcome == "correct"
    second = first and verdict.outcome == "correct"
    line, *_ = before.expected.split(" or ")
    moved = line not in verdict.expected.split(" or ")
    stale = first and moved and (verdict.answer or "").split(", ")[0] == line
    counts = {"first": first, "exact_first": first}
    if changed:
        counts |= {"lost": first and not second, "kept": second, "stale": stale}
    else:
        counts["flipped"] = first and not second
    places = {name: verdict.metrics[name] for name in _KEPT if name in verdict.metrics}
    return replace(verdict, metrics={**{name: float(value) for name, value in counts.items()}, **places})
