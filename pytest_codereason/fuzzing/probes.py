"""Puts programs that were just drawn into suites that live in memory."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import EMPTY, AxisValue, Instance, Program, Sampling, Source, Spec, Task, Text, digest
from pytest_codereason.errors import DoesNotParse, UsageError
from pytest_codereason.suites.reading import COMPUTED
from pytest_codereason.suites.stages import find_required
from pytest_codereason.suites.suite import SAMPLING_AXES, Suite, list_axes

_STRENGTH = re.compile(r"strength=(\d+)")
#: Most tokens of a reply, by way of prompting.
REPLY = {"": 200, "cot": 2000}


@dataclass(frozen=True, kw_only=True)
class Probe:
    """A program to be asked about, and how."""

    program: Program  #: as it is shown
    original: Program | None = None  #: what it must return the same as, where it is a changed one
    perturbation: str = ""  #: the change, as a suite would name it
    task: str
    axes: tuple[tuple[str, AxisValue], ...] = ()

    @cached_property
    def key(self) -> str:
        """The same for questions that show the same and want the same."""
        return digest(self.program.sha, self.original.sha if self.original else "", self.task, self.axes)

    @cached_property
    def size(self) -> tuple[int, int, int, int, str]:
        """What the search makes small: statements, places of the change, its strength, then the text."""
        before = self.original or self.program
        strength = sum(map(int, _STRENGTH.findall(self.perturbation)))
        text = before.source + before.call
        return count_statements(before), count_edits(before, self.program), strength, len(text), text


def count_statements(program: Program) -> int:
    """How many statements a program has; lines with something in them where it cannot be read."""
    try:
        return len(registry.language(program.language).syntax.parse(program.source, program.call).statements)
    except DoesNotParse:
        return sum(1 for line in program.source.splitlines() if line.strip())


def count_edits(before: Program, after: Program) -> int:
    """How many separate places of the text differ."""
    matcher = difflib.SequenceMatcher(a=before.source.splitlines(), b=after.source.splitlines(), autojunk=False)
    return sum(1 for tag, *_ in matcher.get_opcodes() if tag != "equal")


class Drawn(Source):
    """Programs by the name of the question about them, as far as they have been asked about."""

    name = "drawn"
    languages = ("python", "javascript", "php", "java")
    facts = frozenset()

    def __init__(self) -> None:
        self.questions: dict[str, Probe] = {}

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> Drawn:
        """An empty one; it has no settings."""
        return cls()

    def names(self, language: str) -> Iterator[str]:
        """None: nothing is known before it is drawn."""
        return iter(())

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """What is asked about, before it was changed."""
        question = self.questions[name]
        return question.original or question.program

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """None: there are no worked examples of drawn programs."""
        return ()

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """The name alone: the programs say the rest."""
        return {"name": self.name}


@dataclass(frozen=True, kw_only=True)
class DrawnSuite(Suite):
    """Asks about drawn programs, each as its question shows it."""

    source: Drawn = field(default_factory=Drawn)

    def build(self, spec: Spec, count_tokens: Any = lambda _: None, texts: Mapping[str, Text] = EMPTY) -> Instance:
        """The question; what it shows is run before it is asked about and must return what the original does."""
        instance = super().build(spec, count_tokens, texts)
        question = self.source.questions[spec.program]
        if question.original is None:
            return instance
        original = question.original
        return replace(instance, program=question.program, original=original, reference=original, verify=True)

    def spec(self, question: Probe) -> Spec:
        """The question by name."""
        name = question.key[:16]
        self.source.questions[name] = question
        return Spec(question.program.language, name, ())


class Probes:
    """The suites of a session, one for each task and way of asking.

    Args:
        sampling: settings that take the place of the usual ones.
    """

    def __init__(self, sampling: Mapping[str, Any]) -> None:
        self._sampling = sampling
        self._suites: dict[tuple[str, tuple[tuple[str, AxisValue], ...]], DrawnSuite] = {}

    @property
    def plans(self) -> set[str]:
        """The plans of all that was asked."""
        return {suite.plan for suite in self._suites.values()}

    def suite(self, question: Probe) -> DrawnSuite:
        """The suite that asks a question.

        Raises:
            UsageError: there is no such task or axis, or the axis cannot have that value, or the program does not
                say what the task needs.
        """
        known = (question.task, question.axes)
        if known not in self._suites:
            self._suites[known] = self._make_suite(*known)
        suite = self._suites[known]
        if missing := suite.task.needs - question.program.facts.keys() - COMPUTED:
            raise UsageError(
                f"the task {question.task} needs what the program does not say: {', '.join(sorted(missing))}"
            )
        return suite

    def _make_suite(self, name: str, chosen: tuple[tuple[str, AxisValue], ...]) -> DrawnSuite:
        kind: type[Task] = registry.find(Task, name)
        task, source = kind(), Drawn()
        stages = tuple(stage.create({}, seed=0, languages=Drawn.languages) for stage in find_required(task))
        axes = list_axes(source, (), task)
        for axis, value in chosen:
            if axis not in axes or axis == "shots":
                raise UsageError(f"{axis!r} cannot be set: {name} takes {', '.join(a for a in axes if a != 'shots')}")
            if not axes[axis].accepts(value):
                raise UsageError(f"{axis!r} cannot be {value!r}: it takes {axes[axis].allowed}")
        fixed = {name: axis.default for name, axis in axes.items() if name not in SAMPLING_AXES} | dict(chosen)
        fixed |= task.requires
        return DrawnSuite(
            name="fuzz",
            path=Path("fuzz"),
            task=task,
            source=source,
            stages=stages,
            languages=Drawn.languages,
            matrix={},
            fixed=fixed,
            sampling={way: replace(Sampling(max_tokens=most), **self._sampling) for way, most in REPLY.items()},
            samples={"": 1},
            template=None,
            seed=0,
            checks=True,
        )
