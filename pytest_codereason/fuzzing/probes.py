"""Builds suites in memory for programs that Hypothesis draws."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import EMPTY, AxisValue, Instance, Program, Sampling, Source, Spec, Stage, Task, digest
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import DoesNotParse, UsageError
from pytest_codereason.questions.suites.conditions import SuiteConditions
from pytest_codereason.questions.suites.prompts import load_prompts
from pytest_codereason.questions.suites.reading import COMPUTED
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES, Drawing
from pytest_codereason.questions.suites.stages import find_required
from pytest_codereason.questions.suites.suite import Suite, list_axes

#: The most tokens of a reply, by prompting.
REPLY = {"": 200, "cot": 2000}


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One question: a program, and how to ask about it."""

    program: Program  #: as it is shown
    original: Program | None = None  #: the program before the change; both must return the same value
    perturbation: str = ""  #: the change, as a suite file would name it
    task: str
    axes: tuple[tuple[str, AxisValue], ...] = ()

    @cached_property
    def key(self) -> str:
        """A digest. Questions that show the same and ask the same have the same key."""
        return digest(self.program.sha, self.original.sha if self.original else "", self.task, self.axes)

    @cached_property
    def size(self) -> tuple[int, int, int, int, str]:
        """The size that the search reduces: statements, places of the change, lines of the change, then the text."""
        before = self.original or self.program
        places, lines = measure_change(before, self.program)
        text = before.source + before.call
        return count_statements(before), places, lines, len(text), text


def count_statements(program: Program) -> int:
    """How many statements a program has. If it cannot be parsed, how many lines are not blank."""
    try:
        return len(registry.language(program.language).syntax.parse(program.source, program.call).statements)
    except DoesNotParse:
        return sum(1 for line in program.source.splitlines() if line.strip())


def measure_change(before: Program, after: Program) -> tuple[int, int]:
    """At how many places two texts differ, and in how many lines. Two comments in a row are one place, two lines."""
    matcher = difflib.SequenceMatcher(a=before.source.splitlines(), b=after.source.splitlines(), autojunk=False)
    sizes = [max(a2 - a1, b2 - b1) for tag, a1, a2, b1, b2 in matcher.get_opcodes() if tag != "equal"]
    return len(sizes), sum(sizes)


class DrawnSource(Source):
    """Drawn programs, by the name of the question about each."""

    name = "drawn"
    languages = ("python", "javascript", "php", "java")
    facts = frozenset()

    def __init__(self) -> None:
        self.questions: dict[str, Probe] = {}

    def add(self, question: Probe) -> Spec:
        """Adds a question, and returns its spec."""
        name = question.key[:16]
        self.questions[name] = question
        return Spec(question.program.language, name, ())

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> DrawnSource:
        """An empty source. It has no settings."""
        return cls()

    def names(self, language: str) -> Iterator[str]:
        """No names: no program is known before it is drawn."""
        return iter(())

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of a question, before the change."""
        question = self.questions[name]
        return question.original or question.program

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """No programs: drawn programs have no worked examples."""
        return ()

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """The name of the source. The programs themselves are part of every question."""
        return {"name": self.name}


class DrawnChange(Stage):
    """Shows the changed program of a question. It is run first, and must return the same value as the original."""

    name = "drawn-change"
    place = "perturbation"
    axes = EMPTY
    executes = True
    identity = EMPTY

    def __init__(self, source: DrawnSource) -> None:
        self._source = source

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int, languages: Sequence[str]) -> DrawnChange:
        """A stage without questions. It has no settings."""
        return cls(DrawnSource())

    def apply(self, instance: Instance, count_tokens: Callable[[str], int | None]) -> Instance:
        """The question about the changed program, if its program is changed."""
        question = self._source.questions[instance.family]
        original = question.original
        if original is None:
            return instance
        return replace(instance, program=question.program, original=original, reference=original, verify=True)


class Probes:
    """The suites of a session: one for each task and each choice of axes.

    Args:
        sampling: settings that replace the defaults.
    """

    def __init__(self, sampling: Mapping[str, Any]) -> None:
        self._sampling = sampling
        self._source = DrawnSource()
        self._suites: dict[tuple[str, tuple[tuple[str, AxisValue], ...]], Suite] = {}

    @property
    def plans(self) -> set[str]:
        """The plans of all suites of the session."""
        return {suite.plan for suite in self._suites.values()}

    def add(self, question: Probe) -> tuple[Suite, Spec]:
        """The suite that asks a question, and the question in it.

        Raises:
            UsageError: the task or the axis is unknown, the axis does not take the value, or the program lacks a fact
                that the task needs.
        """
        known = (question.task, question.axes)
        if known not in self._suites:
            self._suites[known] = self._make_suite(*known)
        suite = self._suites[known]
        if missing := suite.task.needs - question.program.facts.keys() - COMPUTED:
            raise UsageError(
                f"the task {question.task} needs facts that the program lacks: {', '.join(sorted(missing))}"
            )
        return suite, self._source.add(question)

    def _make_suite(self, name: str, chosen: tuple[tuple[str, AxisValue], ...]) -> Suite:
        kind: type[Task] = registry.find(Task, name)
        task, source = kind(), self._source
        required = (stage.create({}, seed=0, languages=source.languages) for stage in find_required(task))
        axes = list_axes(source, (), task)
        for axis, value in chosen:
            if axis not in axes or axis == "shots":
                known = [a for a in axes if a != "shots"]
                raise UsageError(f"{axis!r} cannot be set{suggest_name(axis, known)}: {name} takes {', '.join(known)}")
            if not axes[axis].accepts(value):
                hint = suggest_name(str(value), axes[axis].allowed.split(", "))
                raise UsageError(f"{axis!r} cannot be {value!r}{hint}: it takes {axes[axis].allowed}")
        fixed = {name: axis.default for name, axis in axes.items() if name not in SAMPLING_AXES} | dict(chosen)
        fixed |= task.requires
        conditions = SuiteConditions(matrix={}, fixed=fixed)
        settings = {way: replace(Sampling(max_tokens=most), **self._sampling) for way, most in REPLY.items()}
        stages = (DrawnChange(source), *required)
        return Suite(
            path=Path("fuzz"),
            task=task,
            source=source,
            stages=stages,
            languages=source.languages,
            conditions=conditions,
            drawing=Drawing(settings, {"": 1}),
            prompts=load_prompts(task, list_axes(source, stages, task), conditions),
            seed=0,
            checks=True,
        )
