"""A suite: its programs, its task and its axes. It builds questions one by one.

Ids are the plain product of program names and axes, so listing 100,000 questions builds and runs nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_codereason.core import (
    EMPTY,
    Axis,
    AxisValue,
    Instance,
    Metric,
    Program,
    Sampling,
    Source,
    Spec,
    Stage,
    Task,
    Template,
    Text,
    TextKind,
    TextRequest,
    digest,
)
from pytest_codereason.core.answers import make_pass_at
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.parts import Executes
from pytest_codereason.errors import UsageError, blame, name_part
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES
from pytest_codereason.questions.templates.loading import WithoutPrefill, load_for_task
from pytest_codereason.questions.templates.loading import load as load_template
from pytest_codereason.registry import find

SUFFIX = ".suite.toml"
#: The k of pass@k, as far as a suite has the samples.
PASS_AT = (1, 5, 10, 100)


def is_question(nodeid: str) -> bool:
    """Whether a node id is that of a suite's question."""
    return nodeid.partition("::")[0].endswith(SUFFIX)


def explain_ending(path: Path) -> str:
    """``x.toml: a suite file is TOML, and its name ends with .suite.toml: rename it to x.suite.toml``."""
    name = path.name.removesuffix(path.suffix).removesuffix(".suite") + SUFFIX
    return f"{shorten_path(path)}: a suite file is TOML, and its name ends with {SUFFIX}: rename it to {name}"


