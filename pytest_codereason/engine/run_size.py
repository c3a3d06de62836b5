"""Estimates, before a run, how much is asked of a model and what that costs at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_codereason.core import Instance, Model, Price, Request, digest
from pytest_codereason.engine.answer_keys import name_answer
from pytest_codereason.engine.budget import estimate_tokens
from pytest_codereason.engine.previews import ask_in_full, count_certain_asks
from pytest_codereason.engine.prompt_lengths import QuestionKind, sample_questions
from pytest_codereason.engine.task_steps import follow_steps
from pytest_codereason.suites.suite import Suite
from pytest_codereason.text import wording
from pytest_codereason.text.parts import Part, count_part

#: Questions that are built to measure a suite; each stands for others of its kind.
MEASURED = 24


@dataclass
class RunSize:
    """What is asked of one model. Numbers of sizes add up."""

    questions: int = 0
    requests: int = 0  #: the most
    certain: int = 0  #: requests that are asked whatever the model replies
    prompt: int = 0  #: tokens of all prompts
    longest: int = 0  #: tokens of the longest prompt
    reply: int = 0  #: the most tokens of all replies
    cost: float | None = 0.0  #: the most US dollars; ``None`` if the price is unknown

    def add(
        self,
        suite: Suite,
        instance: Instance,
        model: Model,
        many: int = 1,
        known: set[bytes] | None = None,
        *,
        repeats: int = 0,
    ) -> None:
        """Adds ``many`` questions that are as long as this one, each asked ``repeats`` times more.

        Args:
            known: the first requests of the questions so far, by their digests; that of this question is added. A
                session asks equal requests once, so one that is known is not counted. Later requests may depend on the
                replies before them, so each of them is counted.
        """
        asks, _ = ask_in_full(follow_steps(suite.task, instance))
        certain = count_certain_asks(follow_steps(suite.task, instance)) if len(asks) > 1 else 1
        sampling = suite.sampling_for(instance, model.sampling)
        samples = suite.samples.get(suite.way_of(instance), suite.samples[""])
        times = samples * many * (1 + repeats)
        self.questions += many
        price = Price.of(model.price)
        for step, ask in enumerate(asks):
            request = Request(ask=ask, sampling=sampling.with_room(ask.room), instance=instance, step=step)
            if known is not None and step == 0:
                if (key := _name_request(model, request, samples)) in known:
                    continue
                known.add(key)
            prompt, reply = estimate_tokens(model, request)
            one = None if price is None else price.compute_highest(prompt, reply)
            self.requests += times
            self.certain += times if step < certain else 0
            self.prompt += prompt * times
            self.longest = max(self.longest, prompt)
            self.reply += reply * times
            self.cost = None if one is None or self.cost is None else self.cost + one * times

    def add_size(self, other: RunSize) -> None:
        """Adds another size to this one."""
        self.questions += other.questions
        self.requests += other.requests
        self.certain += other.certain
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
            certain=round(self.certain * share),
            prompt=round(self.prompt * share),
            longest=self.longest,
            reply=round(self.reply * share),
            cost=None if self.cost is None else self.cost * share,
        )

    def describe(self) -> dict[str, float | None]:
        """The size as ``run.json`` keeps it."""
        return {"requests": self.requests, "prompt": self.prompt, "reply": self.reply, "cost": self.cost}

    @property
    def summary(self) -> str:
        """``2,400 requests, about 1,200,000 prompt tokens, at most 480,000 reply tokens, cost at most $3.10``.

        Where some requests follow only right answers: ``1,200 to 2,400 requests``, and the tokens are the most too.
        """
        prompt = "about" if self.certain == self.requests else "at most about"
        requests = wording.plural(self.requests, "request")
        if self.certain < self.requests:
            requests = f"{self.certain:,} to {requests}"
        tokens = f"{prompt} {self.prompt:,} prompt tokens, at most {self.reply:,} reply tokens"
        return f"{requests}, {tokens}, cost {self.money}"

    @property
    def money(self) -> str:
        """``at most $3.10``."""
        return (
            "unknown (give --model-arg price_in and price_out)" if self.cost is None else f"at most ${self.cost:,.2f}"
        )


def _name_request(model: Model, request: Request, samples: int) -> bytes:
    """What makes two requests to one model equal; short, because there may be a million of them."""
    return bytes.fromhex(digest(name_answer("", request, by_seed=model.draws_by_seed), samples))[:16]


def estimate_size(
    asked: Iterable[tuple[Suite, Mapping[QuestionKind, int]]],
    model: Model,
    models: int = 1,
    *,
    repeat: Part | None = None,
) -> RunSize:
    """About what is asked of a model: of each suite, the questions of each kind; a few of them are measured.

    Args:
        models: how many models share the questions evenly.
        repeat: the part of the questions that is asked a second time. Each of them counts as two questions.
    """
    size = RunSize()
    for suite, counts in asked:
        kinds = list(counts)
        chosen = kinds[:: -(-len(kinds) // MEASURED)]
        total, measured = round(sum(counts.values()) / models), RunSize()
        for instance, many in sample_questions(suite, {kind: counts[kind] for kind in chosen}, model):
            measured.add(suite, instance, model, many)
        if measured.questions:
            again = count_part(repeat, total) if repeat else 0
            size.add_size(measured.scale(total + again))
    return size
