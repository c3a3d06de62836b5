"""What ``run.json`` says of a run before it begins."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pytest_codereason import __version__
from pytest_codereason.core import Model
from pytest_codereason.session.settings import Settings
from pytest_codereason.suites.suite import Suite

if TYPE_CHECKING:
    from pytest_codereason.session.evaluation import Evaluation


def describe(
    config: pytest.Config, evaluation: Evaluation, suites: Mapping[str, Suite], selected: Counter[str]
) -> dict[str, Any]:
    """The content of ``run.json``; what only the end of the run knows is ``None`` or ``False``."""
    settings, models, writer = evaluation.settings, evaluation.models, evaluation.writer
    totals = {name: len(suite) * len(models) for name, suite in suites.items()}
    whole = totals == selected and not config.option.keepduplicates
    return {
        "format": 1,
        "codereason": __version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "finished": None,
        "argv": ["pytest", *map(str, config.invocation_params.args)],
        "versions": {"python": platform.python_version(), "pytest": pytest.__version__},
        "models": {
            label: {"identity": dict(model.identity), "pinned": model.pinned, "price": model.price}
            for label, model in models.items()
        },
        "writer": None if writer is None else {writer.label: dict(writer.identity)},
        "suites": {name: _describe_suite(config, suite, selected[name]) for name, suite in suites.items()},
        "gates": list(settings.gates),
        "selection": None if whole else f"{selected.total():,} of {sum(totals.values()):,} questions",
        "complete": False,
        "sandbox": "none",
        "concurrency": concurrency(settings, models),
        "store": str(settings.store),
        "hints": {},
        "reused": 0,
        "reused_oldest_s": None,
        "cost": None,
        "wall_s": None,
    }


def concurrency(settings: Settings, models: Mapping[str, Model]) -> int:
    """Requests in flight, all processes together."""
    return settings.concurrency or max(model.concurrency for model in models.values())


def _describe_suite(config: pytest.Config, suite: Suite, selected: int) -> dict[str, Any]:
    inside = suite.path.is_relative_to(config.rootpath)
    return {
        "file": str(suite.path.relative_to(config.rootpath) if inside else suite.path),
        "task": suite.task.name,
        "plan": suite.plan,
        "instances": len(suite),
        "selected": selected,
        "samples": suite.most_samples,
        "metrics": [
            {
                "name": metric.name,
                "title": metric.title,
                "of": sorted(metric.of),
                "binary": metric.binary,
                "higher_is_better": metric.higher_is_better,
                "k": metric.k,
                "only": metric.only,
            }
            for metric in suite.metrics
        ],
        "axes": {"language": list(suite.languages), **{axis: list(values) for axis, values in suite.matrix.items()}},
    }
