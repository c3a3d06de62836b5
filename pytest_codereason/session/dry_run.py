"""What a run would ask and cost, without asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from pytest_codereason.core import Model, Request, Usage
from pytest_codereason.engine.budget import estimate_tokens, price_usage
from pytest_codereason.engine.previews import ask_in_full, preview
from pytest_codereason.errors import PartError, Skip
from pytest_codereason.session.items import Question


@dataclass
class _Plan:
    questions: int = 0
    requests: int = 0
    prompt: int = 0
    longest: int = 0
    reply: int = 0
    cost: float | None = 0.0


def format_plan(items: Sequence[pytest.Item], models: Mapping[str, Model]) -> list[str]:
    """For each suite and model: questions, prompt tokens, most reply tokens, most cost.

    Builds every question. If a task has several steps, the later steps are counted as they are after right replies.
    """
    plans: dict[tuple[str, str], _Plan] = {}
    for item in items:
        if isinstance(item, Question):
            _add(plans.setdefault((item.suite.name, item.model), _Plan()), item, models[item.model])
    lines = []
    for (suite, label), plan in plans.items():
        money = (
            "unknown (give --model-arg price_in and price_out)" if plan.cost is None else f"at most ${plan.cost:,.2f}"
        )
        lines += [
            f"{suite} on {label}",
            f"  questions       {plan.questions:>14,}",
            f"  requests        {plan.requests:>14,}",
            f"  prompt tokens   {plan.prompt:>14,}  (estimated; the longest prompt {plan.longest:,})",
            f"  reply tokens    {plan.reply:>14,}  (at most)",
            f"  cost            {money}",
        ]
    if any(isinstance(item, Question) and (item.suite.writer or item.suite.texts) for item in items):
        lines.append("here a rule writes the hints; the cost of the writer is not counted")
    return [*lines, "nothing was asked (--eval-dry-run)"] if lines else []


def _add(plan: _Plan, item: Question, model: Model) -> None:
    try:
        instance = preview(item.suite, item.spec, model.count_tokens)
    except (Skip, PartError):  # an error is told below the collection
        return
    asks, _ = ask_in_full(item.suite.task.steps(instance))
    sampling, samples = item.suite.sampling_for(instance), item.suite.samples_for(item.spec)
    plan.questions += 1
    for ask in asks:
        request = Request(ask=ask, sampling=sampling.with_room(ask.room), instance=instance)
        prompt, reply = estimate_tokens(model, request)
        one = price_usage(model.price, Usage(prompt=prompt, completion=reply))
        plan.requests += samples
        plan.prompt += prompt * samples
        plan.longest = max(plan.longest, prompt)
        plan.reply += reply * samples
        plan.cost = None if one is None or plan.cost is None else plan.cost + one * samples
