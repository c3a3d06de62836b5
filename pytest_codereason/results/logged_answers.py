"""Answers that are read from another tool's log, in one shape for all formats, before they become a run."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from pytest_codereason.core import SCORED, AxisValue, Metric, Outcome
from pytest_codereason.results.log_format import Log
from pytest_codereason.results.records.records import OUTCOMES
from pytest_codereason.results.runs.run_info import ModelInfo, RunInfo, SuiteInfo

#: What a question says of itself if it was written by ``codereason export`` or ``codereason table``.
FACTS = ("family", "language", "axes")
#: Where nobody says in which language the program of a question is written.
UNKNOWN = "unknown"

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedAnswer:
    """One answer of a model to one question of a task."""

    id: str
    messages: Sequence[Message] = ()
    expected: str = ""
    response: str | None = None
    answer: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)  #: the first is the headline
    sample: int = 0
    outcome: Outcome | None = None  #: where the log tells more than whether the answer is right
    reason: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)  #: see :data:`FACTS`
    usage: Mapping[str, int | None] = field(default_factory=dict)
    latency_s: float | None = None


def build_log(
    tasks: Mapping[str, Iterable[LoggedAnswer]],
    *,
    tool: str,
    model: str,
    started: str = "",
    lower_is_better: Collection[str] = (),
    untold: Collection[Outcome] = (),
) -> Log:
    """The run of a model that another tool has asked, one suite a task.

    Args:
        tool: the name and version of the tool.
        lower_is_better: names of scores of which less is better.
        untold: outcomes that the log does not tell from wrong answers.
    """
    suites, rows = {}, []
    for name, answers in tasks.items():
        listed = list(answers)
        suites[name] = _describe_suite(listed, tool, frozenset(lower_is_better), frozenset(untold))
        rows += [_make_row(each, name, model) for each in listed]
    info = RunInfo(
        tool=tool, started=started, models={model: ModelInfo(identity={"model": model}, spec=model)}, suites=suites
    )
    return Log(info, rows)


def read_facts(content: Any) -> dict[str, object]:
    """What a question says of itself, from a foreign object in which that may stand."""
    known = content if isinstance(content, Mapping) else {}
    facts = {name: known[name] for name in ("family", "language") if isinstance(known.get(name), str)}
    axes = known.get("axes")
    if isinstance(axes, Mapping) and all(isinstance(value, AxisValue) for value in axes.values()):
        facts["axes"] = dict(axes)
    return facts


def list_records(log: Log, suite: str, model: str) -> list[Mapping[str, Any]]:
    """The records of a suite and model that were asked, answered or not."""
    return [row for row in log.rows if (row["suite"], row["model"]) == (suite, model) and row["outcome"] != "skipped"]


def measure_scores(rows: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of each score over the records that have one."""
    values: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row["metrics"].items():
            values.setdefault(name, []).append(value)
    return {name: fmean(every) for name, every in values.items()}


def read_outcome(value: Any) -> Outcome | None:
    """The outcome of that name; ``None`` if it is none."""
    return next((outcome for outcome in OUTCOMES if outcome == value), None)


def read_score(value: Any) -> float | None:
    """A score as a number; ``None`` if it is none, such as a pair of numbers that is summed up later."""
    if not isinstance(value, (bool, int, float)) or not math.isfinite(value):
        return None
    return float(value)


def _describe_suite(
    answers: Sequence[LoggedAnswer], tool: str, lower: frozenset[str], untold: frozenset[Outcome]
) -> SuiteInfo:
    scores: dict[str, set[float]] = {}
    axes: dict[str, dict[AxisValue, None]] = {"language": {}}
    for each in answers:
        for name, value in each.scores.items():
            scores.setdefault(name, set()).add(value)
        axes["language"][each.facts.get("language", UNKNOWN)] = None
        for axis, value in each.facts.get("axes", {}).items():
            axes.setdefault(axis, {})[value] = None
    metrics = tuple(
        Metric(
            name=name,
            title=name,
            binary=values <= {0.0, 1.0},
            proportion=all(0 <= value <= 1 for value in values),
            higher_is_better=name not in lower,
        )
        for name, values in scores.items()
    )
    questions = len({each.id for each in answers})
    return SuiteInfo(
        task=tool,
        plan=_digest(answers, tool, tuple(scores)),
        instances=questions,
        selected=questions,
        whole=questions,
        metrics=metrics,
        axes={axis: tuple(values) for axis, values in axes.items()},
        resolved={"scorer": tool},
        untold=frozenset() if all(each.outcome for each in answers) else untold,
    )


def _digest(answers: Sequence[LoggedAnswer], tool: str, scores: Sequence[str]) -> str:
    """A digest of what was asked and by what it was scored; equal for two models that the tool asked alike."""
    asked = sorted({(each.id, json.dumps([*map(dict, each.messages)]), each.expected) for each in answers})
    return hashlib.sha256(json.dumps([tool, scores, asked]).encode()).hexdigest()


def _make_row(answer: LoggedAnswer, suite: str, model: str) -> dict[str, object]:
    outcome = answer.outcome or ("correct" if next(iter(answer.scores.values()), 0.0) >= 1 else "wrong")
    return {
        "id": answer.id,
        "family": answer.facts.get("family", answer.id),
        "suite": suite,
        "language": answer.facts.get("language", UNKNOWN),
        "axes": answer.facts.get("axes", {}),
        "model": model,
        "sample": answer.sample,
        "outcome": outcome,
        "reason": answer.reason,
        "metrics": dict(answer.scores) if outcome in SCORED else {},
        "expected": answer.expected,
        "answer": answer.answer,
        "response": answer.response,
        "steps": [{"messages": list(answer.messages), "response": answer.response}],
        "usage": dict(answer.usage),
        "latency_s": answer.latency_s,
    }
