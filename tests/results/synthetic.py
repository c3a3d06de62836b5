"""Made-up runs with known properties, for the tests of results and reporters."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_codereason.core import Record
from pytest_codereason.core.files.typed_json import convert
from pytest_codereason.results.records.records import RecordSource
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import parse_run

SCORED = ["correct", "wrong", "invalid", "truncated", "refused", "too-long"]
ANSWERED = ["correct", "wrong", "invalid"]
METRICS: list[dict[str, Any]] = [
    {"name": "exact", "title": "Exact match", "of": SCORED, "binary": True, "higher_is_better": True},
    {"name": "partial", "title": "Partial match", "of": SCORED, "binary": False, "higher_is_better": True},
    {"name": "exact_answered", "title": "Exact, answered", "of": ANSWERED, "binary": True, "higher_is_better": True},
    {"name": "unresolved", "title": "Unresolved", "of": ANSWERED, "binary": True, "higher_is_better": False},
]
AXES: dict[str, list[Any]] = {
    "language": ["python", "javascript", "php"],
    "digits": [2, 4],
    "prompting": ["direct", "cot"],
}
MODELS = ["openai:strong-1", "local:smollm2"]


def make_run(
    *,
    suites: dict[str, dict[str, list[Any]]] | None = None,
    models: list[str] | None = None,
    families: int = 100,
    **changes: Any,
) -> dict[str, Any]:
    """The content of a ``run.json``; ``changes`` replace its top-level entries."""
    return {
        "format": 1,
        "codereason": "0.1.0",
        "started": "2026-11-21T10:00:00+00:00",
        "finished": "2026-11-21T10:03:12+00:00",
        "argv": ["pytest", "--model=openai:strong-1", "suites/semtrace.suite.toml"],
        "versions": {"python": "3.11.9", "pytest": "9.2.0"},
        "models": {
            label: {"identity": {"model": label, "endpoint": "https://api.example/v1"}, "pinned": False, "price": None}
            for label in models or MODELS
        },
        "suites": {
            name: {
                "file": f"suites/{name}.suite.toml",
                "task": "output-prediction",
                "plan": "3f2a" * 16,
                "instances": families * 12,
                "selected": families * 12,
                "metrics": METRICS,
                "axes": axes,
            }
            for name, axes in (suites or {"semtrace": AXES}).items()
        },
        "selection": None,
        "complete": True,
        "sandbox": "none",
        "concurrency": 32,
        "store": "/home/user/.cache/pytest-codereason/answers.sqlite",
        "reused": 12,
        "reused_oldest_s": 86_400.0,
        "cost": 0.41,
        "wall_s": 192.0,
        **changes,
    }


def make_row(**changes: Any) -> dict[str, Any]:
    """One record, right unless ``changes`` say otherwise. A skipped question has no answer."""
    right = float(changes.get("outcome", "correct") == "correct")
    unasked: dict[str, Any] = (
        {"metrics": {}, "answer": None, "response": None} if changes.get("outcome") == "skipped" else {}
    )
    return {
        "id": "python/0000[digits:2]",
        "family": "0000",
        "suite": "semtrace",
        "task": "output-prediction",
        "language": "python",
        "axes": {"digits": 2, "prompting": "direct"},
        "model": "m",
        "sample": 0,
        "outcome": "correct",
        "reason": "",
        "metrics": {"exact": right, "partial": right, "exact_answered": right, "unresolved": 0.0},
        "expected": "[1, 2]",
        "answer": "[1, 2]",
        "response": "[1, 2]",
        "steps": [],
        "usage": {"prompt": 100, "completion": 10, "reasoning": None, "cached": None},
        "cost": None,
        "latency_s": 0.5,
        "reused": False,
        "plan": "",
        "program_sha": "",
        "sandbox": "none",
        **unasked,
        **changes,
    }


def make_record(**changes: Any) -> Record:
    """:func:`make_row` as it is read."""
    return convert(Record, make_row(**changes))


def make_rows(
    run: dict[str, Any], *, families: int = 100, samples: int = 1, seed: int = 2026, response: str = ""
) -> Iterator[dict[str, Any]]:
    """Records of every suite and model of ``run``: programs differ in difficulty, digits and languages cost."""
    draw = random.Random(seed)
    for (suite, about), (strength, model) in itertools.product(run["suites"].items(), enumerate(run["models"])):
        names, values = list(about["axes"]), list(about["axes"].values())
        for number in range(families):
            ease = draw.gauss(1.4 - 1.3 * strength, 1.2)
            for point in itertools.product(*values):
                axes = dict(zip(names, point, strict=True))
                steps = sum(list(about["axes"][a]).index(v) * (0.35 + 0.5 * (a == "digits")) for a, v in axes.items())
                chance = 1 / (1 + 2.718281828 ** -(ease - steps))
                for sample in range(samples):
                    named = {"suite": suite, "model": model, "sample": sample, "family": f"{number:04}"}
                    yield _row(draw, named, axes, chance, response)


def _row(
    draw: random.Random, named: dict[str, Any], axes: dict[str, Any], chance: float, response: str
) -> dict[str, Any]:
    truth = [draw.randint(-180, 180) for _ in range(draw.randint(4, 10))]
    outcome, answer, reason = "correct", list(truth), ""
    if draw.random() > chance:
        outcome = draw.choices(["wrong", "invalid", "truncated", "refused", "error"], [82, 8, 6, 2, 2])[0]
        for place in draw.sample(range(len(truth)), draw.randint(1, len(truth))):
            answer[place] += draw.choice([-10, -1, 1, 10])
        reason = {"error": "rate limit: patience spent", "invalid": "no list in the reply"}.get(outcome, "")
    right = sum(a == b for a, b in zip(answer, truth, strict=True)) / len(truth)
    answered, exact = outcome in ANSWERED, float(outcome == "correct")
    graded = right if outcome in ("correct", "wrong") else 0.0
    metrics = {
        "exact": exact,
        "partial": graded,
        "exact_answered": exact,
        "unresolved": float(draw.random() < 0.04 and not exact),
    }
    text = str(answer) if outcome in ("correct", "wrong") else "I would rather say nothing."
    language = axes["language"]
    inside = ",".join(f"{k}:{v}" for k, v in axes.items() if k != "language")
    return make_row(
        **named,
        id=f"{language}/{named['family']}[{inside}]",
        language=language,
        axes={k: v for k, v in axes.items() if k != "language"},
        outcome=outcome,
        reason=reason,
        metrics={}
        if outcome == "error"
        else {k: v for k, v in metrics.items() if answered or k in ("exact", "partial")},
        expected=str(truth),
        answer=text if outcome in ("correct", "wrong") else None,
        response=None if outcome == "error" else f"{response}{text}",
        usage={"prompt": 180, "completion": 12 + len(text), "reasoning": None, "cached": None},
        latency_s=None if outcome == "error" else draw.lognormvariate(-0.7, 0.5),
        cost=0.0004 if named["model"].startswith("openai:") else None,
    )


def build_data(run: dict[str, Any], records: RecordSource) -> RunData:
    """The run of these records, in memory or in a file."""
    return RunData.build({"run": (parse_run(run), records)})


def write_run(folder: Path, run: dict[str, Any], rows: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> Path:
    """A run folder with ``run.json`` and ``records.jsonl``; the path of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    path = folder / "records.jsonl"
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return path
