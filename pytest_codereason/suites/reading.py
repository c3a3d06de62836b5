"""Reads suite files, ``*.suite.toml``; a mistake in one names file, line, key and what is allowed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_codereason import registry
from pytest_codereason.authoring.hints import Hints
from pytest_codereason.authoring.hints import load as load_hints
from pytest_codereason.core import Axis, AxisValue, Sampling, Source, Stage, Task
from pytest_codereason.errors import BadSetting, MissingCapability, UsageError
from pytest_codereason.files.locations import shown
from pytest_codereason.suites.suite import SAMPLING_AXES, STAGES, SUFFIX, Suite, check_sampling, known_axes
from pytest_codereason.templates.loading import load_for_task

DEFAULT_SEED = 0
#: What running a program tells, where its source does not.
COMPUTED = frozenset({"output"})
TOP_LEVEL = ("task", "languages", "source", *STAGES, "matrix", "sampling", "template", "hints")


def load(path: Path, *, seed: int | None = None, sampling: Mapping[str, Any] | None = None) -> Suite:
    """Reads a suite file.

    Args:
        path: the file; its name less ``.suite.toml`` is the suite's.
        seed: takes the place of the file's seed (``--eval-seed``).
        sampling: settings that take the place of the file's (``--model-arg temperature=0.3``).

    Raises:
        UsageError: the file cannot be read or understood.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{shown(path)}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column \d+\)$", str(error))
        line = int(found[1]) if found else max(1, len(text.splitlines()))  # "at end of document"
        raise UsageError(f"{shown(path)}:{line}: not valid TOML: {error}") from error
    return _Reader(path, text, table, seed, dict(sampling or {})).suite()


