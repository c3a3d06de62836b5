"""Reads ``run.json``, the description of a run, into typed values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pytest_codereason import registry
from pytest_codereason.core import TRUNCATED, AxisValue, Metric, Outcome, Task
from pytest_codereason.core.answers import Number, make_fitted, make_pass_at, make_pass_every
from pytest_codereason.core.files.caps import parse_json, read_text
from pytest_codereason.core.files.typed_json import Misfit, convert, find_line
from pytest_codereason.engine.storage import run_folder
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.adaptive_info import AdaptiveInfo

RECORDS, RUN = run_folder.RECORDS, run_folder.RUN
FORMAT = 1
_PASS = re.compile(r"pass([@^])(\d{1,4})")
#: Metrics of answers that may be right and yet left as sums, see ``resolved.py``.
EXACT, RESOLVED, UNRESOLVED = "exact", "exact_resolved", "unresolved"


#: The metadata of a field that ``run.json`` does not have: the log of another tool tells it, or the task.
_UNSTORED = {"stored": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardInfo:
    """Which part of a suite a shard asked."""

    part: int  #: from 1
    of: int  #: so many parts
    programs: Mapping[str, int]  #: the place of each of its programs in the whole suite


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInfo:
    """One suite of a run: what it asked and what it measures."""

    file: str = ""  #: the suite file, from pytest's root folder
    task: str  #: the name of the task
    #: the version of the task that gave the verdicts; ``None`` if the run does not say
    task_version: int | None = None
    plan: str = ""  #: digest of what the suite asks and how it scores
    instances: int = 0  #: questions of the whole suite
    selected: int = 0  #: questions of all models
    #: as many as ``selected`` would be if no question were left out
    whole: int = field(default=0, metadata=_UNSTORED)
    samples: int = 1  #: the highest number of answers to a question
    metrics: tuple[Metric, ...]  #: the first is the headline
    axes: Mapping[str, tuple[AxisValue, ...]]  #: ``language`` first
    adaptive: AdaptiveInfo | None = None  #: how an axis was chosen; ``None`` if the suite has no table ``[adaptive]``
    curve: str = ""  #: the axis over which a horizon is fitted; empty if there is none
    #: source, stages, sampling, seed, templates, notes and what was left out, as ``run.json`` has them
    resolved: Mapping[str, Any] = field(default_factory=dict)
    #: how many questions the whole suite has in each condition, whose axes include ``language``
    cells: tuple[tuple[int, Mapping[str, AxisValue]], ...] = ()
    shard: ShardInfo | None = None  #: of a run with ``--eval-shard``
    #: outcomes that a foreign log does not tell from wrong answers
    untold: frozenset[Outcome] = field(default=frozenset(), metadata=_UNSTORED)
    #: how many families the whole suite has at the values of axes that change programs, in all languages and in each;
    #: empty if programs are asked about under conditions of their own
    families: tuple[tuple[int, Mapping[str, AxisValue]], ...] = ()

    def count_families(self, where: Mapping[str, AxisValue]) -> int | None:
        """How many families the whole suite has at these values of axes; ``None`` if the run does not say."""
        counts = [
            many
            for many, cell in self.families
            if ("language" in cell) is ("language" in where)
            and all(where.get(axis, value) == value for axis, value in cell.items())
        ]
        return sum(counts) if counts else None

    def count_questions(self, where: Mapping[str, AxisValue]) -> int | None:
        """How many questions the whole suite has at these values of axes; ``None`` if the run does not say."""
        if not self.cells:
            return None
        return sum(many for many, cell in self.cells if where.items() <= cell.items())

    def count_samples(self, prompting: str | None) -> int | None:
        """How many answers a question gets in this way of prompting; ``None`` if the run does not say.

        Args:
            prompting: ``None`` if the suite does not vary it.
        """
        # A foreign log has no cells, though it may borrow the rest from a run of ours.
        samples, fixed = (self.resolved.get(name) if self.cells else None for name in ("samples", "fixed"))
        if not isinstance(samples, Mapping):
            return None
        way = (fixed.get("prompting") if isinstance(fixed, Mapping) else None) if prompting is None else prompting
        many = samples.get(way, samples.get("default"))
        return many if isinstance(many, int) else None

    @property
    def headline(self) -> Metric:
        """The metric that stands first in every report."""
        return self.metrics[0]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Which programs of the source were left out, a text for each reason: rows of a file that cannot be read."""
        texts = self.resolved.get("left_out", ())
        return tuple(map(str, texts)) if isinstance(texts, (list, tuple)) else ()

    @property
    def measured(self) -> tuple[Metric, ...]:
        """The metrics, and the share of truncated answers unless the task has a metric of that name."""
        known = TRUNCATED.outcome in self.untold or any(each.name == TRUNCATED.name for each in self.metrics)
        return self.metrics if known else (*self.metrics, TRUNCATED)

    @property
    def chosen_axis(self) -> str:
        """The axis whose value follows from earlier answers, empty if every question is asked."""
        return self.adaptive.chosen_axis if self.adaptive is not None else ""

    @property
    def wanted(self) -> int:
        """The questions of all models that have records in a complete run: adaptive asking does not need all."""
        return self.selected - (self.adaptive.unneeded if self.adaptive else 0)

    @property
    def fitted(self) -> tuple[Metric, ...]:
        """The figures of the curve of right answers, which gates may name; empty if the suite has no curve."""
        return make_fitted(self.curve) if self.curve else ()

    def varying_axes(self, names: Sequence[str]) -> list[str]:
        """Those of the axes ``names`` along which the suite has several values."""
        return [name for name in names if len(self.axes.get(name, ())) > 1]

    def find_only_value(self, axis: str) -> str:
        """The value of an axis in all questions; empty if there are several, or if the suite does not name the axis."""
        fixed = self.resolved.get("fixed")
        known = [fixed[axis]] if isinstance(fixed, Mapping) and axis in fixed else []
        values = self.axes.get(axis, known)
        return str(values[0]) if len(values) == 1 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """One model of a run."""

    #: what decides its answers, in the words of its provider: address, name there, weights, settings
    identity: Mapping[str, Any] = field(default_factory=dict)
    spec: str = ""  #: the provider and the name there; the label, unless the user has named the model
    sampling: Mapping[str, Any] = field(default_factory=dict)  #: settings that replaced the suites', for this model
    pinned: bool = False  #: whether ``identity`` names its weights by digest
    concurrency: int = 0  #: the most requests at a time; 0 if the run does not say
    #: US dollars for a million tokens of the prompt and of the reply, then of cached prompts and of reasoning
    price: tuple[float | None, ...] | None = None

    @property
    def guesses(self) -> bool:
        """Whether it answers at random. Such a model is a scale for others, so no headline or sentence is about it."""
        return self.identity.get("baseline") == "chance"

    @property
    def is_baseline(self) -> bool:
        """Whether it is no model but a scale: the truth, a guess, the result of running the program."""
        return "baseline" in self.identity


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlyGate:
    """A gate that was decided before every question was asked, and its evidence."""

    gate: str  #: as it was typed
    model: str  #: the label of the model
    verdict: Literal["PASS", "FAIL"]  #: what was decided
    value: float  #: the mean over the answers that decided
    baseline: float | None = None  #: the same answers in the baseline
    at_least: float  #: a limit that holds although somebody looked after every program
    at_most: float  #: the other limit
    n: int  #: answers
    programs: int  #: those with all their answers, from the beginning of a random order
    of: int  #: programs
    questions: int  #: those that the gate is about


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedEarly:
    """Where a run ended because every gate was decided."""

    asked: int  #: questions
    of: int  #: questions
    sent: int | None = None  #: requests, those whose replies came too late among them
    requests: int = 0  #: the most that the whole run would have sent
    gates: tuple[EarlyGate, ...] = ()  #: each with its evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """One run: when, how and on what it was measured."""

    format: int = FORMAT  #: of ``run.json`` and of the records
    codereason: str = ""  #: the version that has asked
    #: the tool that has asked, with its version; empty for a run of our own
    tool: str = field(default="", metadata=_UNSTORED)
    started: str = ""  #: the moment, in the form of ISO 8601
    finished: str | None = None  #: the moment; ``None`` while the run goes on
    argv: tuple[str, ...] = ()  #: the command
    versions: Mapping[str, str] = field(default_factory=dict)  #: of Python, pytest and what has run programs
    models: Mapping[str, ModelInfo]  #: by label
    #: who writes texts, by label: what decides what this model writes; ``None`` if nobody does
    writer: Mapping[str, Mapping[str, Any]] | None = None
    suites: Mapping[str, SuiteInfo]  #: by name
    gates: tuple[str, ...] = ()  #: as they were typed
    repeat: str = ""  #: which part of the questions was asked once more (``--eval-repeat``)
    #: whether the run, and each cell of an adaptive suite, was to end once its gates are decided
    stop_when_decided: bool = False
    baseline: str | None = None  #: the run folder with which gates compare
    claim: str = "generator"  #: what verdicts of gates are about: ``generator`` or ``suite``
    undecided: str = "fail"  #: whether a gate that nobody can decide fails the run: ``fail`` or ``pass``
    figures: tuple[str, ...] = ()  #: figures from outside that were asked for
    reporters: tuple[str, ...] = ()  #: reporters from outside that were asked for
    published: Mapping[str, str] = field(default_factory=dict)  #: files of published figures: their text by name
    categories: Mapping[str, str] = field(default_factory=dict)  #: a file of model categories: its text by name
    left_out: Mapping[str, str] = field(default_factory=dict)  #: why suites of a folder were not asked, by file
    selection: str | None = None  #: ``684 of 459,272 questions`` where a part was asked
    sampled: bool = False  #: whether the part is a random sample of programs
    questions: str | None = None  #: digest of the questions that were selected
    complete: bool = True  #: whether every question has an answer
    stopped_early: StoppedEarly | None = None  #: if every gate was decided before the end
    sandbox: str = "none"  #: the isolation in which programs were run
    concurrency: int = 0  #: the most requests that any model got at a time
    store: str = ""  #: the file with the answers
    hints: Mapping[str, int] = field(default_factory=dict)  #: programs shown with a hint, by who wrote it
    #: questions about programs in which a perturbation found nothing to change, by what it looked for
    unchanged: Mapping[str, int] = field(default_factory=dict)
    #: questions that could not be asked, by the kind of reason
    skipped: Mapping[str, int] = field(default_factory=dict)
    #: places of programs by the perturbation that changed them, ``published`` and ``safe``: see ``Record.forms``
    forms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: texts of the rule that failed their check, by place and reason: see ``Record.rejections``
    rejections: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    shared: int = 0  #: answers that were given in this run to another question, which is equal
    reused: int = 0  #: answers of earlier runs, from the store
    reused_oldest_s: float | None = None  #: how old the oldest of them was, in seconds
    texts_reused: int = 0  #: texts of the writer that an earlier session had written
    texts_reused_oldest_s: float | None = None  #: how old the oldest of them was, in seconds
    cost: float | None = None  #: US dollars
    #: the most US dollars that its requests may have cost: those for a writer's texts too, and those whose replies are
    #: lost or stand in no record
    spent: float | None = None
    #: the most that was expected before the run, by model: ``requests``, ``prompt`` and ``reply`` tokens, ``cost``
    estimate: Mapping[str, Mapping[str, Number | None]] = field(default_factory=dict)
    wall_s: float | None = None  #: how long it took, in seconds

    @property
    def partial_because(self) -> str | None:
        """Why the run covers only a part of its suites; ``None`` if it covers them all."""
        if stop := self.stopped_early:
            early = f"every gate was decided after {stop.asked:,} of {stop.of:,} questions"
            if stop.sent is not None:
                early += f" ({stop.sent:,} of at most {stop.requests:,} requests were sent{self._describe_waste()})"
            return f"{self.selection}; {early}" if self.selection else early
        return self.selection or (None if self.complete else "the run is incomplete")

    def _describe_waste(self) -> str:
        """What was paid for replies that stand in no record, if that is known."""
        if self.spent is None or self.cost is None or self.spent - self.cost < 5e-5:
            return ""
        return f", for ${self.spent:,.4f}; ${self.spent - self.cost:,.4f} of it paid replies that stand in no record"


