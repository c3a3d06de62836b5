"""Records of scripted localisers: models whose answers about planted faults are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from pytest_codereason.core import Task
from pytest_codereason.registry import find

FAULTS = ("off-by-one", "operator-swap")
QUARTERS = (1, 2, 3, 4)


#: What a model answers: given the question and the perturbation, whether it names the faulty line.
Localiser = Callable[["Question", str, int], bool]


class Question:
    """One planted fault."""

    def __init__(self, program: int, language: str, fault: str, quarter: int) -> None:
        self.program, self.language, self.fault, self.quarter = program, language, fault, quarter


def list_questions(programs: int = 20, languages: Sequence[str] = ("python",)) -> list[Question]:
    return [Question(*cell) for cell in product(range(programs), languages, FAULTS, QUARTERS)]


def describe_run(
    suites: Mapping[str, tuple[str, Sequence[str]]],
    models: Iterable[str],
    languages: Sequence[str] = ("python",),
    *,
    baselines: Iterable[str] = (),
) -> dict[str, Any]:
    """``run.json`` of suites, each with its task and its perturbations."""
    axes: dict[str, Any] = {"language": list(languages), "fault": list(FAULTS), "fault_quarter": list(QUARTERS)}
    described = {
        name: {
            "task": task,
            "metrics": [metric.describe() for metric in find(Task, task).metrics],
            "axes": axes | ({"perturbation": list(values)} if values else {}),
        }
        for name, (task, values) in suites.items()
    }
    identities = {name: {"identity": {"baseline": name}} for name in baselines}
    return {"suites": described, "models": {**dict.fromkeys(models), **identities}}


def localise(
    suite: str, model: str, questions: Iterable[Question], localiser: Localiser, values: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The records of one step."""
    rows = []
    for question, value in product(questions, values or ("",)):
        right = localiser(question, value or "none", 0)
        metrics = {"exact": float(right), "answer_quarter": float(question.quarter if right else 1)}
        rows.append(_record(suite, model, question, value, right, metrics))
    return rows


def localise_twice(
    suite: str, model: str, questions: Iterable[Question], localiser: Localiser, values: Sequence[str]
) -> list[dict[str, Any]]:
    """The records of two steps: the second is asked only where the first was right."""
    rows = []
    for question, value in product(questions, values):
        first = localiser(question, "none", 0)
        second = first and localiser(question, value, 1)
        counts = {"first": first, "exact_first": first}
        lost = first and not second
        counts |= {"flipped": lost} if value == "none" else {"lost": lost, "kept": second, "stale": False}
        metrics = {name: float(count) for name, count in counts.items()}
        rows.append(_record(suite, model, question, value, second, metrics))
    return rows


def _record(
    suite: str, model: str, question: Question, value: str, right: bool, metrics: Mapping[str, float]
) -> dict[str, Any]:
    axes: dict[str, Any] = {"fault": question.fault, "fault_quarter": question.quarter}
    axes |= {"perturbation": value} if value else {}
    text = ",".join(f"{axis}:{each}" for axis, each in axes.items())
    return {
        "suite": suite,
        "model": model,
        "id": f"{question.language}/{question.program:04d}[{text}]",
        "family": f"{question.program:04d}",
        "language": question.language,
        "axes": axes,
        "sample": 0,
        "outcome": "correct" if right else "wrong",
        "metrics": {"fault_quarter_shown": float(question.quarter), **metrics},
    }