class _Reader:
    """Turns the tables of one file into a :class:`Suite`, naming file and line in every complaint."""

    def __init__(
        self, path: Path, text: str, table: dict[str, Any], seed: int | None, sampling: dict[str, Any]
    ) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.table = table
        self.seed = seed
        self.overrides = sampling

    def fail(self, message: str, *where: str) -> UsageError:
        """An error at the line of the key ``where`` (tables outermost first)."""
        line = self.line(where)
        place = shown(self.path)
        return UsageError(f"{place}:{line}: {message}" if line else f"{place}: {message}")

    def line(self, where: tuple[str, ...]) -> int | None:
        """The 1-based line of a key, found by its table's header; ``None`` where it is not written."""
        table, inside = ".".join(where[:-1]), ""
        for number, line in enumerate(self.lines, 1):
            if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
                inside = header[1].replace('"', "").replace(" ", "")
                if inside == ".".join(where):
                    return number
            elif inside == table and where and re.match(rf"\s*[\"']?{re.escape(where[-1])}[\"']?\s*[=.]", line):
                return number
        return None

    def suite(self) -> Suite:
        source_table = self.need("source", dict, "a table [source] with a name")
        task = self.task()
        seed = self.seed_of(source_table)
        source = self.source_of(source_table, seed)
        languages = self.languages_of(source)
        self.check_capabilities(task, languages)
        stages = self.stages(seed, languages)
        axes = known_axes(source, stages, task)
        if unknown := [k for k in self.table if k not in (*TOP_LEVEL, *axes)]:
            known = f"a suite has {', '.join(TOP_LEVEL)} and the axes {', '.join(_settable(axes))}"
            raise self.fail(f"unknown key {unknown[0]!r}: {known}", unknown[0])
        if missing := task.needs - source.facts - COMPUTED:
            raise self.fail(
                f"the task {task.name} needs what the source {source.name} does not know: {', '.join(sorted(missing))}",
                "task",
            )
        matrix = {name: self.values(axes, name, raw) for name, raw in self.sub("matrix").items()}
        if both := self.table.keys() & matrix.keys():
            raise self.fail(f"{min(both)!r} is set twice, here and in [matrix]: keep one", min(both))
        alike = [name for name in axes if name in self.table and not self.differs(name, task)]
        fixed = {name: self.value(axes[name], self.table[name], name) for name in alike}
        defaults = {n: a.default for n, a in axes.items() if n not in matrix and n not in SAMPLING_AXES}
        settings = {k: v for k, v in source_table.items() if k in axes and k not in matrix}
        prompted = self.prompted(axes, task)
        sampling, samples = self.sampling_of(axes)
        suite = Suite(
            name=self.path.name.removesuffix(SUFFIX),
            path=self.path,
            task=task,
            source=source,
            stages=stages,
            languages=languages,
            matrix=matrix,
            fixed={**defaults, **settings, **fixed},
            sampling=sampling,
            samples=samples,
            template=self.file_of("template", "template"),
            hints=self.hints_of(),
            seed=seed,
            checks=self.checks(source_table),
            prompted=prompted,
        )
        for prompting in matrix.get("prompting", (suite.fixed.get("prompting", ""),)):
            load_for_task(task, str(prompting), suite.template)
        suite.rewritings  # noqa: B018  # a template that cannot be read is said here
        try:
            suite.cells  # noqa: B018  # a stage refuses values that cannot go together
        except BadSetting as error:
            raise self.fail(str(error), "matrix", error.key) from error
        return suite

    def stages(self, seed: int, languages: tuple[str, ...]) -> tuple[Stage, ...]:
        """The stages that the file has a table for, or an axis of."""
        named = {*self.table, *self.sub("matrix")}
        found = []
        for name in STAGES:
            kind: type[Stage] = registry.find(Stage, name)
            if name in self.table or named & kind.axes.keys():
                settings = {} if name in kind.axes else self.sub(name)  # a key of that name is the axis
                try:
                    found.append(kind.create(settings, seed=seed, languages=languages))
                except BadSetting as error:
                    raise self.fail(str(error), name, error.key) from error
        return tuple(found)

    def task(self) -> Task:
        kind = self.found(Task, self.need("task", str, "a task's name"), "task")
        try:
            task: Task = kind()
        except Exception as error:
            raise self.fail(
                f"the task {kind.__name__} cannot be made: {type(error).__name__}: {error}", "task"
            ) from error
        return task

    def need(self, key: str, kind: type, what: str) -> Any:
        if key not in self.table:
            raise self.fail(f"the key {key!r} is missing: it must be {what}")
        if not isinstance(self.table[key], kind):
            raise self.fail(f"{key!r} must be {what}, not {self.table[key]!r}", key)
        return self.table[key]

    def sub(self, key: str) -> dict[str, Any]:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            raise self.fail(f"{key!r} must be a table [{key}], not {table!r}", key)
        return table

    def found(self, kind: Any, name: str, *where: str) -> Any:
        try:
            return registry.find(kind, name)
        except UsageError as error:
            raise self.fail(str(error), *where) from error

    def seed_of(self, table: Mapping[str, Any]) -> int:
        seed = table.get("seed", DEFAULT_SEED)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise self.fail(f"'seed' must be a whole number, not {seed!r}", "source", "seed")
        return seed if self.seed is None else self.seed

    def checks(self, table: Mapping[str, Any]) -> bool:
        checks = table.get("check", False)
        if not isinstance(checks, bool):
            raise self.fail(f"'check' must be true or false, not {checks!r}", "source", "check")
        return checks

    def source_of(self, table: dict[str, Any], seed: int) -> Source:
        if not isinstance(table.get("name"), str):
            raise self.fail("the key 'name' is missing: which source do the programs come from?", "source")
        kind = self.found(Source, table["name"], "source", "name")
        settings = {k: v for k, v in table.items() if k not in ("name", "seed", "check")}
        try:
            source: Source = kind.create(settings, seed=seed)
        except BadSetting as error:
            raise self.fail(str(error), "source", error.key) from error
        return source

    def languages_of(self, source: Source) -> tuple[str, ...]:
        chosen = self.table.get("languages", list(source.languages))
        if not isinstance(chosen, list) or not chosen:
            raise self.fail(f"'languages' must be a list of names, not {chosen!r}", "languages")
        for name in chosen:
            if name not in source.languages:
                raise self.fail(
                    f"unknown language {name!r}: the source {source.name} has {', '.join(source.languages)}",
                    "languages",
                )
        if len(set(chosen)) < len(chosen):
            raise self.fail("'languages' names one twice", "languages")
        for name in chosen:
            try:
                next(source.names(name), None)
            except UsageError as error:
                raise self.fail(str(error), "source") from error
        return tuple(chosen)

    def check_capabilities(self, task: Task, languages: tuple[str, ...]) -> None:
        """Refuses a language that cannot do what the task needs."""
        for name in languages:
            try:
                registry.language(name).require(task.capabilities, f"the task {task.name}")
            except MissingCapability as error:
                raise self.fail(str(error), "languages" if "languages" in self.table else "task") from error

    def values(self, axes: Mapping[str, Axis], name: str, raw: object) -> tuple[AxisValue, ...]:
        if name not in axes:
            raise self.fail(f"unknown axis {name!r}: choose from {', '.join(_settable(axes))}", "matrix", name)
        expand = axes[name].expand
        spread = expand(raw) if expand else None
        listed: list[Any] = raw if isinstance(raw, list) else list(spread or ()) or [raw]
        if not listed:
            raise self.fail(f"{name!r} has no value: give at least one of {axes[name].allowed}", "matrix", name)
        values = tuple(self.value(axes[name], value, "matrix", name) for value in listed)
        if len(set(values)) < len(values):
            raise self.fail(f"{name!r} names a value twice", "matrix", name)
        return values

    def value(self, axis: Axis, value: object, *where: str) -> AxisValue:
        try:
            if isinstance(value, (str, int, float, bool)) and axis.accepts(value):
                return value
        except BadSetting as error:  # says more than that it cannot be
            raise self.fail(str(error), *where) from error
        raise self.fail(f"{axis.name!r} cannot be {value!r}: it takes {axis.allowed}", *where)

    def differs(self, name: str, task: Task) -> bool:
        """Whether an axis has a table of its values by way of prompting: ``shots = {direct = 2, cot = 1}``."""
        return name in task.axes and name != "prompting" and isinstance(self.table[name], dict)

    def prompted(self, axes: Mapping[str, Axis], task: Task) -> dict[str, dict[str, AxisValue]]:
        found: dict[str, dict[str, AxisValue]] = {}
        for name in axes:
            if name in self.table and self.differs(name, task):
                for way, value in self.table[name].items():
                    self.known_way(axes, name, way)
                    found.setdefault(way, {})[name] = self.value(axes[name], value, name)
        return found

    def known_way(self, axes: Mapping[str, Axis], table: str, way: str) -> None:
        if "prompting" not in axes or not axes["prompting"].accepts(way):
            known = axes["prompting"].allowed if "prompting" in axes else "none"
            where = (table, way) if self.line((table, way)) else (table,)  # written inline
            raise self.fail(f"[{table}.{way}] names no way of prompting: there is {known}", *where)

    def sampling_of(self, axes: Mapping[str, Axis]) -> tuple[dict[str, Sampling], dict[str, int]]:
        table = dict(self.sub("sampling"))
        per_prompting = {k: table.pop(k) for k in [k for k, v in table.items() if isinstance(v, dict)]}
        samples = {"": self.samples(table, "sampling")}
        found = {"": self.sampled(Sampling(), table, "sampling")}
        for name, given in per_prompting.items():
            self.known_way(axes, "sampling", name)
            override = dict(given)
            if "samples" in override:
                samples[name] = self.samples(override, "sampling", name)
            found[name] = self.sampled(found[""], override, "sampling", name)
        return {name: replace(s, **self.overrides) for name, s in found.items()}, samples

    def samples(self, table: dict[str, Any], *where: str) -> int:
        """Takes the answers to each question out of a table of sampling."""
        samples = table.pop("samples", 1)
        if not isinstance(samples, int) or isinstance(samples, bool) or not 1 <= samples <= 1000:
            raise self.fail(f"'samples' must be a whole number from 1 to 1000, not {samples!r}", *where, "samples")
        return samples

    def sampled(self, base: Sampling, table: Mapping[str, Any], *where: str) -> Sampling:
        for key, value in table.items():
            try:
                base = replace(base, **{key: check_sampling(key, value)})
            except BadSetting as error:
                raise self.fail(str(error), *where, key) from error
        return base

    def hints_of(self) -> Hints | None:
        path = self.file_of("hints", "file of hints")
        return None if path is None else load_hints(path)

    def file_of(self, key: str, what: str) -> Path | None:
        name = self.table.get(key)
        if name is None:
            return None
        if not isinstance(name, str):
            raise self.fail(f"{key!r} must be the path of a {what}, not {name!r}", key)
        found = (self.path.parent / name).resolve()
        if not found.exists():
            raise self.fail(f"there is no {what} {name!r} (looked for {found})", key)
        return found


def _settable(axes: Mapping[str, Axis]) -> list[str]:
    """The axes that a file may set: those it has, and those of stages it does not use yet."""
    kinds: list[type[Stage]] = [registry.find(Stage, name) for name in STAGES]
    drawn = {name for kind in kinds if kind.values is not Stage.values for name in kind.axes}
    staged = [name for kind in kinds for name in kind.axes]
    return [name for name in dict.fromkeys([*axes, *staged]) if name not in drawn]
