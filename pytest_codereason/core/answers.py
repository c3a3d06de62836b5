"""A model's reply, its verdict, and the record of both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from pytest_codereason.core.programs import AxisValue

Outcome = Literal["correct", "wrong", "invalid", "truncated", "refused", "too-long", "skipped", "error"]

Finish = Literal["stop", "length", "refused", "too-long"]

#: A number as JSON has it: 1 stays 1, and does not become 1.0.
Number = int | float

#: Outcomes that say something about the model; the others leave every denominator.
SCORED: frozenset[Outcome] = frozenset({"correct", "wrong", "invalid", "truncated", "refused", "too-long"})

#: Outcomes in which the model gave an answer of its own, right or wrong.
ANSWERED: frozenset[Outcome] = frozenset({"correct", "wrong", "invalid"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one completion, or of several added up. ``None`` is unknown, never zero."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None

    def __add__(self, other: Usage) -> Usage:
        def plus(a: int | None, b: int | None) -> int | None:
            return None if a is None and b is None else (a or 0) + (b or 0)

        return Usage(**{f.name: plus(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model replied to one :class:`Ask`; ``text`` starts after the prefill."""

    text: str
    finish: Finish = "stop"
    prefilled: bool = False  #: whether the reply continues the prefill
    usage: Usage = Usage()
    reasoning: str | None = None  #: the model's thinking, where the endpoint shows it
    latency_s: float | None = None
    served_by: str | None = None  #: the model name the endpoint reports
    endpoint: str | None = None  #: the address that answered, where a model has several
    failed_at: tuple[str, ...] = ()  #: the addresses that were asked before it and gave no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement of a task on the replies to one question."""

    outcome: Outcome
    expected: str
    answer: str | None = None
    reason: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    audit: Sequence[Mapping[str, Any]] = ()  #: see :attr:`Record.audit`
    #: what the verdict rests on beside the replies, as values of JSON: enough for :meth:`Task.judge_again`
    grounds: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a record holds of an answer: enough to judge it once more, without its program."""

    expected: str  #: see :attr:`Verdict.expected`
    grounds: Mapping[str, Any]  #: see :attr:`Verdict.grounds`
    replies: Sequence[Completion]  #: to each question, in their order


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A ratio of sums: F1 over edges is ``Ratio(part={"tp": 2}, whole={"tp": 2, "fp": 1, "fn": 1})``.

    Each answer comes with the numbers that are named (``Verdict.metrics``). They are added up over all answers, and
    then divided. So an answer counts by the size of its whole.
    """

    part: Mapping[str, float]  #: how often each number counts in the part
    whole: Mapping[str, float]  #: how often each number counts in the whole
    by_language: bool = False  #: whether there is a ratio for each language, and the metric is their mean

    def __hash__(self) -> int:
        return hash((*self.part.items(), *self.whole.items(), self.by_language))

    def describe(self) -> dict[str, object]:
        """The ratio as JSON."""
        return {"part": dict(self.part), "whole": dict(self.whole), "by_language": self.by_language}


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A number that a task gives each answer. ``of`` says over which outcomes it is averaged."""

    name: str  #: as gates and columns name it
    title: str = ""  #: what readers see; its name where nothing is given
    of: frozenset[Outcome] = SCORED  #: the outcomes over which it is averaged
    binary: bool = True  #: whether the number of an answer is 0 or 1
    higher_is_better: bool = True  #: whether more is better
    proportion: bool = False  #: though not ``binary``, the number of an answer is never below 0 nor above 1
    #: pass@k: the chance that one of so many samples of an instance is right; ``None`` is an average over answers
    k: int | None = None
    every: bool = False  #: pass^k, beside ``k``: the chance that all of so many samples are right
    #: the axis and the value of it at which there is such a number, ``None`` for any; answers without one are left out
    only: tuple[str, AxisValue | None] | None = None
    #: whether its number follows from the outcome: 1 for a correct answer, 0 for any other
    right: bool = False
    outcome: Outcome | None = None  #: the metric is the share of answers with this outcome, whatever the task
    #: the metric is a ratio of sums over answers, see :class:`Ratio`; ``None`` is a mean over answers
    ratio: Ratio | None = None
    #: axes over whose values a headline pools it, though figures keep them apart: what is lost under any perturbation
    pools: tuple[str, ...] = ()
    #: the axis over which it is fitted: it is no mean over answers, but a property of a curve through all of them
    curve: str | None = None

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name)

    @property
    def is_share(self) -> bool:
        """Whether its values lie between 0 and 1, and are written in percent."""
        return self.binary or self.ratio is not None

    def describe(self) -> dict[str, object]:
        """The metric as JSON, for ``run.json`` and ``summary.json``."""
        return {
            "name": self.name,
            "title": self.title,
            "of": sorted(self.of),
            "binary": self.binary,
            "higher_is_better": self.higher_is_better,
            "proportion": self.proportion,
            "k": self.k,
            "only": self.only,
            "outcome": self.outcome,
            "ratio": self.ratio and self.ratio.describe(),
            **({"every": True} if self.every else {}),
            **({"pools": list(self.pools)} if self.pools else {}),
            **({"curve": self.curve} if self.curve else {}),
        }


def find_limits(metrics: Iterable[Metric]) -> dict[str, float]:
    """The highest value that each number of an answer can have, by its name. The lowest is 0.

    A number without limits, such as a distance, is not among them.
    """
    limits: dict[str, float] = {}
    for metric in metrics:
        if metric.ratio:
            for name in (*metric.ratio.part, *metric.ratio.whole):
                limits.setdefault(name, math.inf)
        elif (metric.binary or metric.proportion) and not metric.k and not metric.outcome:
            limits[metric.name] = 1.0
    return limits


def check_numbers(limits: Mapping[str, float], numbers: Mapping[str, float | None]) -> None:
    """Checks the numbers of an answer by what :func:`find_limits` gives.

    Raises:
        ValueError: a number is beyond its limits, infinite, or NaN.
    """
    for name, highest in limits.items():
        number = numbers.get(name)
        if number is not None and not (0 <= float(number) <= highest and math.isfinite(float(number))):
            upwards = "up" if math.isinf(highest) else f"to {highest:g}"
            raise ValueError(f"the number {name} is {number}, and not from 0 {upwards}")


def make_pass_at(k: int) -> Metric:
    """The chance that one of ``k`` samples of a question is right."""
    return Metric(name=f"pass@{k}", title=f"pass@{k}", binary=False, k=k)


def make_pass_every(k: int) -> Metric:
    """The chance that all of ``k`` samples of a question are right."""
    return Metric(name=f"pass^{k}", title=f"pass^{k}", binary=False, k=k, every=True)


#: The names of the figures of a fitted curve.
H50, LAPSE = "h50", "lapse"


def make_fitted(axis: str) -> tuple[Metric, Metric]:
    """The figures of the curve of right answers over an axis: where half are right, and how often the easiest fail."""
    return (
        Metric(name=H50, title=f"Horizon ({axis})", binary=False, curve=axis),
        Metric(name=LAPSE, title="Lapse rate", binary=False, proportion=True, higher_is_better=False, curve=axis),
    )


#: The share of answers that the token limit cut off. Every suite has it, for gates and ``summary.json``.
TRUNCATED = Metric(name="truncated", title="Truncated", higher_is_better=False, outcome="truncated")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordStep:
    """One request to a model, and its reply. Logs of other tools have the messages and the reply alone."""

    messages: Sequence[Mapping[str, str]] = ()  #: the turns of the conversation: each a ``role`` and its ``content``
    prefill: str = ""  #: the beginning of the reply, as it was given to the model
    prefilled: bool = False  #: whether the reply continues the prefill
    response: str | None = None  #: the reply
    reasoning: str | None = None  #: the model's thinking, where the endpoint shows it
    finish: Finish | None = None  #: why the reply ends
    served_by: str | None = None  #: the model name the endpoint reports
    usage: Mapping[str, Number | None] = field(default_factory=dict)  #: tokens, as in :attr:`Record.usage`
    cost: float | None = None  #: US dollars
    latency_s: float | None = None  #: seconds
    answered_at: float | None = None  #: when the reply was given, in seconds since the epoch
    reused: bool = False  #: whether the reply comes from the store
    endpoint: str | None = None  #: the address that answered; absent where the model has one alone
    failed_at: Sequence[str] = ()  #: the addresses that were asked before it and gave no answer; absent beside it

    def row(self) -> dict[str, object]:
        """The step as JSON-ready values."""
        content = {**shallow(self), "messages": list(self.messages), "usage": dict(self.usage)}
        if self.endpoint is None:
            del content["endpoint"], content["failed_at"]
        return content


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """All data about one sample of one instance on one model: one row of ``records.jsonl``."""

    id: str  #: the question: ``python/0007[digits:2]``
    family: str  #: the program it is about; answers of one family are not independent
    suite: str  #: the name of its suite
    task: str = ""  #: the task of the suite
    language: str  #: the language of the program
    axes: Mapping[str, AxisValue]  #: the value of each axis that the suite varies
    model: str  #: the label of the model: its spec, or the name that the user gave it
    sample: int  #: which of several answers to the question, from 0
    outcome: Outcome  #: ``correct``, ``wrong``, ``invalid`` ...: see outcomes
    #: 0 for the answer that counts, 1 for one to the question asked once more (``--eval-repeat``), which is in no score
    repeat: int = 0
    reason: str = ""  #: why the answer is neither right nor wrong
    metrics: Mapping[str, Number | None] = field(default_factory=dict)  #: the numbers of the task, by name
    expected: str = ""  #: the right answer
    answer: str | None = None  #: what was read from the reply; ``None`` where nothing was
    response: str | None = None  #: the whole last reply
    steps: Sequence[RecordStep] = ()  #: every request with its messages, reply and reasoning
    #: tokens: ``prompt``, ``completion``, ``reasoning``, ``cached``
    usage: Mapping[str, Number | None] = field(default_factory=dict)
    #: numbers about the reasoning, see ``questions/replies/reasoning.py``
    trace: Mapping[str, Number] = field(default_factory=dict)
    cost: float | None = None  #: US dollars, ``None`` where the price is unknown
    latency_s: float | None = None  #: seconds from the first request to the last reply
    reused: bool = False  #: answered from the store, not asked in this run
    plan: str = ""  #: digest of what the suite asks and how it scores
    program_sha: str = ""  #: digest of the program
    repository: str = ""  #: where its program was found, see :attr:`Program.repository`
    sandbox: str = "none"  #: the isolation in which programs were run for it
    #: who wrote the hint that is shown: a model, ``rule``, ``rule: refused``; empty where there is none
    hint_by: str = ""
    #: who wrote each kind of text that is shown: ``{"names": "openai:x"}``, else ``rule``
    texts_by: Mapping[str, str] = field(default_factory=dict)
    #: when each text from the store was written, in seconds since the epoch: ``{"hint output": 1795000000.0}``
    texts_reused: Mapping[str, float] = field(default_factory=dict)
    #: how many texts of the rule failed before those that are shown: ``{"fault": {"equivalent": 2, "never ends": 1}}``
    rejections: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unchanged: str = ""  #: why its program is the unperturbed one, such as ``there is no condition to rewrite``
    #: calls on which its changed program was seen to do what the original does
    checked_calls: int = 0
    #: places changed in the study's words, and in safe words: ``{"conditions": {"published": 3, "safe": 1}}``
    forms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: each wrong or missed edge of a call graph with its ``tag``, ``file``, ``line`` and ``code``; at most 100
    audit: Sequence[Mapping[str, Any]] = ()
    #: what the verdict rests on beside the replies, such as the call, the right value, how a call with the answer ended
    grounds: Mapping[str, Any] = field(default_factory=dict)
    traceback: str = ""  #: of an exception in a part, for its author
    #: where adaptive asking chose the question: ``round``, and ``place`` among those of its cell, from 1
    adaptive: Mapping[str, int] = field(default_factory=dict)

    def row(self) -> dict[str, object]:
        """The record as JSON-ready values."""
        names = ("axes", "metrics", "usage", "trace", "forms", "texts_reused", "rejections", "grounds", "adaptive")
        copies = {name: dict(getattr(self, name)) for name in names}
        steps = [step.row() for step in self.steps]
        content = {**shallow(self), **copies, "steps": steps, "audit": list(self.audit)}
        if not self.adaptive:
            del content["adaptive"]
        return content


def shallow(value: Any) -> dict[str, Any]:  # of whatever class: its fields have any type
    """The fields of one of these values, one level deep. ``dataclasses.asdict`` would copy all levels."""
    return {name: getattr(value, name) for name in value.__slots__}
