"""Describes a run for ``run.json``, before the run begins."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason import __version__
from pytest_codereason.core import Model, Stage
from pytest_codereason.engine.authoring import identify_writer
from pytest_codereason.errors import blame
from pytest_codereason.options import Options
from pytest_codereason.results.published_facts import load_texts
from pytest_codereason.suites.suite import Suite


@dataclass(frozen=True, kw_only=True)
class Command:
    """How pytest was called."""

    arguments: tuple[str, ...]
    root: Path  #: pytest's root folder
    collects_only: bool  #: ``--collect-only``
    keeps_duplicates: bool  #: ``--keep-duplicates``
    files: frozenset[Path]  #: the files named on the command line
    selector: str  #: the options that select questions, as text; the same in each process

    @classmethod
    def read(cls, config: pytest.Config, options: Options) -> Command:
        """The command of a pytest run."""
        return cls(
            arguments=tuple(map(str, config.invocation_params.args)),
            root=config.rootpath,
            collects_only=config.option.collectonly,
            keeps_duplicates=config.option.keepduplicates,
            files=frozenset(config.invocation_params.dir / each.partition("::")[0] for each in config.args),
            selector=_describe_selector(config, options),
        )


#: Options of pytest that leave questions out, by their names in its configuration.
SELECTING = ("keyword", "markexpr", "deselect", "lf", "stepwise")


def _describe_selector(config: pytest.Config, options: Options) -> str:
    """For example ``keyword='php' limit=40``; empty if every question of each suite is asked."""
    given = {name: config.getoption(name, None) for name in SELECTING}
    given |= {"limit": options.limit, "shard": options.shard}
    given["ids"] = sorted(argument.partition("::")[2] for argument in config.args if "::" in argument)
    return " ".join(f"{name}={value!r}" for name, value in given.items() if value)


def describe_run(
    command: Command,
    options: Options,
    models: Mapping[str, Model],
    writer: Model | None,
    suites: Mapping[str, Suite],
    selected: Counter[str],
    left_out: Mapping[str, str],
) -> dict[str, Any]:
    """The content of ``run.json``. Values that are known only at the end of the run are ``None`` or ``False``."""
    totals = {name: len(suite) * len(models) for name, suite in suites.items()}
    whole = totals == selected and not command.keeps_duplicates
    return {
        "format": 1,
        "codereason": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "finished": None,
        "argv": ["pytest", *command.arguments],
        "versions": {"python": platform.python_version(), "pytest": pytest.__version__},
        "models": {
            label: {
                "spec": model.spec,
                "identity": dict(model.identity),
                "sampling": dict(model.sampling),
                "concurrency": options.concurrency or model.concurrency,
                "pinned": model.pinned,
                "price": model.price,
            }
            for label, model in models.items()
        },
        "writer": None if writer is None else {writer.label: identify_writer(writer)},
        "suites": {name: _describe_suite(command.root, suite, selected[name]) for name, suite in suites.items()},
        "left_out": dict(left_out),
        "gates": list(options.gates),
        "figures": list(options.figures),
        "reporters": list(options.reporters),
        "published": load_texts(options.published),
        "selection": None if whole else f"{selected.total():,} of {sum(totals.values()):,} questions",
        "complete": False,
        "sandbox": "none",
        "concurrency": count_requests(options, models),
        "store": str(options.store),
        "hints": {},
        "unchanged": {},
        "forms": {},
        "reused": 0,
        "reused_oldest_s": None,
        "texts_reused": 0,
        "texts_reused_oldest_s": None,
        "cost": None,
        "wall_s": None,
    }


def count_requests(options: Options, models: Mapping[str, Model]) -> int:
    """The most requests that any model gets at a time, from all processes together."""
    return options.concurrency or max(model.concurrency for model in models.values())


def format_requests(options: Options, models: Mapping[str, Model]) -> str:
    """``up to 32 requests at a time to each``, or a number for each model: ``up to 32, 16 requests at a time``."""
    limits = [options.concurrency or model.concurrency for model in models.values()]
    if len(set(limits)) > 1:
        return f"up to {', '.join(f'{limit:,}' for limit in limits)} requests at a time"
    return f"up to {limits[0]:,} requests at a time{' to each' if len(limits) > 1 else ''}"


def _resolve_suite(suite: Suite) -> dict[str, Any]:
    """What decides which questions are asked and how, and the notes on what was left out."""
    with blame(suite.source):
        source = {"name": suite.source.name, **suite.source.identity}
        programs = {language: sum(1 for _ in suite.source.names(language)) for language in suite.languages}
    prompted = {axis for axes in suite.prompted.values() for axis in axes}
    return {
        "source": source,
        "programs": programs,
        "stages": [_describe_stage(suite, stage) for stage in suite.stages],
        "fixed": {axis: value for axis, value in suite.fixed.items() if axis not in prompted},
        "prompted": {way: dict(axes) for way, axes in suite.prompted.items()},
        "seed": suite.seed,
        "sampling": {way or "default": asdict(sampling) for way, sampling in suite.sampling.items()},
        "samples": {way or "default": samples for way, samples in suite.samples.items()},
        "templates": {way or "default": template.sha for way, template in suite.templates.items()},
        "prefill": suite.prefill,
        "texts": {kind: frozen.sha for kind, frozen in suite.texts.items()},
        "notes": suite.list_notes(),
    }


def _describe_stage(suite: Suite, stage: Stage) -> dict[str, Any]:
    """What decides what a stage does, and what is good to know of it."""
    with blame(stage):
        return {**suite.describe_stage(stage), **stage.details}


def _describe_suite(root: Path, suite: Suite, selected: int) -> dict[str, Any]:
    inside = suite.path.is_relative_to(root)
    return {
        "file": str(suite.path.relative_to(root) if inside else suite.path),
        "task": suite.task.name,
        "plan": suite.plan,
        "resolved": _resolve_suite(suite),
        "instances": len(suite),
        "selected": selected,
        "samples": suite.most_samples,
        "metrics": [metric.describe() for metric in suite.metrics],
        "axes": {"language": list(suite.languages), **{axis: list(values) for axis, values in suite.matrix.items()}},
    }