def read_run(folder: Path) -> RunInfo:
    """The ``run.json`` of a run folder.

    Raises:
        UsageError: the folder holds no run, or a run in a format that this version does not know.
    """
    text = _read_text(folder)
    path = folder / RUN
    content = _parse(path, text)
    known = content.get("format") if isinstance(content, dict) else None
    if known != FORMAT:
        raise UsageError(f"{path}: this version does not know format {known!r}")
    try:
        return parse_run(content)
    except Misfit as error:
        raise UsageError(f"{path}:{find_line(text, error.place)} is damaged: {error}") from error
    except ValueError as error:
        raise UsageError(f"{path} is damaged: {error}") from error


def read_content(folder: Path) -> Any:
    """What the ``run.json`` of a run folder holds, whatever it is: a seal and a merge are about all of it.

    Raises:
        UsageError: the folder holds no run, or the file is not JSON.
    """
    return _parse(folder / RUN, _read_text(folder))


def _read_text(folder: Path) -> str:
    path = folder / RUN
    if not folder.exists():
        raise UsageError(f"{folder}: there is no such folder; name the folder of a run, such as reports/latest")
    if not path.is_file():
        if (folder / run_folder.SEARCHES).is_file():
            raise UsageError(
                f"{folder} holds the answers of searches, in {run_folder.SEARCHES}: there is no run to show"
            )
        raise UsageError(f"{folder} is not a run folder: it has no {RUN}; name the folder of a run")
    return read_text(path)


