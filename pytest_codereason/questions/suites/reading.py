"""Reads suite files, ``*.suite.toml``. An error names the file, the line, the key and the allowed values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import Axis, AxisValue, Sampling, Source, Stage, Task
from pytest_codereason.core.files.locations import expand_path, is_there
from pytest_codereason.core.files.toml_files import TomlFile, read_toml
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting, MissingCapability, NotHere, UsageError, blame
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.authoring.frozen_texts import load as load_texts
from pytest_codereason.questions.suites import keys
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES, check_sampling
from pytest_codereason.questions.suites.stages import find_shipped, find_stages, list_settable
from pytest_codereason.questions.suites.suite import SUFFIX, Suite, explain_ending, list_axes
from pytest_codereason.questions.templates.loading import find_forms, load_for_task

DEFAULT_SEED = 0
#: What running a program tells, where its source does not.
COMPUTED = frozenset({"output"})
#: Most questions of a suite. pytest keeps an item and a report for each: 100,000 take 550 MB.
MOST_QUESTIONS = 1_000_000


def load(path: Path, *, seed: int | None = None, sampling: Mapping[str, object] | None = None) -> Suite:
    """Reads a suite file.

    Args:
        path: the file; its name less ``.suite.toml`` is the suite's.
        seed: takes the place of the file's seed (``--eval-seed``).
        sampling: settings that take the place of the file's (``--model-arg temperature=0.3``).

    Raises:
        UsageError: the file cannot be read or understood, or its name has another ending.
    """
    if path.is_file() and not path.name.endswith(SUFFIX):
        raise UsageError(explain_ending(path))
    return _SuiteReader(read_toml(path), seed, dict(sampling or {})).create_suite()


class _SuiteReader:
    """Turns the tables of one file into a :class:`Suite`. Every error names file and line."""

    def __init__(self, file: TomlFile, seed: int | None, sampling: dict[str, Any]) -> None:
        self.file = file
        self.path = file.path
        self.table = file.table
        self.seed = seed
        self.overrides = sampling
        self.elsewhere: Mapping[str, str] = {}

    def fail(self, message: str, *where: str, kind: type[UsageError] = UsageError) -> UsageError:
        """An error at the line of the key ``where`` (tables outermost first)."""
        return self.file.fail(message, *where, kind=kind if kind in (UsageError, NotHere) else UsageError)

    @contextmanager
    def at(self, *where: str) -> Iterator[None]:
        """Puts file and line before an error of what the key ``where`` names."""
        try:
            yield
        except (UsageError, MissingCapability) as error:
            kind = NotHere if isinstance(error, NotHere) else UsageError
            raise self.fail(str(error), *where, kind=kind) from error

    def create_suite(self) -> Suite:
        if where := next((where for where, text in keys.list_texts(self.table) if "\0" in text), ()):
            raise self.fail(f"{where[-1]!r} has the character NUL", *where)
        source_table = self.require("source", dict, "a table [source] with a name")
        task = self.create_task()
        self.elsewhere = keys.list_places(task)
        seed = self.read_seed(source_table)
        source = self.create_source(source_table, seed)
        source = self.keep_askable(source, task)
        languages = self.read_languages(source)
        self.check_capabilities(task, languages)
        kinds = self.find_stages(source, task)
        stages = self.create_stages(kinds, seed, languages)
        axes = list_axes(source, stages, task)
        top_level = keys.list_keys(kinds)
        if unknown := [k for k in self.table if k not in (*top_level, *axes)]:
            known = f"a suite has {', '.join(top_level)} and the axes {', '.join(list_settable(axes))}"
            hint = suggest_name(unknown[0], (*top_level, *list_settable(axes)))
            raise self.fail(f"unknown key {unknown[0]!r}{hint}: {known}", unknown[0])
        given = frozenset().union(*(stage.gives for stage in stages))
        if missing := task.needs - source.facts - given - COMPUTED:
            givers = {fact: kind.name for kind in find_shipped().values() for fact in kind.gives if fact in missing}
            hints = [f"; the axis {name!r} gives {fact!r}" for fact, name in sorted(givers.items())]
            raise self.fail(
                f"the task {task.name} needs facts that the source {source.name} lacks: "
                f"{', '.join(sorted(missing))}{''.join(hints)}",
                "task",
            )
        self.check_required(task)
        matrix = {name: self.read_values(axes, name, raw) for name, raw in self.read_table("matrix").items()}
        if both := {name for name in self.table if name in matrix and not self.is_settings(name, kinds)}:
            raise self.fail(f"{min(both)!r} is set twice, here and in [matrix]: keep one", min(both))
        alone = {name for name in self.table if not self.is_settings(name, kinds)}
        single = [name for name in axes if name in alone and not self.differs_by_prompting(name, task)]
        fixed = {name: self.read_value(axes[name], self.table[name], name) for name in single}
        defaults = {n: a.default for n, a in axes.items() if n not in matrix and n not in SAMPLING_AXES}
        settings = {k: v for k, v in source_table.items() if k in axes and k not in matrix}
        prompted = self.read_prompted(axes, task)
        sampling, samples = self.read_sampling(axes)
        suite = Suite(
            name=self.path.name.removesuffix(SUFFIX),
            path=self.path,
            task=task,
            source=source,
            stages=stages,
            languages=languages,
            matrix=matrix,
            fixed={**defaults, **settings, **fixed, **task.requires},
            sampling=sampling,
            samples=samples,
            template=self.find_template(task),
            prefill=self.read_switch("prefill", True),
            texts=self.read_texts(),
            seed=seed,
            checks=self.read_switch("check", source.checks, "source"),
            prompted=prompted,
        )
        with self.at("template" if "template" in self.table else "task"):
            for prompting in matrix.get("prompting", (suite.fixed.get("prompting", ""),)):
                load_for_task(task, str(prompting), suite.template)
            suite.rewritings  # noqa: B018  # a template that cannot be read is said here
        self.refuse_too_many(suite)
        try:
            suite.cells  # noqa: B018  # a stage refuses values that cannot go together
        except BadSetting as error:
            raise self.fail(str(error), "matrix", error.key) from error
        return suite

    def find_stages(self, source: Source, task: Task) -> dict[str, type[Stage]]:
        """The stages that take part, by the name of their table, in the order in which they happen."""
        tables = [key for key, value in self.table.items() if ":" not in key or isinstance(value, dict)]
        axes = {*self.table, *self.read_table("matrix"), *task.requires}
        own = {*keys.list_keys({}), *source.axes, *task.axes, *SAMPLING_AXES}
        try:
            return find_stages(tables, axes, own)
        except UsageError as error:
            named = next((key for key in tables if key in str(error) and ":" in key), "")
            raise self.fail(str(error), *filter(None, [named])) from error

    def create_stages(
        self, kinds: Mapping[str, type[Stage]], seed: int, languages: tuple[str, ...]
    ) -> tuple[Stage, ...]:
        stages = []
        for name, kind in kinds.items():
            # A key of that name that is no table is the axis.
            settings = self.read_table(name) if self.is_table(name) or name not in kind.axes else {}
            try:
                with blame(kind):
                    stages.append(kind.create(settings, seed=seed, languages=languages))
            except BadSetting as error:
                raise self.fail(keys.explain_setting(error, self.elsewhere), name, error.key) from error
        return tuple(stages)

    def check_required(self, task: Task) -> None:
        """Refuses a suite that gives another value to an axis for which the task needs one value."""
        for name, value in task.requires.items():
            for where, table in (((name,), self.table), (("matrix", name), self.read_table("matrix"))):
                if name in table and table[name] not in (value, [value]):
                    raise self.fail(f"the task {task.name} needs {name} = {value!r}, not {table[name]!r}", *where)

    def refuse_too_many(self, suite: Suite) -> None:
        """Refuses a suite with too many questions, before they are listed one by one."""
        cells = math.prod(map(len, suite.matrix.values()))
        listed = itertools.chain.from_iterable(map(suite.list_programs, suite.languages))
        programs = sum(1 for _ in itertools.islice(listed, MOST_QUESTIONS + 1))
        if (asked := programs * cells) > MOST_QUESTIONS:
            raise self.fail(
                f"the suite {suite.name} asks {asked:,} questions, {cells:,} about each program. More than "
                f"{MOST_QUESTIONS:,} do not fit into one suite: give fewer values in [matrix] or fewer programs in "
                "[source], or divide the suite into several files",
                "matrix",
            )

    def create_task(self) -> Task:
        kind = self.find_part(Task, self.require("task", str, "a task's name"), "task")
        with blame(kind):
            task: Task = kind()
        return task

    def require(self, key: str, kind: type, what: str) -> Any:
        if key not in self.table:
            raise self.fail(f"the key {key!r} is missing{keys.suggest_misspelt(key, self.table)}: it must be {what}")
        if not isinstance(self.table[key], kind):
            raise self.fail(f"{key!r} must be {what}, not {self.table[key]!r}", key)
        return self.table[key]

    def read_table(self, key: str) -> dict[str, Any]:
        table = self.table.get(key, {})
        if not isinstance(table, dict):
            raise self.fail(f"{key!r} must be a table [{key}], not {table!r}", key)
        return table

    def is_table(self, key: str) -> bool:
        return isinstance(self.table.get(key), dict)

    def is_settings(self, key: str, kinds: Mapping[str, type[Stage]]) -> bool:
        """Whether a key is the table ``[fault]`` of a stage that has an axis of its own name."""
        return key in kinds and self.is_table(key)

    def find_part(self, kind: Any, name: str, *where: str) -> Any:
        with self.at(*where):
            return registry.find(kind, name)

    def read_seed(self, table: Mapping[str, object]) -> int:
        seed = table.get("seed", DEFAULT_SEED)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise self.fail(f"'seed' must be a whole number, not {seed!r}", "source", "seed")
        return seed if self.seed is None else self.seed

    def read_switch(self, key: str, default: bool, *tables: str) -> bool:
        """The value of a key that is true or false."""
        table = self.read_table(*tables) if tables else self.table
        value = table.get(key, default)
        if not isinstance(value, bool):
            raise self.fail(f"{key!r} must be true or false, not {value!r}", *tables, key)
        return value

    def create_source(self, table: dict[str, Any], seed: int) -> Source:
        if not isinstance(table.get("name"), str):
            hint = keys.suggest_misspelt("name", table)
            raise self.fail(f"the key 'name' is missing{hint}: which source do the programs come from?", "source")
        kind = self.find_part(Source, table["name"], "source", "name")
        settings = {k: v for k, v in table.items() if k not in ("name", "seed", "check")}
        missing = set()
        for key in kind.beside_suite & settings.keys():
            if isinstance(settings[key], str):
                written = expand_path(settings[key])
                path = self.path.parent.absolute() / written
                settings[key] = str(path)
                if path != written and not is_there(path):
                    missing.add(key)
        try:
            with blame(kind):
                source: Source = kind.create(settings, seed=seed)
        except BadSetting as error:
            hint = f"; {error.key!r} counts from the folder of this suite file" if error.key in missing else ""
            raise self.fail(f"{keys.explain_setting(error, self.elsewhere)}{hint}", "source", error.key) from error
        except NotHere as error:
            raise self.fail(str(error), "source", kind=NotHere) from error
        return source

    def keep_askable(self, source: Source, task: Task) -> Source:
        """The source without the programs that the task cannot ask about."""
        try:
            with blame(source):
                source = source.without_scripts(task.name) if task.needs_call else source
                return source.with_facts(task.needs, task.name)
        except BadSetting as error:
            raise self.fail(str(error), "source", error.key) from error

    def read_languages(self, source: Source) -> tuple[str, ...]:
        chosen = self.table.get("languages", list(source.languages))
        if not isinstance(chosen, list) or not chosen or not all(isinstance(name, str) for name in chosen):
            raise self.fail(f"'languages' must be a list of names, not {chosen!r}", "languages")
        for name in chosen:
            with blame(source):
                known = name in source.languages or (registry.is_language(name) and source.speaks(name))
            if not known:
                raise self.fail(
                    f"unknown language {name!r}{suggest_name(name, source.languages)}: "
                    f"the source {source.name} has {', '.join(source.languages)}",
                    "languages",
                )
        if len(set(chosen)) < len(chosen):
            raise self.fail("'languages' names a language twice", "languages")
        for name in chosen:
            with self.at("source"), blame(source):
                next(iter(source.names(name)), None)
        return tuple(chosen)

    def check_capabilities(self, task: Task, languages: tuple[str, ...]) -> None:
        """Refuses a language that cannot do what the task needs."""
        for name in languages:
            with self.at("languages" if "languages" in self.table else "task"):
                registry.language(name).require(task.capabilities, f"the task {task.name}")

    def read_values(self, axes: Mapping[str, Axis], name: str, raw: object) -> tuple[AxisValue, ...]:
        if name not in axes and name in self.elsewhere:
            raise self.fail(f"{name!r} is no axis: write it {self.elsewhere[name]}", "matrix", name)
        if name not in axes:
            hint = suggest_name(name, list_settable(axes))
            raise self.fail(
                f"unknown axis {name!r}{hint}: choose from {', '.join(list_settable(axes))}", "matrix", name
            )
        expand = axes[name].expand
        spread = expand(raw) if expand else None
        listed: list[Any] = raw if isinstance(raw, list) else list(spread or ()) or [raw]
        if not listed:
            raise self.fail(f"{name!r} has no value: give at least one of {axes[name].allowed}", "matrix", name)
        values = tuple(self.read_value(axes[name], value, "matrix", name) for value in listed)
        if len(set(values)) < len(values):
            raise self.fail(f"{name!r} names a value twice", "matrix", name)
        return values

    def read_value(self, axis: Axis, value: object, *where: str) -> AxisValue:
        try:
            if isinstance(value, (str, int, float, bool)) and axis.accepts(value):
                return value
        except BadSetting as error:  # says more than that it cannot be
            raise self.fail(str(error), *where) from error
        if isinstance(value, list) and "matrix" not in where:
            raise self.fail(
                f"{axis.name!r} takes one value here, not {value!r}: write a list of values into [matrix]", *where
            )
        hint = suggest_name(value, axis.allowed.split(", ")) if isinstance(value, str) else ""
        raise self.fail(f"{axis.name!r} cannot be {value!r}{hint}: it takes {axis.allowed}", *where)

    def differs_by_prompting(self, name: str, task: Task) -> bool:
        """Whether the values of an axis depend on the way of prompting: ``shots = {direct = 2, cot = 1}``."""
        return name in task.axes and name != "prompting" and isinstance(self.table[name], dict)

    def read_prompted(self, axes: Mapping[str, Axis], task: Task) -> dict[str, dict[str, AxisValue]]:
        """The axes with another value for a way of prompting, by way."""
        prompted: dict[str, dict[str, AxisValue]] = {}
        for name in axes:
            if name in self.table and self.differs_by_prompting(name, task):
                for way, value in self.read_table(name).items():
                    self.check_prompting(axes, name, way)
                    prompted.setdefault(way, {})[name] = self.read_value(axes[name], value, name)
        return prompted

    def check_prompting(self, axes: Mapping[str, Axis], table: str, way: str) -> None:
        if "prompting" not in axes or not axes["prompting"].accepts(way):
            known = axes["prompting"].allowed if "prompting" in axes else "none"
            where = (table, way) if self.file.find_line((table, way)) else (table,)  # written inline
            hint = suggest_name(way, known.split(", "))
            raise self.fail(f"[{table}.{way}] names no way of prompting{hint}: there is {known}", *where)

    def read_sampling(self, axes: Mapping[str, Axis]) -> tuple[dict[str, Sampling], dict[str, int]]:
        table = dict(self.read_table("sampling"))
        per_prompting = {k: table.pop(k) for k in [k for k, v in table.items() if isinstance(v, dict)]}
        samples = {"": self.take_samples(table, "sampling")}
        settings = {"": self.change_sampling(Sampling(), table, "sampling")}
        for name, overrides in per_prompting.items():
            self.check_prompting(axes, "sampling", name)
            override = dict(overrides)
            if "samples" in override:
                samples[name] = self.take_samples(override, "sampling", name)
            settings[name] = self.change_sampling(settings[""], override, "sampling", name)
        return {name: replace(s, **self.overrides) for name, s in settings.items()}, samples

    def take_samples(self, table: dict[str, Any], *where: str) -> int:
        """Removes ``samples`` from a table of sampling and returns it."""
        samples = table.pop("samples", 1)
        if not isinstance(samples, int) or isinstance(samples, bool) or not 1 <= samples <= 1000:
            raise self.fail(f"'samples' must be a whole number from 1 to 1000, not {samples!r}", *where, "samples")
        return samples

    def change_sampling(self, base: Sampling, table: Mapping[str, object], *where: str) -> Sampling:
        for key, value in table.items():
            try:
                base = replace(base, **{key: check_sampling(key, value)})
            except BadSetting as error:
                raise self.fail(keys.explain_setting(error, self.elsewhere), *where, key) from error
        return base

    def read_texts(self) -> dict[str, FrozenTexts]:
        """The frozen files that ``hints`` and ``texts`` name, by the kind of their texts."""
        hints, names = self.find_file("hints", "file of hints"), self.table.get("texts", [])
        named = names if isinstance(names, list) else [names]
        found = [self.find_named_file(name, "texts", "file of texts") for name in named]
        with self.at("hints"):
            files = [load_texts(hints, "hint")] if hints else []
        with self.at("texts"):
            files += map(load_texts, found)
        by_kind = {frozen.kind: frozen for frozen in files}
        if len(by_kind) < len(files):
            raise self.fail("two files hold texts of one kind: keep one", "texts")
        return by_kind

    def find_template(self, task: Task) -> Path | None:
        """The folder of a shipped form that ``template`` names, else the file or folder beside the suite file."""
        forms = find_forms(task.templates_of or task.name)
        form = forms.get(str(self.table.get("template", "")))
        return form or self.find_file("template", "template", f"; shipped by name: {', '.join(forms)}" if forms else "")

    def find_file(self, key: str, what: str, more: str = "") -> Path | None:
        name = self.table.get(key)
        return None if name is None else self.find_named_file(name, key, what, more)

    def find_named_file(self, name: object, key: str, what: str, more: str = "") -> Path:
        if not isinstance(name, str):
            raise self.fail(f"{key!r} must be the path of a {what}, not {name!r}", key)
        path = self.path.parent.absolute() / name
        if not is_there(path):
            raise self.fail(f"there is no {what} {name!r} (looked for {path}{more})", key)
        return path.resolve()
