"""The examples that every task carries: each reply gets the outcome that the task says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Ask, Completion, Instance, Metric, Recorded, Task, TaskExample, Verdict
from pytest_codereason.questions.suites.stages import find_required
from pytest_codereason.questions.templates.loading import load_for_task
from pytest_codereason.sandbox import Sandbox
from tests.examples import mostly_slow
from tests.questions.stepping import take_steps

EXAMPLES = [
    pytest.param(kind, example, id=f"{name}-{number}")
    for name in registry.list_shipped(Task)
    for kind in [registry.find(Task, name)]
    for number, example in enumerate(kind.examples())
]
#: Numbers for a figure, which are no metrics.
OF_ONE_TASK = (
    "edges_",
    "found_",
    "audit.",
    "audit_normalised.",
    "fault_quarter_shown",
    "answer_quarter",
    "lines_shown",
    "changed_tokens",
    "depth",
    "visit",
    "visits",
)


def judge(task: Task, example: TaskExample, sandbox: Sandbox) -> tuple[Verdict, list[Completion]]:
    """The verdict on an example, and the replies that the task got."""
    axes = {name: axis.default for name, axis in task.axes.items()} | dict(example.axes) | dict(task.requires)
    instance = Instance(
        id="example",
        family="example",
        suite="examples",
        program=example.program,
        axes=axes,
        matrix={},
        template=load_for_task(task, str(axes.get("prompting", ""))),
        asks=task.asks,
    )
    for stage in find_required(task):
        instance = stage.create({}, seed=0, languages=("python",)).apply(instance, lambda _: None)
    replies = list[Completion]()

    def answer(_: Ask) -> Completion:
        replies.append(Completion(text=example.reply, prefilled=example.prefilled))
        return replies[-1]

    return take_steps(task.steps(instance), sandbox, answer), replies


@pytest.mark.parametrize(("kind", "example"), mostly_slow(EXAMPLES, 2))
def test_an_example_has_its_outcome(kind: type[Task], example: TaskExample, sandbox: Sandbox) -> None:
    verdict, _ = judge(kind(), example, sandbox)
    assert verdict.outcome == example.outcome
    assert verdict.metrics.items() >= example.metrics.items()
    numbers = {name for name in verdict.metrics if not name.startswith(OF_ONE_TASK)}
    # A metric over several values of an axis may have no number at one of them.
    kept, pooled = ([each for each in kind.metrics if bool(each.pools) == pools] for pools in (False, True))
    missing = {*list_numbers(kept), *(each.name for each in kind.metrics[:1] if not each.pools)} - numbers
    # Only an answer has a distance from the right one.
    assert missing <= ({"distance"} if verdict.outcome == "invalid" else set())
    at_one_value = {each.name for each in kind.metrics if each.only}
    assert numbers <= {*list_numbers(kept), *list_numbers(pooled), kind.metrics[0].name, *at_one_value}


@pytest.mark.parametrize(("kind", "example"), mostly_slow(EXAMPLES, 3))
def test_a_verdict_follows_from_what_a_record_holds_of_it(
    kind: type[Task], example: TaskExample, sandbox: Sandbox
) -> None:
    verdict, replies = judge(kind(), example, sandbox)
    recorded = Recorded(expected=verdict.expected, grounds=json.loads(json.dumps(verdict.grounds)), replies=replies)
    again = kind().judge_again(registry.language(example.program.language), recorded)
    assert again is not None
    assert (again.outcome, again.answer, again.expected) == (verdict.outcome, verdict.answer, verdict.expected)
    assert again.metrics.items() <= verdict.metrics.items()
    headline = kind.metrics[0]
    assert headline.pools or {*list_numbers([headline])} <= again.metrics.keys()


def list_numbers(metrics: Sequence[Metric]) -> Iterator[str]:
    """The names of the numbers that a verdict holds: a ratio is of numbers, and has none of its own."""
    for metric in metrics:
        if metric.ratio:
            yield from {**metric.ratio.part, **metric.ratio.whole}
        elif metric.only is None:
            yield metric.name


@pytest.mark.parametrize("name", registry.list_shipped(Task))
def test_every_task_has_examples_of_several_outcomes(name: str) -> None:
    outcomes = [example.outcome for example in registry.find(Task, name).examples()]
    assert len(set(outcomes)) >= 3
    assert "correct" in outcomes


def test_every_task_has_a_program_for_what_it_needs() -> None:
    for name in registry.list_shipped(Task):
        task = registry.find(Task, name)
        for example in task.examples():
            assert all(fact in example.program.facts for fact in task.needs)