def _parse(path: Path, text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is damaged: it is not JSON ({error})") from error


def explain_unreadable(error: OSError) -> UsageError:
    """What to tell a user whose run folder lacks a file, or has one that cannot be read."""
    return UsageError(f"{error.filename}: {error.strerror}; a run folder holds {RUN} and {RECORDS}")


def check_records(folder: Path) -> None:
    """Checks that a run folder has its records.

    Raises:
        UsageError: it has none.
    """
    if not (folder / RECORDS).is_file():
        raise UsageError(f"{folder} has no {RECORDS}, so nothing is known of its answers; name another run folder")


def parse_run(content: Mapping[str, Any]) -> RunInfo:
    """The typed value of the content of ``run.json``; what is missing there has a default.

    Raises:
        ValueError: a value is none that a run has.
    """
    info = convert(RunInfo, content)
    described = {
        name: _complete(suite, len(info.models) if "selected" in content["suites"][name] else 0)
        for name, suite in info.suites.items()
    }
    info = replace(info, tool="", suites=described)  # what asked for another tool is known from its log alone
    _check(info)
    return info


def _complete(suite: SuiteInfo, models: int) -> SuiteInfo:
    """A suite with what ``run.json`` does not say of it."""
    metrics = _define(suite.task, _add_resolved(suite.metrics))
    return replace(suite, whole=models * suite.instances, metrics=metrics, untold=frozenset())


def _check(info: RunInfo) -> None:
    """Checks what was read, beyond its types.

    Raises:
        ValueError: a value is none that a run has.
    """
    names = [*info.models, *info.suites]
    for moment in filter(None, (info.started, info.finished)):
        datetime.fromisoformat(moment)
    for name, suite in info.suites.items():
        if not (suite.metrics and all(suite.axes.values())):
            raise ValueError(f"{name} has no metric, or an axis without a value")
        names += [*suite.axes, *(value for values in suite.axes.values() for value in values if isinstance(value, str))]
        names += [metric.name for metric in suite.metrics]
    "".join(names).encode()  # half of a surrogate pair is no name


def _add_resolved(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics of a suite, with ``exact_resolved`` if a run of an earlier version marks unresolved answers only."""
    named = {metric.name: metric for metric in metrics}
    if not {EXACT, UNRESOLVED} <= named.keys() or RESOLVED in named:
        return tuple(metrics)
    return (*metrics, replace(named[EXACT], name=RESOLVED, title="Exact and resolved"))


def _define(task: str, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics as the task itself defines them, in its order, whatever a run says of them.

    Only those of a task that nobody can find are what the run says.
    """
    named = {metric.name: metric for metric in metrics}
    kind = registry.find_offered(Task, task)
    own = [metric for metric in kind.metrics if metric.name in named] if kind else []
    others = [metric for metric in metrics if metric.name not in {each.name for each in own}]
    return (*own, *map(_define_pass, others))


def _define_pass(metric: Metric) -> Metric:
    """pass@k and pass^k as their names say, whatever the run says of them; any other metric as it is."""
    named = _PASS.fullmatch(metric.name)
    if not named:
        return metric
    return (make_pass_at if named[1] == "@" else make_pass_every)(int(named[2]))
