"""Describes a run for ``run.json``, before the run begins."""

from __future__ import annotations

import hashlib
import math
import platform
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from pytest_codereason import __version__
from pytest_codereason.core import AxisValue, Model, Stage
from pytest_codereason.core.adaptive import VERSION
from pytest_codereason.core.text.parts import spell_part
from pytest_codereason.engine.building.authoring import identify_writer
from pytest_codereason.engine.sharing.selection import place_programs
from pytest_codereason.errors import blame
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.suite import Suite, is_question
from pytest_codereason.results.measures.model_categories import load_text
from pytest_codereason.results.studies.published_facts import load_texts
from pytest_codereason.session.checking.checks import Selection
from pytest_codereason.session.checking.models import SELF
from pytest_codereason.session.order import Order

#: What only the records tell, and :func:`~pytest_codereason.reports.conclusion.conclude` writes.
_UNKNOWN: Mapping[str, object] = {
    "hints": {},
    "unchanged": {},
    "skipped": {},
    "forms": {},
    "rejections": {},
    "shared": 0,
    "reused": 0,
    "reused_oldest_s": None,
    "texts_reused": 0,
    "texts_reused_oldest_s": None,
    "cost": None,
}


def identify_questions(nodeids: Iterable[str]) -> str:
    """A digest of the questions among these items, the same in every order."""
    each = (hashlib.sha256(nodeid.encode()).digest() for nodeid in nodeids if is_question(nodeid))
    total = sum(int.from_bytes(name[:16], "big") for name in each)
    return f"{total % 2**128:032x}"


def describe_run(order: Order, selection: Selection, questions: str) -> dict[str, object]:
    """The content of ``run.json``. Values that are known only at the end of the run are ``None`` or ``False``.

    Args:
        questions: what :func:`identify_questions` gives for the questions of the run.
    """
    command, options, models = order.command, order.options, order.roster.models
    suites, selected = selection.suites, selection.counts
    totals = {name: len(suite) * len(models) for name, suite in suites.items()}
    whole = totals == selected
    return {
        "format": 1,
        "codereason": __version__,
        "started": datetime.now(UTC).isoformat(timespec="milliseconds"),  # the run's own answers are younger
        "finished": None,
        "argv": ["pytest", *command.arguments],
        "versions": {"python": platform.python_version(), "pytest": pytest.__version__},
        "models": {label: _describe_model(model, options) for label, model in models.items()},
        "writer": {writer.label: identify_writer(writer) for writer in order.roster.writers.values()} or None,
        "suites": {name: _describe_suite(order, suite, selected[name]) for name, suite in suites.items()},
        "left_out": dict(selection.left_out),
        "gates": list(options.gates),
        **({"repeat": spell_part(options.repeat)} if options.repeat else {}),
        **({"stop_when_decided": True} if options.stop_when_decided else {}),
        "baseline": None if options.baseline is None else str(options.baseline),
        "claim": options.claim,
        "undecided": options.undecided,
        "figures": list(options.figures),
        "reporters": list(options.reporters),
        "published": load_texts(options.published),
        "categories": load_text(options.categories),
        "sampled": command.is_sample and not whole,
        "selection": None if whole else f"{selected.total():,} of {sum(totals.values()):,} questions",
        "questions": questions,
        "complete": False,
        "sandbox": "none",
        "concurrency": count_requests(options, models),
        "store": str(options.store),
        **_UNKNOWN,
        "estimate": {},
        "spent": None,
        "wall_s": None,
    }


def _describe_model(model: Model, options: Options) -> dict[str, object]:
    return {
        "spec": model.spec,
        "identity": dict(model.identity),
        "sampling": dict(model.sampling),
        "concurrency": options.concurrency or model.concurrency,
        "pinned": model.pinned,
        "price": model.price,
    }


def count_requests(options: Options, models: Mapping[str, Model]) -> int:
    """The most requests that any model gets at a time, from all processes together."""
    return options.concurrency or max(model.concurrency for model in models.values())


def name_model(model: Model) -> str:
    """The label of a model, and how it was named where that is another name."""
    return model.label if model.spec == model.label else f"{model.label} ({model.spec})"


def format_header(order: Order) -> str:
    """The line above the collection: which models are asked, and who writes texts."""
    options, models, writers = order.options, order.roster.models, order.roster.writers
    sent = "nothing is sent" if options.dry_run else format_requests(options, models)
    written = "".join(f" · writer: {name_model(writer)}" for writer in dict.fromkeys(writers.values()))
    if options.writer == SELF:
        written = " · each model writes its own texts"
    return f"codereason: {', '.join(map(name_model, models.values()))} · {sent}{written}"


