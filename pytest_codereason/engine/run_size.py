"""Estimates, before a run, how much is asked of a model and what that costs at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_codereason.core import Instance, Model, Request, Usage
from pytest_codereason.engine.budget import estimate_tokens, price_usage
from pytest_codereason.engine.previews import ask_in_full
from pytest_codereason.engine.prompt_lengths import Kind, sample_questions
from pytest_codereason.suites.suite import Suite
from pytest_codereason.text import wording

#: Questions that are built to measure a suite; each stands for others of its kind.
MEASURED = 24


@dataclass
class RunSize:
    """What is asked of one model. Numbers of sizes add up."""

    questions: int = 0
    requests: int = 0
    prompt: int = 0  #: tokens of all prompts
    longest: int = 0  #: tokens of the longest prompt
    reply: int = 0  #: the most tokens of all replies
    cost: float | None = 0.0  #: the most US dollars; ``None`` if the price is unknown

    def add(self, suite: Suite, instance: Instance, model: Model, many: int = 1) -> None:
        """Adds ``many`` questions that are as long as this one."""
        asks, _ = ask_in_full(suite.task.steps(instance))
        sampling = suite.sampling_for(instance, model.sampling)
        samples = suite.samples.get(suite.way_of(instance), suite.samples[""])
        self.questions += many
        for ask in asks:
            request = Request(ask=ask, sampling=sampling.with_room(ask.room), instance=instance)
            prompt, reply = estimate_tokens(model, request)
            one = price_usage(model.price, Usage(prompt=prompt, completion=reply))
            self.requests += samples * many
            self.prompt += prompt * samples * many
            self.longest = max(self.longest, prompt)
            self.reply += reply * samples * many
            self.cost = None if one is None or self.cost is None else self.cost + one * samples * many

    def add_size(self, other: RunSize) -> None:
        """Adds another size to this one."""
        self.questions += other.questions
        self.requests += other.requests
        self.prompt += other.prompt
        self.longest = max(self.longest, other.longest)
        self.reply += other.reply
        self.cost = None if other.cost is None or self.cost is None else self.cost + other.cost

    def scale(self, questions: int) -> RunSize:
        """The size of so many questions like these."""
        share = questions / self.questions
        return RunSize(
            questions=questions,
            requests=round(self.requests * share),
            prompt=round(self.prompt * share),
            longest=self.longest,
            reply=round(self.reply * share),
            cost=None if self.cost is None else self.cost * share,
        )

    @property
    def summary(self) -> str:
        """``2,400 requests, about 1,200,000 prompt tokens, at most 480,000 reply tokens, at most $3.10``."""
        tokens = f"about {self.prompt:,} prompt tokens, at most {self.reply:,} reply tokens"
        return f"{wording.plural(self.requests, 'request')}, {tokens}, cost {self.money}"

    @property
    def money(self) -> str:
        """``at most $3.10``."""
        return (
            "unknown (give --model-arg price_in and price_out)" if self.cost is None else f"at most ${self.cost:,.2f}"
        )


def estimate_size(asked: Iterable[tuple[Suite, Mapping[Kind, int]]], model: Model) -> RunSize:
    """About what is asked of a model: of each suite, the questions of each kind; a few of them are measured."""
    size = RunSize()
    for suite, counts in asked:
        kinds = list(counts)
        chosen = kinds[:: -(-len(kinds) // MEASURED)]
        total, measured = sum(counts.values()), RunSize()
        for instance, many in sample_questions(suite, {kind: counts[kind] for kind in chosen}, model):
            measured.add(suite, instance, model, many)
        if measured.questions:
            size.add_size(measured.scale(total))
    return size
