"""Estimates, before a run, how much is asked of a model and what that costs at most.

Requests and the most tokens of replies follow from the axes of a question, so they are counted for every question. The
tokens of prompts are estimated: a sample of the questions is built and measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from statistics import mean
from typing import NamedTuple

from pytest_codereason.core import AxisValue, Instance, Model, Price, Request, Sampling, Spec, digest
from pytest_codereason.core.text import wording
from pytest_codereason.core.text.parts import Part, count_part
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.limits.budget import UNBOUNDED_REPLY, estimate_tokens
from pytest_codereason.engine.limits.prompt_lengths import QuestionKind, merge_kinds
from pytest_codereason.engine.rehearsing import ask_in_full, count_certain_asks
from pytest_codereason.engine.storage.answer_keys import name_answer
from pytest_codereason.questions.suites.suite import Suite

#: Questions that are built to measure the prompts of a suite.
MEASURED = 32
#: Programs that are tried until a question can be built.
TRIED = 3
Cell = tuple[tuple[str, AxisValue], ...]
Condition = tuple[str, Cell]  #: language and cell


@dataclass
class RunSize:
    """What is asked of one model. Numbers of sizes add up."""

    questions: int = 0
    requests: int = 0  #: the most; equal ones are asked once
    certain: int = 0  #: requests that are asked whatever the model replies
    unlimited: int = 0  #: requests whose replies have no limit of tokens
    prompt: int = 0  #: tokens of all prompts that could be measured, estimated
    unknown: int = 0  #: requests whose prompts could not be: what a task asks may depend on programs that run first
    longest: int = 0  #: tokens of the longest prompt that was measured
    varies: bool = False  #: whether the limit of replies depends on the program, so that ``reply`` is estimated too
    reply: int = 0  #: the most tokens of all replies; 16,384 for a reply without a limit
    cost: float | None = 0.0  #: US dollars for these tokens; ``None`` if the price is unknown

    def add_size(self, other: RunSize) -> None:
        """Adds another size to this one."""
        self.questions += other.questions
        self.requests += other.requests
        self.certain += other.certain
        self.unlimited += other.unlimited
        self.prompt += other.prompt
        self.unknown += other.unknown
        self.longest = max(self.longest, other.longest)
        self.varies = self.varies or other.varies
        self.reply += other.reply
        self.cost = None if other.cost is None or self.cost is None else self.cost + other.cost

    def describe(self) -> dict[str, float | None]:
        """The size as ``run.json`` keeps it."""
        return {"requests": self.requests, "prompt": self.prompt, "reply": self.reply, "cost": self.cost}

    @property
    def knows_prompts(self) -> bool:
        """Whether a prompt was measured."""
        return not self.questions or self.prompt > 0

    @property
    def summary(self) -> str:
        """``2,400 requests, about 1,200,000 prompt tokens, at most 480,000 reply tokens, cost at most about $3.10``.

        Where some requests follow only right answers: ``1,200 to 2,400 requests``, and the tokens are the most too.
        What costs nothing has no cost.
        """
        prompt = "about" if self.certain == self.requests else "at most about"
        requests = wording.plural(self.requests, "request")
        if self.certain < self.requests:
            requests = f"{self.certain:,} to {requests}"
        most, remark = self.bound
        reply = f"{most} {self.reply:,} reply tokens" + (f" ({remark})" if remark else "")
        cost = "" if self.cost == 0 else f", cost {self.money}"
        prompts = f"{prompt} {self.prompt:,} prompt tokens" if self.knows_prompts else "prompts of unknown length"
        if self.unknown and self.knows_prompts:
            prompts += f" and {wording.plural(self.unknown, 'prompt')} of unknown length"
        return f"{requests}, {prompts}, {reply}{cost}"

    @property
    def bound(self) -> tuple[str, str]:
        """How sure the number of reply tokens is, in words, and why it is not surer."""
        if self.unlimited:
            replies = "no reply has a limit" if self.unlimited == self.requests else f"{self.unlimited:,} have no limit"
            return "about", f"{replies}; each counts as {UNBOUNDED_REPLY:,}"
        return ("at most about", "the limit depends on the program") if self.varies else ("at most", "")

    @property
    def money(self) -> str:
        """``at most about $3.10``: the prompts are estimated."""
        if self.cost is None:
            return "unknown (give --model-arg price_in and price_out)"
        if not self.cost:
            return "at most $0.00"
        if self.unknown or not self.knows_prompts:
            more = wording.plural(self.unknown, "prompt") if self.knows_prompts else "the prompts"
            return f"about ${self.cost:,.2f}, and {more}"
        return f"{'about' if self.unlimited else 'at most about'} ${self.cost:,.2f}"


def add_sizes(sizes: Iterable[RunSize]) -> RunSize:
    """The sum of sizes."""
    total = RunSize()
    for size in sizes:
        total.add_size(size)
    return total


def is_free(model: Model) -> bool:
    """Whether a model is known to answer for nothing."""
    price = Price.of(model.price)
    return price is not None and price.is_free


class EqualRequests:
    """Counts first requests that equal others to the same model: a session asks equal requests once."""

    def __init__(self) -> None:
        self._known: dict[str, set[bytes]] = {}
        self.many = 0  #: requests that equal an earlier one

    def add(self, suite: Suite, instance: Instance, label: str, model: Model) -> None:
        """Adds the first request of a question.

        Raises:
            PartError: the task spoils the question.
        """
        ask = ask_in_full(suite.task, instance)[0][0]
        sampling = suite.sampling_for(instance, model.sampling).with_room(ask.room)
        request = Request(ask=ask, sampling=sampling, instance=instance)
        samples = suite.drawing.samples_for(instance.way)
        # Short, because there may be a million of them.
        name = bytes.fromhex(digest(name_answer("", request, by_seed=model.draws_by_seed), samples))[:16]
        known = self._known.setdefault(label, set())
        self.many += samples * (name in known)
        known.add(name)


def estimate_size(
    asked: Iterable[tuple[Suite, Mapping[QuestionKind, int]]], model: Model, *, repeat: Part | None = None
) -> RunSize:
    """What is asked of a model: of each suite, so many questions of each kind.

    Args:
        repeat: the part of the questions that is asked a second time: as far as is known here, the dearest.
    """
    size = RunSize()
    for suite, counts in asked:
        conditions = merge_kinds(suite, counts)
        measures = _measure(suite, conditions, model)
        sizes = {each: _size_question(suite, each, measures, model) for each in conditions}
        again = count_part(repeat, total) if repeat and (total := sum(conditions.values())) else 0
        for each in sorted(sizes, key=lambda each: (sizes[each].cost or 0, sizes[each].reply), reverse=True):
            many = conditions[each]
            times = many + min(many, again)
            again -= times - many
            size.add_size(sizes[each].make_size(times, model))
    return size


class _Measure(NamedTuple):
    """What was measured of one question."""

    condition: Condition
    way: Cell  # the axes of the task, which decide how often it asks
    rooms: tuple[int, ...]  # tokens that the reply to each request needs
    certain: int
    prompts: tuple[int, ...]  # tokens of each prompt


class _QuestionSize(NamedTuple):
    """What one question takes."""

    requests: int
    certain: int
    unlimited: int
    prompt: float
    longest: int
    varies: bool
    reply: int
    cost: float | None

    def make_size(self, times: int, model: Model) -> RunSize:
        """The size of so many questions."""
        price, prompt, reply = Price.of(model.price), round(self.prompt * times), self.reply * times
        return RunSize(
            questions=times,
            requests=self.requests * times,
            certain=self.certain * times,
            unlimited=self.unlimited * times,
            prompt=prompt,
            unknown=0 if prompt else self.requests * times,
            longest=self.longest,
            varies=self.varies,
            reply=reply,
            cost=None if price is None else price.compute_highest(prompt, reply),
        )


def _size_question(suite: Suite, condition: Condition, measures: Sequence[_Measure], model: Model) -> _QuestionSize:
    """What a question under a condition takes, by its axes; the prompts by those of the likest questions."""
    language, cell = condition
    spec, way = Spec(language, "", cell), _find_way(suite, cell)
    samples, limit = suite.samples_for(spec), _find_sampling(suite, spec, model).max_tokens
    steps = [each for each in measures if each.way == way] or list(measures)
    asks = max((len(each.rooms) for each in steps), default=1)
    rooms = [max((each.rooms[n] for each in steps if n < len(each.rooms)), default=0) for n in range(asks)]
    replies = [UNBOUNDED_REPLY if limit is None else max(limit, room) for room in rooms]
    like = [each for each in steps if each.condition == condition]
    like = like or [each for each in steps if each.condition[0] == language] or steps
    prompt = mean(sum(each.prompts) for each in like) * samples if like else 0.0
    reply, price = sum(replies) * samples, Price.of(model.price)
    return _QuestionSize(
        requests=asks * samples,
        certain=max((each.certain for each in steps), default=1) * samples,
        unlimited=asks * samples if limit is None else 0,
        prompt=prompt,
        longest=max((max(each.prompts) for each in like), default=0),
        varies=limit is not None and len({max(limit, each.rooms[0]) for each in steps}) > 1,
        reply=reply,
        cost=None if price is None else price.compute_highest(round(prompt), reply),
    )


def _find_sampling(suite: Suite, spec: Spec, model: Model) -> Sampling:
    """The sampling settings of a question before its axes: the limit of tokens is no axis."""
    return suite.drawing.settings_for(suite.conditions.find_way(spec)).with_axes(model.sampling)


def _find_way(suite: Suite, cell: Cell) -> Cell:
    return tuple((name, value) for name, value in cell if name in suite.task.axes)


def _measure(suite: Suite, conditions: Mapping[Condition, int], model: Model) -> list[_Measure]:
    """Measures a sample of the questions. Those that cannot be built are left out."""
    measures = []
    for condition, programs in _draw_questions(suite, conditions):
        for program in programs:
            try:
                measures.append(_measure_question(suite, condition, program, model))
                break
            except Exception:  # skipped or broken: the run reports and counts it
                continue
    return measures


def _measure_question(suite: Suite, condition: Condition, program: str, model: Model) -> _Measure:
    language, cell = condition
    instance = draft(suite, Spec(language, program, cell), model.count_tokens)
    asks, _ = ask_in_full(suite.task, instance)
    certain = count_certain_asks(suite.task, instance) if len(asks) > 1 else 1
    sampling = suite.sampling_for(instance, model.sampling)
    requests = [Request(ask=ask, sampling=sampling, instance=instance, step=n) for n, ask in enumerate(asks)]
    return _Measure(
        condition=condition,
        way=_find_way(suite, cell),
        rooms=tuple(ask.room for ask in asks),
        certain=certain,
        prompts=tuple(estimate_tokens(model, request)[0] for request in requests),
    )


def _draw_questions(suite: Suite, conditions: Mapping[Condition, int]) -> Iterator[tuple[Condition, list[str]]]:
    """A sample of questions, each with programs to try.

    Conditions and programs come in the order of a hash. Conditions that show a new value of an axis come first, so that
    no axis is seen at one value only. If there are few conditions, each is seen with several programs.
    """
    languages = dict.fromkeys(language for language, _ in conditions)
    names = {
        language: nsmallest(MEASURED, suite.list_programs(language), key=lambda name: digest(suite.name, name))
        for language in languages
    }
    seen: set[object] = set()
    fresh, known = list[Condition](), list[Condition]()
    for language, cell in sorted(conditions, key=lambda each: digest(suite.name, *each)):
        shown = {language, *cell, _find_way(suite, cell)}
        (fresh if shown - seen else known).append((language, cell))
        seen |= shown
    drawn: defaultdict[Condition, int] = defaultdict(int)
    left, ordered = MEASURED, [*fresh, *known]
    while left and ordered:
        ordered = [each for each in ordered if drawn[each] < min(conditions[each], len(names[each[0]]))]
        for place, condition in enumerate(ordered[:left]):
            among, start = names[condition[0]], place + drawn[condition]
            drawn[condition] += 1
            left -= 1
            yield condition, [among[(start + n) % len(among)] for n in range(min(TRIED, len(among)))]
