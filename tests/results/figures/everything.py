"""One run about which every shipped figure has something to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from pytest_codereason.core import Task
from pytest_codereason.core.text.removals import format_removal
from pytest_codereason.registry import find
from pytest_codereason.results.figures.consistency import SAID
from pytest_codereason.results.runs.run_data import RunData
from tests.results.figures.fault_rows import describe_run, list_questions, localise, localise_twice
from tests.results.figures.rows import Axes, data, record

_PLACES = {"distractors": [0, 20, 80], "position": [0, 50, 100]}
_CHANGES = ["vanilla", "comments", "prints", "comments(density=0.5)"]
_MUTATIONS = ["none", "rename(strength=1)", "rename(strength=4)", "dead-code(place=1)", "dead-code(place=4)"]
_REMOVED = [format_removal(lines, 3) for lines in ((), (1,), (2,), (1, 3), (1, 2, 3))]

#: The suites that need nothing but right and wrong answers: task, axes, samples.
_PLAIN: Mapping[str, tuple[str, Mapping[str, list[Any]], int]] = {
    "lexical": ("function-retrieval", _PLACES, 1),
    "semtrace": ("output-prediction", _PLACES, 1),
    "ablation": ("output-prediction", {"removed": _REMOVED}, 1),
    "ladder": ("output-prediction", {"level": [1, 2, 3]}, 1),
    "horizon": ("output-prediction", {"steps": [1, 4, 16]}, 1),
    "crash": ("output-prediction", {"perturbation": _CHANGES, "prompting": ["direct", "cot"]}, 2),
    "twins": ("twins", {"twin": ["published", "fresh-input", "fresh-program"]}, 1),
    "said": ("output-prediction", {"perturbation": ["vanilla", *SAID], "prompting": ["direct", "cot"]}, 1),
    "guarded": ("output-prediction", {"perturbation": _CHANGES[:2], "defence": ["none", "ignore-comments"]}, 1),
}
_LANGUAGES = ("python", "javascript")


def make_everything(
    models: Mapping[str, float], baselines: Mapping[str, float] | None = None, programs: int = 9
) -> RunData:
    """A run of models and baselines, each with how often it is right."""
    baselines = baselines or {}
    fault_suites: dict[str, tuple[str, Sequence[str]]] = {
        "faults": ("fault-localization", []),
        "mutants": ("fault-robustness", _MUTATIONS),
    }
    of = describe_run(fault_suites, models)
    of["suites"] |= {
        name: {
            "task": task,
            "metrics": _describe_metrics(task),
            "axes": {"language": _list_languages(name)} | dict(axes),
        }
        for name, (task, axes, _) in _PLAIN.items()
    }
    of["suites"]["horizon"]["curve"] = "steps"
    of["suites"]["graphs"] = {
        "task": "call-graph", "metrics": _describe_metrics("call-graph"), "axes": {"language": [*_LANGUAGES]},
    }  # fmt: skip
    of["models"] |= {name: {"identity": {"baseline": name.partition(":")[2]}} for name in baselines}
    of["categories"] = {"mine.toml": _name_categories(models)} if models else {}
    skills = {**models, **baselines}
    rows = [row for model, skill in skills.items() for row in _answer(model, skill, programs)]
    return data(rows, of)


def _list_languages(suite: str) -> list[str]:
    return [*_LANGUAGES] if suite == "crash" else [_LANGUAGES[0]]


def _describe_metrics(task: str) -> list[Mapping[str, Any]]:
    return [metric.describe() for metric in find(Task, task).metrics]


def _name_categories(models: Mapping[str, float]) -> str:
    return "".join(
        f'[[models]]\nmatch = ["{name}"]\ncategories = ["open"]\nfamily = "f"\nversion = "{place}"\n'
        for place, name in enumerate(models)
    )


def _answer(model: str, skill: float, programs: int) -> Iterator[dict[str, Any]]:
    random = Random(model)
    for suite, (_, axes, samples) in _PLAIN.items():
        cells: list[Axes] = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
        for cell, program, language, sample in product(cells, range(programs), _list_languages(suite), range(samples)):
            plain = not program % 3 and set(cell.values()) & {"vanilla", "none", 0, 1}
            row = record(
                suite, model, program, cell, random.random() < skill or bool(plain and skill), language=language
            )
            doubt = random.randrange(3)
            if suite == "horizon":
                row["metrics"] |= {"stopped_at": float(cell["steps"]) if row["outcome"] == "correct" else 0.0}
            yield row | {
                "sample": sample,
                "usage": {
                    "completion": 50,
                    "reasoning": 20 + random.randrange(60) + 40 * ("comments" in cell.values()),
                },
                "trace": {"characters": 40.0, "collapsed": 0.0, "confusion.0": float(doubt), "confusion.3": 1.0},
                "steps": [{"reasoning": "wait, " * (1 + doubt), "response": "1", "usage": {"reasoning": 20}}],
            }
    yield from _answer_graphs(model, skill, programs, random)
    faults = list_questions(programs // 3)
    yield from localise("faults", model, faults, lambda *_: random.random() < skill)
    yield from localise_twice("mutants", model, faults, lambda *_: random.random() < skill, _MUTATIONS)


def _answer_graphs(model: str, skill: float, programs: int, random: Random) -> Iterator[dict[str, Any]]:
    for program, language in product(range(programs), _LANGUAGES):
        right = random.random() < skill
        tag = random.choice(["branch-not-taken", "never-called", "class-for-constructor"])
        counts = {"tp": 3, "fp": 0, "fn": 0} if right else {"tp": 2, "fp": 1, "fn": 1}
        row = record("graphs", model, program, {}, right, language=language)
        metrics = {name + end: float(many) for name, many in counts.items() for end in ("", "_strict")}
        metrics |= {"edges_direct": 3.0, "found_direct": float(counts["tp"])}
        edges: list[dict[str, Any]] = []
        if not right:
            edge = {"caller": "main", "callee": "main.f", "file": "", "line": 0, "code": "", "instead": "", "kind": ""}
            edges = [{**edge, "tag": tag}, {**edge, "tag": "left-out", "kind": "direct"}]
            metrics |= {f"{names}.{each}": 1.0 for names in ("audit", "audit_normalised") for each in (tag, "left-out")}
        yield row | {"metrics": row["metrics"] | metrics, "audit": edges}
