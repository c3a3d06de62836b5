"""The prompt templates of a suite, read before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_codereason.core import Axis, Task, Template
from pytest_codereason.questions.suites.conditions import SuiteConditions
from pytest_codereason.questions.templates.loading import WithoutPrefill, load, load_for_task


@dataclass(frozen=True, kw_only=True)
class Prompts:
    """The templates of the questions of a suite."""

    folder: Path | None = None  #: the file or folder of the user's own templates; ``None`` for the shipped ones
    prefill: bool = True  #: whether a prompt may give the beginning of the reply
    templates: Mapping[str, Template]  #: by way of prompting
    #: the templates that have the model rewrite the program first, by the value of the axis that wants it
    rewritings: Mapping[str, Template] = field(default_factory=dict)


def load_prompts(
    task: Task,
    axes: Mapping[str, Axis],
    conditions: SuiteConditions,
    *,
    folder: Path | None = None,
    prefill: bool = True,
) -> Prompts:
    """The templates that a task needs under some conditions: the user's own where there is one, else the shipped.

    Raises:
        UsageError: there is no template, or it has a mistake.
    """

    def allow(template: Template) -> Template:
        return template if prefill else WithoutPrefill(template)

    asked = {name: axis.rewriting & conditions.list_values(name) for name, axis in axes.items() if axis.rewriting}
    ways = [str(value) for values in asked.values() for value in sorted(values, key=str)]
    own = {way: folder for way in ways if folder and (folder / f"{way}.jinja").exists()}
    return Prompts(
        folder=folder,
        prefill=prefill,
        templates={way: allow(load_for_task(task, way, folder)) for way in conditions.ways},
        rewritings={way: allow(load(way, way, own.get(way))) for way in ways},
    )
