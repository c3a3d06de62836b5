"""A run with perturbed programs and whole conversations, whose answers the tests explore."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.reports.reporters.pages import Finished, finish
from tests.results.synthetic import make_rows, make_run, write_run

AXES: dict[str, list[Any]] = {"language": ["python", "php"], "perturbation": ["vanilla", "rename"], "digits": [2, 4]}


def build_run(folder: Path, *, families: int = 10, models: int = 2, response: str = "") -> Finished:
    """Answers of models to perturbed questions, ``families * models * 8`` of them."""
    run = make_run(suites={"semtrace": AXES}, models=[f"openai:model-{i}" for i in range(models)], families=families)
    return finish(folder, run, list(make_conversations(run, families=families, response=response)))


def make_conversations(run: dict[str, Any], **options: Any) -> Iterator[dict[str, Any]]:
    """The rows of :func:`make_rows` with what was asked in each."""
    for row in make_rows(run, **options):
        draw, name = random.Random(row["family"]), "total" if row["axes"]["perturbation"] == "vanilla" else "Var_1"
        body = [f"    {name} += x * {draw.randint(2, 99)}" for _ in range(draw.randint(6, 12))]
        code = [f"def f(x):\n    {name} = 0", *body, f"    return [{name}, x]"]
        question = "Replace ?? by the value.\n\n" + "\n".join(code) + "\n\nassert f(3) == ??"
        step = {
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}],
            "prefill": "assert f(3) ==",
            "response": row["response"],
            "reasoning": "First I multiply.",
            "finish": "length" if row["outcome"] == "truncated" else "stop",
        }
        yield row | {"steps": [step]}


def write_pair(folder: Path, *, families: int = 10) -> tuple[Path, Path]:
    """Two run folders of one model. The later one loses the right answers about every third renamed program."""
    run = make_run(suites={"semtrace": AXES}, models=["openai:model"], families=families)
    rows = list(make_conversations(run, families=families))
    run["suites"]["semtrace"] |= dict.fromkeys(("selected", "instances"), len({row["id"] for row in rows}))
    later = [_lose(row) if _is_lost(row) else row for row in rows]
    for name, each in (("old", rows), ("new", later)):
        write_run(folder / name, run, each)
    return folder / "old", folder / "new"


def _is_lost(row: dict[str, Any]) -> bool:
    return row["outcome"] == "correct" and row["axes"]["perturbation"] == "rename" and int(row["family"]) % 3 == 0


def _lose(row: dict[str, Any]) -> dict[str, Any]:
    metrics = dict.fromkeys(row["metrics"], 0.0)
    step = row["steps"][0] | {"response": "[9, 9]"}
    return row | {"outcome": "wrong", "answer": "[9, 9]", "response": "[9, 9]", "metrics": metrics, "steps": [step]}
