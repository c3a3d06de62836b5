"""A suite: its programs, its task and its axes. It lists questions; the engine builds them.

Ids are the plain product of program names and axes, so listing 100,000 questions builds and runs nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_codereason.core import (
    EMPTY,
    Axis,
    AxisValue,
    Instance,
    Metric,
    Sampling,
    Source,
    Spec,
    Stage,
    Task,
    Template,
    TextKind,
    digest,
)
from pytest_codereason.core.adaptive import VERSION, Adaptive
from pytest_codereason.core.answers import make_pass_at, make_pass_every
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.parts import Executes
from pytest_codereason.core.programs import Cell
from pytest_codereason.errors import blame
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.suites.conditions import SuiteConditions
from pytest_codereason.questions.suites.prompts import Prompts
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES, Drawing
from pytest_codereason.registry import find

SUFFIX = ".suite.toml"
#: The k of pass@k and pass^k, as far as a suite has the samples.
PASS_AT = (1, 5, 10, 100)


def is_question(nodeid: str) -> bool:
    """Whether a node id is that of a suite's question."""
    return nodeid.partition("::")[0].endswith(SUFFIX)


def name_suite(nodeid: str) -> str:
    """The name of the suite that the id of a question is of: that of its file, less ``.suite.toml``."""
    return nodeid.partition("::")[0].rpartition("/")[2].removesuffix(SUFFIX)


def explain_ending(path: Path) -> str:
    """``x.toml: a suite file is TOML, and its name ends with .suite.toml: rename it to x.suite.toml``."""
    name = path.name.removesuffix(path.suffix).removesuffix(".suite") + SUFFIX
    return f"{shorten_path(path)}: a suite file is TOML, and its name ends with {SUFFIX}: rename it to {name}"