def format_requests(options: Options, models: Mapping[str, Model]) -> str:
    """``up to 32 requests at a time to each``, or a number for each model: ``up to 32, 16 requests at a time``."""
    if options.batch:
        return "in batches"
    limits = [options.concurrency or model.concurrency for model in models.values()]
    if len(set(limits)) > 1:
        return f"up to {', '.join(f'{limit:,}' for limit in limits)} requests at a time"
    return f"up to {limits[0]:,} requests at a time{' to each' if len(limits) > 1 else ''}"


def resolve_suite(suite: Suite) -> dict[str, object]:
    """What decides which questions are asked and how, and the notes on what was left out."""
    with blame(suite.source):
        source = {"name": suite.source.name, **suite.source.identity}
        programs = {language: sum(1 for _ in suite.source.names(language)) for language in suite.languages}
    prompted = {axis for axes in suite.conditions.prompted.values() for axis in axes}
    return {
        "source": source,
        "programs": programs,
        "stages": [_describe_stage(suite, stage) for stage in suite.stages],
        "fixed": {axis: value for axis, value in suite.conditions.fixed.items() if axis not in prompted},
        "prompted": {way: dict(axes) for way, axes in suite.conditions.prompted.items()},
        "seed": suite.seed,
        "sampling": {way or "default": asdict(sampling) for way, sampling in suite.drawing.settings.items()},
        "samples": {way or "default": samples for way, samples in suite.drawing.samples.items()},
        "templates": {way or "default": template.sha for way, template in suite.prompts.templates.items()},
        "template": suite.prompts.folder.name if suite.prompts.folder else "default",
        "prefill": suite.prompts.prefill,
        "prefilled": {way or "default": template.has_prefill for way, template in suite.prompts.templates.items()},
        "texts": {kind: frozen.sha for kind, frozen in suite.texts.items()},
        "left_out": suite.list_left_out(),
        "notes": suite.list_notes(),
    }


def _describe_stage(suite: Suite, stage: Stage) -> dict[str, object]:
    """What decides what a stage does, and what is good to know of it."""
    with blame(stage):
        return {**suite.describe_stage(stage), **stage.details}


def _describe_suite(order: Order, suite: Suite, selected: int) -> dict[str, object]:
    root, shard = order.command.root, order.options.shard
    inside = suite.path.is_relative_to(root)
    return {
        "file": str(suite.path.relative_to(root) if inside else suite.path),
        "task": suite.task.name,
        "task_version": suite.task.version,
        "plan": suite.plan,
        "resolved": resolve_suite(suite),
        "instances": len(suite),
        "selected": selected,
        "samples": suite.most_samples,
        "metrics": [metric.describe() for metric in suite.metrics],
        "axes": {axis: list(values) for axis, values in suite.varied.items()},
        **({"curve": suite.curve} if suite.curve else {}),
        **({"adaptive": {**asdict(suite.adaptive), "version": VERSION}} if suite.adaptive else {}),
        "cells": _count_cells(suite),
        "families": _count_families(suite),
        **({"shard": _describe_shard(suite, *shard)} if shard else {}),
    }


def _count_cells(suite: Suite) -> list[tuple[int, dict[str, AxisValue]]]:
    """How many questions the suite has in each condition, the language among its axes."""
    if Questions(suite).uniform:
        programs = {language: sum(1 for _ in suite.list_programs(language)) for language in suite.languages}
        cells = Counter({(language, cell): many for language, many in programs.items() for cell in suite.cells})
    else:
        cells = Counter((spec.language, spec.axes) for spec in suite.specs())
    return [(many, {"language": language, **dict(axes)}) for (language, axes), many in cells.items()]


def _count_families(suite: Suite) -> list[tuple[int, dict[str, AxisValue]]]:
    """How many families the suite has at the values of axes that change programs, in all languages and in each.

    Empty if programs are asked about under conditions of their own.
    """
    if not Questions(suite).uniform:
        return []
    names = {language: frozenset(suite.list_programs(language)) for language in suite.languages}
    changes = dict.fromkeys(
        tuple((axis, value) for axis, value in cell if suite.axes[axis].changes_program) for cell in suite.cells
    )
    among = [({}, frozenset[str]().union(*names.values())), *(({"language": each}, names[each]) for each in names)]
    return [(len(programs), {**where, **dict(change)}) for where, programs in among for change in changes]


def _describe_shard(suite: Suite, part: int, parts: int) -> dict[str, object]:
    """Which part is asked, and the place of each of its programs in the suite: ``codereason merge`` needs the order."""
    return {"part": part + 1, "of": parts, "programs": place_programs(suite, (part, parts))}


def compute_age(moment: float) -> float | None:
    """The seconds since a moment, ``None`` since an infinite one."""
    return round(time.time() - moment, 3) if moment < math.inf else None