@dataclass(frozen=True, kw_only=True)
class Suite:
    """One suite file, with all its parts found."""

    name: str
    path: Path
    task: Task
    source: Source
    stages: tuple[Stage, ...] = ()  #: what happens to a program between source and task, in this order
    languages: tuple[str, ...]
    matrix: Mapping[str, tuple[AxisValue, ...]]
    #: the axes outside the matrix, at their one value; of the axes of sampling only those that are set
    fixed: Mapping[str, AxisValue]
    sampling: Mapping[str, Sampling]  #: by way of prompting; ``""`` for the others
    samples: Mapping[str, int]  #: answers to each question, by way of prompting; ``""`` for the others
    template: Path | None
    prefill: bool = True  #: whether a prompt may give the beginning of the reply
    seed: int
    checks: bool = False  #: whether programs are run first, and skipped where they fail their own facts
    texts: Mapping[str, FrozenTexts] = field(default_factory=dict)  #: frozen files of texts, by their kind
    writer: str = ""  #: digest of the model that writes its other texts; without one the rule writes them
    #: axes that have another value in a way of prompting, by that way
    prompted: Mapping[str, Mapping[str, AxisValue]] = field(default_factory=dict)

    @cached_property
    def axes(self) -> Mapping[str, Axis]:
        """Every axis that this suite could vary."""
        return list_axes(self.source, self.stages, self.task)

    @cached_property
    def cells(self) -> tuple[tuple[tuple[str, AxisValue], ...], ...]:
        """The product of the matrix: the conditions under which every program is asked about."""
        product = itertools.product(*self.matrix.values())
        cells = [tuple(zip(self.matrix, values, strict=True)) for values in product]
        for stage in self.stages:
            with blame(stage):
                cells = list(dict.fromkeys(stage.cell(cell, self.fixed) for cell in cells))
        return tuple(cells)

    def cells_of(self, language: str, name: str) -> tuple[tuple[tuple[str, AxisValue], ...], ...]:
        """The conditions of one program: the cells, each with every value that stages draw from the program."""
        varying = [stage for stage in self.stages if type(stage).values is not Stage.values]
        if not varying:
            return self.cells
        with blame(self.source):
            program = self.source.program(language, name, self.fixed)
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

    def build(
        self,
        spec: Spec,
        count_tokens: Callable[[str], int | None] = lambda _: None,
        texts: Mapping[str, Text] = EMPTY,
        program: Program | None = None,
    ) -> Instance:
        """The built question, with its program and everything that is shown.

        Args:
            count_tokens: counts tokens by the model's tokenizer; returns ``None`` if there is no tokenizer.
            texts: the texts for :meth:`text_requests`, by place. The rule writes missing texts, unchecked.
            program: the program of the source, with facts that the source does not know.

        Raises:
            Skip: this question cannot be built.
        """
        begun = self._begin(spec, texts, program)
        instance = self._apply_stages(begun, count_tokens)
        if not self.task.twin:
            return instance
        axes = {**begun.axes, **{name: value for name, value in self.task.twin.items() if name in begun.axes}}
        return replace(instance, twin=self._apply_stages(replace(begun, axes=axes), count_tokens))

    def _apply_stages(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        for stage in self.stages:
            with blame(stage):
                instance = stage.apply(instance, count_tokens)
        return instance

    def text_requests(self, spec: Spec, program: Program | None = None) -> list[TextRequest]:
        """The texts that this question wants before it is built. ``program`` is as in :meth:`build`.

        Raises:
            Skip: this question cannot be built.
            UsageError: a part asks for a text that it did not announce, or two texts go to one place.
        """
        if not self.text_kinds:
            return []
        askers = [place for place, stage in enumerate(self.stages) if self._list_kinds(stage)]
        instance = self._begin(spec, EMPTY, program)
        requests = self._request_texts(self.task, instance, ())
        for place, stage in enumerate(self.stages[: askers[-1] + 1] if askers else ()):
            requests += self._request_texts(stage, instance, requests)
            if place < askers[-1]:
                with blame(stage):
                    instance = stage.apply(instance, lambda _: None)
        return requests

    def _request_texts(
        self, part: Stage | Task, instance: Instance, before: Sequence[TextRequest]
    ) -> list[TextRequest]:
        """The requests of one part, whose kinds must be named and whose places must be free."""
        with blame(part):
            requests = list(part.text_requests(instance))
        if unnamed := {request.kind for request in requests} - self.text_kinds:
            raise UsageError(
                f"{name_part(part)}: text_requests() asks for {min(unnamed)!r}, which text_kinds() does not name"
            )
        places = [request.place for request in (*before, *requests)]
        if taken := next((place for place in places if places.count(place) > 1), None):
            raise UsageError(
                f"{name_part(part)}: two texts go to the place {taken!r}: give each TextRequest a place of its own"
            )
        return requests

    def source_program(self, spec: Spec) -> Program:
        """The program of a question as its source gives it."""
        with blame(self.source):
            return self.source.program(spec.language, spec.program, self._combine_axes(spec))

    def _combine_axes(self, spec: Spec) -> dict[str, AxisValue]:
        return {**self.fixed, **self.prompted.get(self.way(spec), EMPTY), **dict(spec.axes)}

    def _begin(self, spec: Spec, texts: Mapping[str, Text], program: Program | None) -> Instance:
        """The question before any stage."""
        matrix = dict(spec.axes)
        axes = self._combine_axes(spec)
        with blame(self.source):
            program = program or self.source.program(spec.language, spec.program, axes)
            shots = self.source.shots(spec.language, spec.program, axes, int(axes.get("shots", 0)))
        return Instance(
            id=spec.id,
            family=self.family(spec),
            suite=self.name,
            program=program,
            axes=axes,
            matrix=matrix,
            shots=shots,
            template=self.templates[str(axes.get("prompting", ""))],
            rewriting=self.rewritings.get(self._find_rewriting(axes)),
            seed=self.seed,
            asks=self.task.asks,
            texts=texts,
        )

    def family(self, spec: Spec) -> str:
        """The program's name with the axes that change the program. Answers of one family are not independent.

        The language is left out, because a program of one name is the same in all languages of a source.
        """
        kept = [f"{name}:{value}" for name, value in spec.axes if self.axes[name].changes_program]
        return f"{spec.program}[{','.join(kept)}]" if kept else spec.program

    def way(self, spec: Spec) -> str:
        """The way of prompting, empty if the task has only one way."""
        return str(dict(spec.axes).get("prompting", self.fixed.get("prompting", "")))

    def way_of(self, instance: Instance) -> str:
        """The way of prompting of a question, empty if the task has only one way."""
        return str(instance.axes.get("prompting", ""))

    def samples_for(self, spec: Spec) -> int:
        """How many answers a question gets."""
        return self.samples.get(self.way(spec), self.samples[""])

    @cached_property
    def most_samples(self) -> int:
        """The highest number of answers to a question."""
        return max(self.samples.get(way, self.samples[""]) for way in self._ways)

    def sampling_for(self, instance: Instance, own: Mapping[str, Any] = EMPTY) -> Sampling:
        """The sampling settings of this instance. ``own`` are settings of the model, which replace the suite's."""
        base = replace(self.sampling.get(self.way_of(instance), self.sampling[""]), **own)
        return base.with_axes({k: v for k, v in instance.axes.items() if k in SAMPLING_AXES})

    def cost_of(self, spec: Spec) -> int:
        """The text to read for one answer, in functions of usual length: 1 for the program alone."""
        if spec.axes not in self._costs:
            axes = {**self.fixed, **dict(spec.axes)}
            cost = 1
            for stage in self.stages:
                with blame(stage):
                    cost += stage.cost(axes)
            self._costs[spec.axes] = cost
        return self._costs[spec.axes]

    @cached_property
    def _costs(self) -> dict[tuple[tuple[str, AxisValue], ...], int]:
        return {}

    def describe_stage(self, stage: Stage) -> dict[str, object]:
        """What decides what a stage does, with the versions of parts that this suite names, such as perturbations."""
        with blame(stage):
            versions = stage.versions(self._list_values_of(stage))
            return {"stage": stage.name, **stage.identity, **({"versions": versions} if versions else {})}

    def _list_values_of(self, part: Stage | Task) -> dict[str, list[AxisValue]]:
        """The values that this suite names for each axis of a part."""
        return {name: sorted(self._list_values(name), key=str) for name in part.axes}

    @cached_property
    def plan(self) -> str:
        """Digest of everything that decides what is asked and how it is scored. Runs with the same plan are comparable.

        Only parts that the suite names count: a new version of a perturbation that it does not use changes nothing.
        """
        with blame(self.source):
            source = dict(self.source.identity)
        return digest(
            {"task": self.task.name, "version": self.task.version, "source": source},
            [self.describe_stage(stage) for stage in self.stages],
            self.languages,
            {k: list(v) for k, v in self.matrix.items()},
            dict(self.fixed),
            {k: repr(v) for k, v in self.sampling.items()},
            dict(self.samples) if len(self.samples) > 1 else self.samples[""],
            [template.sha for template in self.templates.values()],
            *(["checked"] if self.checks else []),
            *([{way: template.sha for way, template in self.rewritings.items()}] if self.rewritings else []),
            *({"hints" if kind == "hint" else kind: frozen.sha} for kind, frozen in sorted(self.texts.items())),
            *([{"writer": self.writer}] if self.writer else []),
            *([{way: dict(axes) for way, axes in self.prompted.items()}] if self.prompted else []),
            *([] if self.prefill else ["no prefill"]),
        )[:16]

    @cached_property
    def _ways(self) -> tuple[str, ...]:
        """The ways of prompting; one empty way if the task has none."""
        return tuple(str(way) for way in self.matrix.get("prompting", (self.fixed.get("prompting", ""),)))

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The template of each way of prompting."""
        return {way: self._allow_prefill(load_for_task(self.task, way, self.template)) for way in self._ways}

    def _allow_prefill(self, template: Template) -> Template:
        """The template; without its prefill if the suite forbids one."""
        return template if self.prefill else WithoutPrefill(template)

    @cached_property
    def text_kinds(self) -> frozenset[str]:
        """The kinds of text that its questions are built with."""
        parts: tuple[Stage | Task, ...] = (*self.stages, self.task)
        return frozenset(kind for part in parts for kind in self._list_kinds(part))

    def _list_kinds(self, part: Stage | Task) -> Collection[str]:
        with blame(part):
            kinds = part.text_kinds(self._list_values_of(part))
        return [kind for kind in kinds if self.task.asks in (find(TextKind, kind).asks or {self.task.asks})]

    def _list_values(self, axis: str) -> set[AxisValue]:
        """The values at which an axis is asked about."""
        alone = [values[axis] for values in (self.fixed, *self.prompted.values()) if axis in values]
        return {*self.matrix.get(axis, ()), *alone}

    def _find_rewriting(self, axes: Mapping[str, AxisValue]) -> str:
        """The axis value that lets the model rewrite the program first, empty if no value does."""
        return next((str(v) for name, v in axes.items() if v in self.axes[name].rewriting), "")

    @cached_property
    def rewritings(self) -> dict[str, Template]:
        """The template of each way of rewriting the program; the shipped one if the suite's folder has none."""
        asked = {name: axis.rewriting & self._list_values(name) for name, axis in self.axes.items() if axis.rewriting}
        ways = [str(value) for values in asked.values() for value in sorted(values, key=str)]
        own = {way: self.template for way in ways if self.template and (self.template / f"{way}.jinja").exists()}
        return {way: self._allow_prefill(load_template(way, way, own.get(way))) for way in ways}

    @property
    def executes(self) -> Executes:
        """Whether the suite runs programs, whatever the model; ``"optional"`` if it can do without."""
        staged = any(stage.executes for stage in self.stages)
        computed = bool(self.task.needs - self.source.facts)
        return staged or self.checks or computed or bool(self.rewritings) or self.task.executes

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the task, the headline first; also pass@k if a question has several samples."""
        ks = [k for k in PASS_AT if k <= self.most_samples] if self.most_samples > 1 else []
        asked = [m for m in self.task.metrics if m.only is None or m.only[1] in self._list_values(m.only[0])]
        return (*asked, *map(make_pass_at, ks))


def list_axes(source: Source, stages: Sequence[Stage], task: Task) -> dict[str, Axis]:
    """The axes a suite of this source, these stages and this task may set."""
    staged = {name: axis for stage in stages for name, axis in stage.axes.items()}
    return {**source.axes, **staged, **task.axes, **SAMPLING_AXES}
