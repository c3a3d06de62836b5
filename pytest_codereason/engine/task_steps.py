"""Follows the steps of a task, and checks what the task yields and returns."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, get_args

from pytest_codereason.core import SCORED, Ask, Completion, Instance, Message, Metric, Outcome, Steps, Task, Verdict
from pytest_codereason.core.answers import check_numbers, find_limits
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadResult, name_type

#: The outcomes of an answer that was read and compared, so that every metric has a number.
_COMPARED = frozenset({"correct", "wrong"})


def follow_steps(task: Task, instance: Instance) -> Steps:
    """The steps of a task, as :meth:`Task.steps` gives them.

    Raises:
        BadResult: the task yields something else than questions and programs, or returns no verdict on them.
    """
    steps: Any = task.steps(instance)
    if not isinstance(steps, Generator):
        raise BadResult(
            task, "steps", f"steps must be a generator, not {name_type(steps)}: write `completion = yield Ask(...)`"
        )
    reply: Completion | Execution | None = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration as done:
            return check_verdict(task, done.value)
        if isinstance(step, Verdict):
            raise BadResult(task, "steps", "steps must return the Verdict: write `return`, not `yield`")
        if not isinstance(step, (Ask, Run)):
            raise BadResult(task, "steps", f"steps must yield an Ask or a Run, not {name_type(step)}")
        if isinstance(step, Ask) and (complaint := _find_no_text(step)):
            raise BadResult(task, "steps", complaint)
        reply = yield step


def check_verdict(task: Task, verdict: object) -> Verdict:
    """What a task returned, if it is a verdict that can be recorded.

    Raises:
        BadResult: it is no verdict, its outcome is unknown, or a number of a metric is missing or cannot be.
    """
    if not isinstance(verdict, Verdict):
        raise BadResult(task, "steps", f"steps must return a Verdict, not {name_type(verdict)}")
    if verdict.outcome not in SCORED:
        known = [outcome for outcome in get_args(Outcome) if outcome in SCORED]
        hint = suggest_name(str(verdict.outcome), known)
        raise BadResult(task, "steps", f"unknown outcome {verdict.outcome!r}{hint}: choose one of {', '.join(known)}")
    texts: dict[str, object] = {"expected": verdict.expected, "answer": verdict.answer}
    for name, text in texts.items():
        if not isinstance(text, str) and (text is not None or name == "expected"):
            raise BadResult(task, "steps", f"{name} must be text, not {name_type(text)}: write str(...)")
    if complaint := _find_missing(task.metrics, verdict):
        raise BadResult(task, "steps", complaint)
    try:
        check_numbers(find_limits(task.metrics), verdict.metrics)
    except ValueError as error:
        raise BadResult(task, "steps", str(error)) from error
    return verdict


def _find_no_text(ask: Ask) -> str:
    """What to say of a question whose messages or right reply are none; empty if they are."""
    messages: Any = ask.messages
    if isinstance(messages, str) or not all(isinstance(message, Message) for message in messages):
        return 'the messages of an Ask must be a tuple of Message: write (Message("user", "..."),)'
    return "" if isinstance(ask.truth, str) else f"the truth of an Ask must be text, not {name_type(ask.truth)}"


def _find_missing(metrics: tuple[Metric, ...], verdict: Verdict) -> str:
    """What to say of a number that a metric needs and the verdict lacks; empty if it lacks none.

    The numbers of a ratio, and a metric that exists at one value of an axis only, may be missing. A number whose name
    looks misspelt may not.
    """
    needed = {metric.name for metric in metrics if _needs_number(metric, verdict)}
    declared = dict.fromkeys(name for metric in metrics for name in _list_numbers(metric))
    others = [str(name) for name in verdict.metrics if name not in declared]
    for name in declared:
        if verdict.metrics.get(name) is not None:
            continue
        near = next((other for other in others if suggest_name(other, [name])), "")
        if near:
            return f"the verdict has the metric {near!r}, which the task does not declare (did you mean {name!r}?)"
        if name in needed:
            given = f"it has {', '.join(map(str, verdict.metrics))}" if verdict.metrics else "it has none"
            return f"the verdict lacks the metric {name!r}, which the task declares: {given}"
    return ""


def _needs_number(metric: Metric, verdict: Verdict) -> bool:
    plain = not (metric.k or metric.outcome or metric.ratio or metric.only)
    return plain and verdict.outcome in metric.of & _COMPARED


def _list_numbers(metric: Metric) -> tuple[str, ...]:
    """The names of the numbers that a metric reads from an answer."""
    if metric.ratio:
        return (*metric.ratio.part, *metric.ratio.whole)
    return () if metric.k or metric.outcome else (metric.name,)
