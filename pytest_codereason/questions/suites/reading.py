"""Reads suite files, ``*.suite.toml``. An error names the file, the line, the key and the allowed values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import Axis, Source, Stage, Task
from pytest_codereason.core.files.locations import expand_path, is_there
from pytest_codereason.core.files.toml_files import TomlFile, read_toml
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import BadSetting, NotHere, UsageError, blame
from pytest_codereason.questions.authoring.frozen_texts import FrozenTexts
from pytest_codereason.questions.authoring.frozen_texts import load as load_texts
from pytest_codereason.questions.suites import keys
from pytest_codereason.questions.suites.adaptive import read_adaptive
from pytest_codereason.questions.suites.axis_values import AxisReader
from pytest_codereason.questions.suites.prompts import load_prompts
from pytest_codereason.questions.suites.sampling import SAMPLING_AXES
from pytest_codereason.questions.suites.stages import find_shipped, find_stages, list_settable
from pytest_codereason.questions.suites.suite import SUFFIX, Suite, explain_ending, list_axes
from pytest_codereason.questions.suites.tables import SuiteTables
from pytest_codereason.questions.templates.loading import find_forms

DEFAULT_SEED = 0
#: What running a program tells, where its source does not.
COMPUTED = frozenset({"output"})
#: Most questions of a suite. pytest keeps an item and a report for each: 100,000 take 550 MB.
MOST_QUESTIONS = 1_000_000


def load(
    path: Path,
    *,
    seed: int | None = None,
    sampling: Mapping[str, object] | None = None,
    source: Mapping[str, object] | None = None,
) -> Suite:
    """Reads a suite file.

    Args:
        path: the file; its name less ``.suite.toml`` is the suite's.
        seed: takes the place of the file's seed (``--eval-seed``).
        sampling: settings that take the place of the file's (``--model-arg temperature=0.3``).
        source: settings of the source that take the place of the file's.

    Raises:
        UsageError: the file cannot be read or understood, or its name has another ending.
    """
    if path.is_file() and not path.name.endswith(SUFFIX):
        raise UsageError(explain_ending(path))
    return _SuiteReader(read_toml(path), seed, dict(sampling or {}), dict(source or {})).create_suite()


class _SuiteReader(SuiteTables):
    """Turns the tables of one file into a :class:`Suite`. Every error names file and line."""

    def __init__(
        self, file: TomlFile, seed: int | None, sampling: Mapping[str, Any], source: Mapping[str, Any]
    ) -> None:
        super().__init__(file)
        self.seed = seed
        self.overrides, self.source_overrides = sampling, source
        self.elsewhere: Mapping[str, str] = {}

    def create_suite(self) -> Suite:
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
        self.check_keys(kinds, axes)
        self.check_facts(task, source, stages)
        self.check_required(task)
        values = AxisReader(self, task, axes, kinds)
        conditions, drawing = values.read_conditions(source_table), values.read_drawing(self.overrides)
        if adaptive := read_adaptive(self, axes):
            self.refuse_own_conditions(stages)
            conditions = conditions.spread(adaptive.over, adaptive.rungs)
        folder, prefill = self.find_template(task), self.read_switch("prefill", True)
        texts, checks = self.read_texts(), self.read_switch("check", source.checks, "source")
        with self.at("template" if "template" in self.table else "task"):
            prompts = load_prompts(task, axes, conditions, folder=folder, prefill=prefill)
        suite = Suite(
            path=self.path,
            task=task,
            source=source,
            stages=stages,
            languages=languages,
            conditions=conditions,
            drawing=drawing,
            prompts=prompts,
            seed=seed,
            checks=checks,
            texts=texts,
            adaptive=adaptive,
        )
        self.refuse_too_many(suite)
        try:
            suite.cells  # noqa: B018  # source and stages refuse values that cannot go together
        except BadSetting as error:
            raise self.fail(str(error), "matrix", error.key) from error
        return suite

    def check_keys(self, kinds: Mapping[str, type[Stage]], axes: Mapping[str, Axis]) -> None:
        """Refuses a key that is neither an axis nor one that every suite has."""
        top_level = keys.list_keys(kinds)
        if unknown := [k for k in self.table if k not in (*top_level, *axes)]:
            known = f"a suite has {', '.join(top_level)} and the axes {', '.join(list_settable(axes))}"
            hint = suggest_name(unknown[0], (*top_level, *list_settable(axes)))
            raise self.fail(f"unknown key {unknown[0]!r}{hint}: {known}", unknown[0])

    def check_facts(self, task: Task, source: Source, stages: Sequence[Stage]) -> None:
        """Refuses a task whose facts nobody gives."""
        given = frozenset().union(*(stage.gives for stage in stages))
        if missing := task.needs - source.facts - given - COMPUTED:
            givers = {fact: kind.name for kind in find_shipped().values() for fact in kind.gives if fact in missing}
            hints = [f"; the axis {name!r} gives {fact!r}" for fact, name in sorted(givers.items())]
            raise self.fail(
                f"the task {task.name} needs facts that the source {source.name} lacks: "
                f"{', '.join(sorted(missing))}{''.join(hints)}",
                "task",
            )

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

    def refuse_own_conditions(self, stages: Sequence[Stage]) -> None:
        """Refuses to choose questions where each program has conditions of its own, so that no two are in one cell."""
        for stage in stages:
            if type(stage).values is not Stage.values:
                raise self.fail(
                    f"the stage {stage.name} draws conditions from each program, so no two programs are asked under "
                    "one, and nothing can be chosen among them",
                    "adaptive",
                )

    def refuse_too_many(self, suite: Suite) -> None:
        """Refuses a suite with too many questions, before they are listed one by one."""
        cells = math.prod(map(len, suite.conditions.matrix.values()))
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

    def find_part(self, kind: Any, name: str, *where: str) -> Any:
        with self.at(*where):
            return registry.find(kind, name)

    def read_seed(self, table: Mapping[str, object]) -> int:
        seed = table.get("seed", DEFAULT_SEED)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise self.fail(f"'seed' must be a whole number, not {seed!r}", "source", "seed")
        return seed if self.seed is None else self.seed

    def create_source(self, table: Mapping[str, object], seed: int) -> Source:
        name = table.get("name")
        if not isinstance(name, str):
            hint = keys.suggest_misspelt("name", table)
            raise self.fail(f"the key 'name' is missing{hint}: which source do the programs come from?", "source")
        kind = self.find_part(Source, name, "source", "name")
        settings = {k: v for k, v in table.items() if k not in ("name", "seed", "check")}
        settings.update(self.source_overrides)
        missing = set()
        for key in kind.beside_suite & settings.keys():
            if isinstance(place := settings[key], str):
                written = expand_path(place)
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