@dataclass(frozen=True, kw_only=True)
class Suite:
    """One suite file, with all its parts found."""

    path: Path
    task: Task
    source: Source
    stages: tuple[Stage, ...] = ()  #: what happens to a program between source and task, in this order
    languages: tuple[str, ...]
    conditions: SuiteConditions
    drawing: Drawing
    prompts: Prompts
    seed: int
    checks: bool = False  #: whether programs are run first, and skipped where they fail their own facts
    texts: Mapping[str, FrozenTexts] = field(default_factory=dict)  #: frozen files of texts, by their kind
    adaptive: Adaptive | None = None  #: how an axis is chosen question by question; ``None`` if all is asked
    writer: str = ""  #: digest of the model that writes its other texts; without one the rule writes them

    @property
    def name(self) -> str:
        """The name of its file, less ``.suite.toml``."""
        return self.path.name.removesuffix(SUFFIX)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Every axis that this suite could vary."""
        return list_axes(self.source, self.stages, self.task)

    @property
    def chosen_axis(self) -> str:
        """The axis whose value follows from earlier answers, empty if every question is asked."""
        return self.adaptive.chosen_axis if self.adaptive is not None else ""

    @property
    def curve(self) -> str:
        """The axis over which the horizon of a model is fitted, empty if there is none.

        It makes questions harder, and has three values or more. Of two such axes nobody could say which is meant.
        """
        if self.adaptive is not None:
            return self.adaptive.over
        falling = [name for name, values in self.conditions.matrix.items() if self.axes[name].falls and len(values) > 2]
        return falling[0] if len(falling) == 1 else ""

    @property
    def varied(self) -> dict[str, tuple[AxisValue, ...]]:
        """The values of the languages and of every axis of the matrix, ``language`` first."""
        return {"language": tuple(self.languages), **{name: tuple(v) for name, v in self.conditions.matrix.items()}}

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The product of the matrix: the conditions under which every program is asked about."""
        cells = list(self.conditions.list_cells())
        parts: tuple[Source | Stage, ...] = (self.source, *self.stages)
        for part in parts:
            with blame(part):
                cells = list(dict.fromkeys(part.cell(cell, self.conditions.fixed) for cell in cells))
        return tuple(cells)

    def cells_of(self, language: str, name: str) -> tuple[Cell, ...]:
        """The conditions of one program: the cells, each with every value that stages draw from the program."""
        varying = [stage for stage in self.stages if type(stage).values is not Stage.values]
        if not varying:
            return self.cells
        with blame(self.source):
            program = self.source.program(language, name, self.conditions.fixed)
        values: dict[str, Sequence[AxisValue]] = {}
        for stage in varying:
            with blame(stage):
                values.update(stage.values(program))
        return tuple(
            (*cell, *zip(values, chosen, strict=True))
            for cell in self.cells
            for chosen in itertools.product(*values.values())
        )

    def list_programs(self, language: str) -> Iterator[str]:
        """The names of the source's programs, in order."""
        with blame(self.source):
            yield from self.source.names(language)

    def list_notes(self) -> list[str]:
        """The notes of source and stages for the user, a line each."""
        notes = self.list_left_out()
        for stage in self.stages:
            with blame(stage):
                notes += stage.notes()
        return list(dict.fromkeys(notes))

    def list_left_out(self) -> list[str]:
        """What the source says of the programs that it left out, a line for each reason."""
        with blame(self.source):
            notes = [note for language in self.languages for note in self.source.notes(language)]
        return list(dict.fromkeys(notes))  # languages may share a file

    def specs(self) -> Iterator[Spec]:
        """Every question by name, language by language and program by program."""
        for language in self.languages:
            for name in self.list_programs(language):
                for cell in self.cells_of(language, name):
                    yield Spec(language, name, cell)

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return sum(len(self.cells_of(lang, name)) for lang in self.languages for name in self.list_programs(lang))

    def family(self, spec: Spec) -> str:
        """The program's name with the axes that change the program. Answers of one family are not independent.

        The language is left out, because a program of one name is the same in all languages of a source.
        """
        kept = [f"{name}:{value}" for name, value in spec.axes if self.axes[name].changes_program]
        return f"{spec.program}[{','.join(kept)}]" if kept else spec.program

    def samples_for(self, spec: Spec) -> int:
        """How many answers a question gets."""
        return self.drawing.samples_for(self.conditions.find_way(spec))

    @property
    def most_samples(self) -> int:
        """The highest number of answers to a question."""
        return max(map(self.drawing.samples_for, self.conditions.ways))

    def sampling_for(self, instance: Instance, own: Mapping[str, Any] = EMPTY) -> Sampling:
        """The sampling settings of this instance. ``own`` are settings of the model, which replace the suite's."""
        base = replace(self.drawing.settings_for(instance.way), **own)
        return base.with_axes({k: v for k, v in instance.axes.items() if k in SAMPLING_AXES})

    def cost_of(self, spec: Spec) -> int:
        """The text to read for one answer, in functions of usual length: 1 for the program alone."""
        if spec.axes not in self._costs:
            axes = {**self.conditions.fixed, **dict(spec.axes)}
            cost = 1
            for stage in self.stages:
                with blame(stage):
                    cost += stage.cost(axes)
            self._costs[spec.axes] = cost
        return self._costs[spec.axes]

    @cached_property
    def _costs(self) -> dict[Cell, int]:
        return {}

    def describe_stage(self, stage: Stage) -> dict[str, object]:
        """What decides what a stage does, with the versions of parts that this suite names, such as perturbations."""
        with blame(stage):
            versions = stage.versions(self._list_values_of(stage))
            return {"stage": stage.name, **stage.identity, **({"versions": versions} if versions else {})}

    def _list_values_of(self, part: Stage | Task) -> dict[str, list[AxisValue]]:
        """The values that this suite names for each axis of a part."""
        return {name: sorted(self.conditions.list_values(name), key=str) for name in part.axes}

    @cached_property
    def plan(self) -> str:
        """Digest of everything that decides what is asked and how it is scored. Runs with the same plan are comparable.

        Only parts that the suite names count: a new version of a perturbation that it does not use changes nothing.
        """
        prompted = self.conditions.prompted
        rewritings = {way: template.sha for way, template in self.prompts.rewritings.items()}
        with blame(self.source):
            source = dict(self.source.identity)
        return digest(
            {"task": self.task.name, "version": self.task.version, "source": source},
            [self.describe_stage(stage) for stage in self.stages],
            self.languages,
            {k: list(v) for k, v in self.conditions.matrix.items()},
            dict(self.conditions.fixed),
            {k: repr(v) for k, v in self.drawing.settings.items()},
            dict(self.drawing.samples) if len(self.drawing.samples) > 1 else self.drawing.samples[""],
            [template.sha for template in self.prompts.templates.values()],
            *(["checked"] if self.checks else []),
            *([rewritings] if rewritings else []),
            *({"hints" if kind == "hint" else kind: frozen.sha} for kind, frozen in sorted(self.texts.items())),
            *([{"writer": self.writer}] if self.writer else []),
            *([{way: dict(axes) for way, axes in prompted.items()}] if prompted else []),
            *([] if self.prompts.prefill else ["no prefill"]),
            *([{"adaptive": asdict(self.adaptive), "version": VERSION}] if self.adaptive else []),
        )[:16]

    @cached_property
    def text_kinds(self) -> frozenset[str]:
        """The kinds of text that its questions are built with."""
        parts: tuple[Stage | Task, ...] = (*self.stages, self.task)
        return frozenset(kind for part in parts for kind in self._list_kinds(part))

    @cached_property
    def last_asking(self) -> int:
        """The place of the last stage that asks for a text, from 1; 0 if none does."""
        return max((place for place, stage in enumerate(self.stages, 1) if self._list_kinds(stage)), default=0)

    def _list_kinds(self, part: Stage | Task) -> Collection[str]:
        with blame(part):
            kinds = part.text_kinds(self._list_values_of(part))
        return [kind for kind in kinds if self.task.asks in (find(TextKind, kind).asks or {self.task.asks})]

    def find_rewriting(self, axes: Mapping[str, AxisValue]) -> Template | None:
        """The template that has the model rewrite the program first, if the value of an axis wants that."""
        ways = (str(v) for name, v in axes.items() if v in self.axes[name].rewriting)
        return self.prompts.rewritings.get(next(ways, ""))

    @property
    def executes(self) -> Executes:
        """Whether the suite runs programs, whatever the model; ``"optional"`` if it can do without."""
        staged = any(stage.executes for stage in self.stages)
        computed = bool(self.task.needs - self.source.facts)
        return staged or self.checks or computed or bool(self.prompts.rewritings) or self.task.executes

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the task, the headline first; also pass@k and pass^k if a question has several samples."""
        own, most = filter(self._has_metric, self.task.metrics), self.most_samples
        ks = [k for k in PASS_AT if k <= most] if most > 1 else []
        together = sorted({*ks, most} - {1})  # pass^1 is pass@1
        return (*own, *map(make_pass_at, ks), *map(make_pass_every, together))

    def _has_metric(self, metric: Metric) -> bool:
        if metric.only is None:
            return True
        axis, value = metric.only
        values = self.conditions.list_values(axis)
        return bool(values) if value is None else value in values


def list_axes(source: Source, stages: Sequence[Stage], task: Task) -> dict[str, Axis]:
    """The axes a suite of this source, these stages and this task may set."""
    staged = {name: axis for stage in stages for name, axis in stage.axes.items()}
    return {**source.axes, **staged, **task.axes, **SAMPLING_AXES}
