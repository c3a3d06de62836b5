"""Joins the shards of a run: the records in the order in which one run would have written them.

Example: three machines ran ``--eval-shard 1/3`` to ``3/3``. Each ``run.json`` says which programs of a suite its shard
has, by their places among all programs. So the order of the whole run is known without the suite.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from pytest_codereason.core.files.caps import list_lines, open_ordinary
from pytest_codereason.core.text.wording import plural
from pytest_codereason.engine.sharing.sharding import find_shared
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_info import RECORDS, explain_unreadable, read_content, read_run

#: Parts of ``run.json`` that decide, beside version, models and plans, what is asked and how it is judged: every shard
#: has the same.
_SAME = (
    "writer",
    "left_out",
    "gates",
    "stop_when_decided",
    "claim",
    "undecided",
    "repeat",
    "figures",
    "reporters",
    "published",
    "categories",
)
#: Parts that may differ between machines. The joined run has those of the first shard.
_OF_MACHINE = ("versions", "sandbox", "concurrency", "store", "baseline")
#: What two records of one answer may differ in: times, where the answer came from, who gave it, and what it cost.
_TIMES = ("latency_s", "reused", "texts_reused", "cost", "sandbox")

_STEP_TIMES = ("answered_at", "latency_s", "reused", "cost", "endpoint", "failed_at")

#: Suite, model, id, sample, and 1 if the question was asked once more.
Name = tuple[str, str, str, int, int]


class RecordPlace(NamedTuple):
    """Where a record stands in the joined run: its suite, model, program, and place within the program's records."""

    suite: int
    model: int
    program: int
    line: int


@dataclass(frozen=True, slots=True)
class _Line:
    """One record: where it stands in a file, and what tells whether another record says the same."""

    place: RecordPlace
    shard: int
    start: int
    size: int
    content: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One run folder that is a shard: the content of ``run.json`` and the places of its programs by suite."""

    folder: Path
    run: Mapping[str, Any]
    parts: Mapping[str, tuple[int, int]]  #: by suite, such as part 1 of 3
    places: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedRun:
    """The whole run that shards belong to, as far as the shards are there."""

    run: dict[str, Any]  #: content of ``run.json``, but for what reports count in the records
    lacks_shards: bool
    remarks: tuple[str, ...]  #: what is missing, and in what the machines differ
    shards: tuple[Shard, ...]
    lines: tuple[_Line, ...] = field(repr=False)

    def write_records(self, path: Path) -> None:
        """Writes ``records.jsonl``: the lines of the shards, unchanged, in the order of one run.

        Raises:
            OSError: a file cannot be read or written.
        """
        files = [open_ordinary(shard.folder / RECORDS) for shard in self.shards]
        try:
            with path.open("wb") as out:
                for line in self.lines:
                    files[line.shard].seek(line.start)
                    out.write(files[line.shard].read(line.size).rstrip(b"\n") + b"\n")
        finally:
            for each in files:
                each.close()


def read_shard(folder: Path) -> Shard:
    """A run folder as a shard.

    Raises:
        UsageError: the folder holds no run, or the run is no shard.
    """
    info = read_run(folder)
    if info.stopped_early:
        raise UsageError(
            f"{folder} stopped early, when its own gates were decided, so it lacks questions of the whole run; run "
            "this shard again without --eval-stop-when-decided"
        )
    parts, places = {}, {}
    for name, suite in info.suites.items():
        if suite.shard is None:
            raise UsageError(
                f"{folder} is no shard: its run.json does not say which part of {name} it asked; merge joins runs of "
                "pytest --eval-shard I/N"
            )
        parts[name], places[name] = (suite.shard.part, suite.shard.of), suite.shard.programs
    return Shard(folder=folder, run=read_content(folder), parts=parts, places=places)


def join_shards(folders: Sequence[Path], output: Path) -> JoinedRun:
    """The run that these shards are parts of, as it would stand in the folder ``output``. Nothing is written.

    An answer that two shards have counts once. An unanswered question gives way to an answer.

    Raises:
        UsageError: a folder is no shard, the shards belong to different runs, or two shards have different records of
            one answer.
    """
    shards = tuple(map(read_shard, folders))
    for shard in shards[1:]:
        _check_same(shards[0], shard)
    lines, damaged = _collect_lines(shards)
    run, remarks = _join_runs(shards, lines, output, damaged=bool(damaged))
    missing = [text for name, suite in run["suites"].items() if (text := _describe_missing(shards, name, suite))]
    differing = [
        f"the machines differ in {key}; the joined run has that of {shards[0].folder}"
        for key in _OF_MACHINE
        if any(shard.run.get(key) != shards[0].run.get(key) for shard in shards)
    ]
    if any(_list_addresses(shard) != _list_addresses(shards[0]) for shard in shards):
        differing.append(
            f"the shards asked servers at several addresses; the joined run has those of {shards[0].folder}"
        )
    ordered = tuple(sorted(lines.values(), key=lambda line: line.place))
    return JoinedRun(
        run=run,
        lacks_shards=bool(missing),
        remarks=(*missing, *remarks, *damaged, *differing),
        shards=shards,
        lines=ordered,
    )


def _check_same(first: Shard, other: Shard) -> None:
    def refuse(what: str) -> None:
        raise UsageError(f"{first.folder} and {other.folder} are no shards of one run: {what}")

    made_by, others_by = (shard.run.get("codereason") for shard in (first, other))
    if made_by != others_by:
        refuse(f"pytest-codereason {made_by} made one and {others_by} the other; run one of them again")
    for key in _SAME:
        if first.run.get(key) != other.run.get(key):
            refuse(f"they differ in {key!r} of run.json")
    models, others = (_identify_models(shard) for shard in (first, other))
    if list(models.items()) != list(others.items()):
        changed = [label for label in models.keys() & others.keys() if models[label] != others[label]]
        if changed:
            refuse(f"{', '.join(sorted(changed))} had other settings or other weights")
        refuse(f"one asked {', '.join(models)}, the other {', '.join(others)}")
    if list(first.run["suites"]) != list(other.run["suites"]):
        refuse(f"one has the suites {', '.join(first.run['suites'])}, the other {', '.join(other.run['suites'])}")
    for name, suite in first.run["suites"].items():
        if suite["plan"] != other.run["suites"][name]["plan"]:
            refuse(f"the suite {name} had another plan: the file, the data or the version changed")


def _identify_models(shard: Shard) -> dict[str, Any]:
    """What was asked, wherever it was: several servers may have the same model."""
    return {
        label: [{**model["identity"], "endpoint": None}, model.get("sampling")]
        for label, model in shard.run["models"].items()
    }


def _list_addresses(shard: Shard) -> list[Any]:
    return [model["identity"].get("endpoint") for model in shard.run["models"].values()]


def _collect_lines(shards: Sequence[Shard]) -> tuple[dict[Name, _Line], list[str]]:
    """One line for each answer, and what is said of damaged lines."""
    lines: dict[Name, _Line] = {}
    remarks = []
    for number, shard in enumerate(shards):
        damaged = 0
        for line, name in _read_lines(number, shard):
            if name is None:
                damaged += 1
                continue
            known = lines.setdefault(name, line)
            if known.content == line.content or line.is_error:
                continue
            if not known.is_error:
                raise UsageError(
                    f"{shards[known.shard].folder} and {shard.folder} have different records of {name[2]} "
                    f"(suite {name[0]}, model {name[1]}, sample {name[3]}); leave one of the folders out"
                )
            lines[name] = line
        if damaged:
            remarks.append(f"{shard.folder}: {plural(damaged, 'damaged line')} of records left out")
    return lines, remarks


def _read_lines(number: int, shard: Shard) -> Iterator[tuple[_Line, Name | None]]:
    suites = {name: place for place, name in enumerate(shard.run["suites"])}
    models = {label: place for place, label in enumerate(shard.run["models"])}
    try:
        chosen = {name: _find_chosen(suite) for name, suite in shard.run["suites"].items()}
        with open_ordinary(shard.folder / RECORDS) as file:
            for count, (place, size, text) in enumerate(list_lines(file)):
                if text is not None and not text.strip():
                    continue
                try:
                    row = json.loads(text or b"")
                    suite, model, question = (str(row[key]) for key in ("suite", "model", "id"))
                    name = (suite, model, question, int(row["sample"]), int(row.get("repeat") or 0))
                    shared = find_shared(name[2], chosen[name[0]])
                    where = RecordPlace(suites[name[0]], models[name[1]], shard.places[name[0]][shared], count)
                    yield _Line(where, number, place, size, _digest(row), row["outcome"] == "error"), name
                except (ValueError, KeyError, TypeError, RecursionError):
                    yield _Line(RecordPlace(0, 0, 0, 0), number, place, size, "", False), None
    except OSError as error:
        raise explain_unreadable(error) from error


def _find_chosen(suite: Mapping[str, Any]) -> str:
    """The axis that a suite chooses by its answers, empty if it asks everything."""
    adaptive = suite.get("adaptive") or {}
    return str(adaptive.get("over", "")) if adaptive.get("asking") == "adaptive" else ""


def _digest(row: Mapping[str, Any]) -> str:
    """A digest of what a record says, without its times."""
    said = {key: value for key, value in row.items() if key not in _TIMES}
    said["steps"] = [
        {key: value for key, value in step.items() if key not in _STEP_TIMES} for step in row.get("steps", ())
    ]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _join_runs(
    shards: Sequence[Shard], lines: Mapping[Name, _Line], output: Path, *, damaged: bool
) -> tuple[dict[str, Any], list[str]]:
    """The content of ``run.json``, and what is said of missing answers."""
    first = shards[0].run
    recorded = Counter(suite for suite, *_ in {name[:3] for name in lines})
    complete = all(shard.run["complete"] for shard in shards) and not damaged
    suites, answers = {}, 0
    for name, suite in first["suites"].items():
        had = recorded[name] + (unneeded := _count_unneeded(shards, name))
        selected = had if complete else max(had, _count_selected(shards, name))
        suites[name] = {key: value for key, value in suite.items() if key != "shard"} | {"selected": selected}
        if adaptive := suite.get("adaptive"):
            suites[name]["adaptive"] = {**adaptive, "unneeded": unneeded}
        answers += had
    whole = sum(suite["instances"] for suite in suites.values()) * len(first["models"])
    selected = sum(suite["selected"] for suite in suites.values())
    answered = not any(line.is_error for line in lines.values()) and answers == selected
    missing = "some questions are unanswered or were not asked, so the joined run is incomplete"
    ended = [shard.run["finished"] for shard in shards if shard.run["finished"]]
    spent = [shard.run.get("spent") for shard in shards]
    return {
        **first,
        "started": min((shard.run["started"] for shard in shards), key=datetime.fromisoformat),
        "finished": max(ended, key=datetime.fromisoformat) if len(ended) == len(shards) else None,
        "argv": _join_arguments(first["argv"], output),
        "suites": suites,
        "selection": None if selected == whole else f"{selected:,} of {whole:,} questions",
        "complete": answered,
        "estimate": _add_estimates(shards),
        "questions": None,  # no command selects them
        "spent": None if any(each is None for each in spent) else sum(spent),
        **{key: _find_longest(shards, key) for key in ("reused_oldest_s", "texts_reused_oldest_s", "wall_s")},
    }, [] if answered else [missing]


def _count_unneeded(shards: Sequence[Shard], suite: str) -> int:
    """The questions that adaptive asking did not need, of all different shards."""
    parts = {
        shard.parts[suite]: (shard.run["suites"][suite].get("adaptive") or {}).get("unneeded", 0) for shard in shards
    }
    return int(sum(parts.values()))


def _count_selected(shards: Sequence[Shard], suite: str) -> int:
    """The questions of all different shards. A shard that stopped early does not have records of all of them."""
    parts = {shard.parts[suite]: shard.run["suites"][suite]["selected"] for shard in shards}
    whole = shards[0].run["suites"][suite]["instances"] * len(shards[0].run["models"])
    return int(min(whole, sum(parts.values())))


def _describe_missing(shards: Sequence[Shard], name: str, suite: Mapping[str, Any]) -> str:
    """Which shards of a suite are missing; empty if its programs are all there."""
    parts = {shard.parts[name] for shard in shards}
    sizes = {of for _, of in parts}
    partial = "so the joined run is PARTIAL"
    if len(sizes) > 1:  # 1/2 and 2/3, say
        whole = suite["instances"] * len(shards[0].run["models"])
        left = whole - suite["selected"]
        given = ", ".join(f"{part}/{of}" for part, of in sorted(parts))
        return f"{name}: the shards {given} leave out {left:,} of {whole:,} questions, {partial}" if left else ""
    missing = [f"{part}/{of}" for of in sizes for part in range(1, of + 1) if (part, of) not in parts]
    return f"{name}: shard {', '.join(missing)} is missing, {partial}" if missing else ""


def _join_arguments(arguments: Sequence[str], output: Path) -> list[str]:
    """The command of one run: that of a shard without ``--eval-shard``, and with its own ``--eval-report``."""
    kept, words = [], iter(arguments)
    for word in words:
        option, equals, _ = word.partition("=")
        if option not in ("--eval-shard", "--eval-report"):
            kept.append(word)
            continue
        if not equals:
            next(words, None)
        if option == "--eval-report":
            kept += [f"{option}={output}"] if equals else [option, str(output)]
    return kept


def _add_estimates(shards: Sequence[Shard]) -> dict[str, dict[str, float | None]]:
    """What was expected of all shards together, by model; unknown where one of them does not know it."""
    estimates = [shard.run.get("estimate") or {} for shard in shards]
    return {
        label: {
            key: None
            if any(each.get(label, {}).get(key) is None for each in estimates)
            else sum(each[label][key] for each in estimates)
            for key in first
        }
        for label, first in estimates[0].items()
    }


def _find_longest(shards: Sequence[Shard], key: str) -> float | None:
    known = [shard.run[key] for shard in shards if shard.run.get(key) is not None]
    return max(known) if known else None
