"""Draws the tables of ``docs/reference.md`` from the code: ``python -m tests.reference``."""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec

from pytest_codereason import cli, registry
from pytest_codereason.core import (
    Axis,
    FaultOperator,
    Language,
    Metric,
    Model,
    Perturbation,
    Ratio,
    Record,
    RecordStep,
    Source,
    Stage,
    Task,
    TextKind,
)
from pytest_codereason.errors import BadSetting
from pytest_codereason.options import ALIASES, OPTIONS
from pytest_codereason.questions.suites.keys import list_keys
from pytest_codereason.questions.suites.sampling import SAMPLING
from pytest_codereason.results.log_format import LogFormat
from pytest_codereason.results.records.loading import COLUMNS
from pytest_codereason.results.runs.adaptive_info import AdaptiveInfo, CellInfo
from pytest_codereason.results.runs.run_info import EarlyGate, ModelInfo, RunInfo, ShardInfo, StoppedEarly, SuiteInfo

#: A key that no part has.
UNKNOWN = "?"
PAGE = Path(__file__).parent.parent / "docs" / "reference.md"
SCHEMA = PAGE.with_name("run-folder.schema.json")
#: The classes that ``records.jsonl`` and ``run.json`` are read into.
STORED: tuple[Any, ...] = (
    *(Record, RecordStep, RunInfo, ModelInfo, SuiteInfo, ShardInfo, Metric, Ratio, StoppedEarly, EarlyGate),
    *(AdaptiveInfo, CellInfo),
)
PARTS: dict[str, Any] = {
    "language": Language,
    "source": Source,
    "stage": Stage,
    "perturbation": Perturbation,
    "fault": FaultOperator,
    "task": Task,
    "kind of text": TextKind,
    "model": Model,
    "log format": LogFormat,
}


def draw_table(*titles: str, rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def draw_commands() -> str:
    commands = argparse.ArgumentParser().add_subparsers()
    rows = []
    for command in cli.list_commands():
        command.add(commands)
    for action in commands._choices_actions:
        rows.append((f"`codereason {action.dest}`", action.help or ""))
    return draw_table("command", "what it does", rows=rows)


def draw_options() -> str:
    short = {long: name for name, long in ALIASES.items()}
    rows = []
    for option in OPTIONS:
        metavar = f" {option.attrs['metavar']}" if "metavar" in option.attrs else ""
        name = f"`{short.get(option.flag, option.flag)}{metavar}`"
        rows.append((name, f"`{option.ini}`", option.help.replace("%%", "%")))
    return draw_table("option", "in the ini file", "meaning", rows=rows)


def list_axes() -> Iterator[Axis]:
    """The axes of every part that ships."""
    kinds: tuple[Any, ...] = (Source, Stage, Task)
    for kind in kinds:
        for name in registry.list_shipped(kind):
            part: Any = registry.find(kind, name)
            axes: dict[str, Axis] = dict(part.axes)
            yield from axes.values()


def list_suite_keys() -> set[str]:
    """The keys of a suite file and of its tables. A part lists its keys to whoever names another one."""
    keys = {*list_keys({}), *SAMPLING, "samples"}
    kinds: tuple[Any, ...] = (Source, Stage)
    for kind in kinds:
        more = {"languages": ("python",)} if kind is Stage else {}
        for name in registry.list_shipped(kind):
            keys.update(_ask_for_keys(registry.find(kind, name), **more))
    return keys


def _ask_for_keys(part: Any, **more: Any) -> list[str]:
    """The keys of a part, as it lists them to whoever gives an unknown one."""
    try:
        part.create({UNKNOWN: ""}, seed=0, **more)
    except BadSetting as error:
        there = str(error).rpartition(" has ")[2]
        return [] if there == "no keys" else there.split(", ")
    raise ValueError(f"{part} takes any key")


def draw_metrics() -> str:
    of: dict[tuple[str, str, str], list[str]] = {}
    for name in registry.list_shipped(Task):
        for metric in registry.find(Task, name).metrics:
            better = "more" if metric.higher_is_better else "less"
            of.setdefault((f"`{metric.name}`", metric.title, better), []).append(f"`{name}`")
    rows = [(metric, title, better, ", ".join(tasks)) for (metric, title, better), tasks in sorted(of.items())]
    return draw_table("metric", "what it is", "better", "of the tasks", rows=rows)


def draw_records() -> str:
    rows = [(f"`{name}`", kind, meaning) for name, kind, meaning in _list_fields(Record)]
    return draw_table("column", "type", "meaning", rows=rows)


def _list_fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """The fields of a class, those that it inherits first: name, type, and the comment beside or above."""
    for base in kind.__bases__:
        if is_dataclass(base):
            yield from _list_fields(base)
    source = inspect.getsource(sys.modules[kind.__module__])
    lines = source.splitlines()
    (found,) = [
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    ]
    for node in found.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        _, mark, comment = lines[node.lineno - 1].partition("#: ")
        if not mark:
            above = node.lineno - 2
            while lines[above].strip().startswith("#:"):
                comment = f"{lines[above].strip()[3:]} {comment}".strip()
                above -= 1
        text = re.sub(r":\w+:`~?(?:\w+\.)*(\w+)`", r"`\1`", comment).replace("``", "`")
        yield node.target.id, f"`{ast.unparse(node.annotation)}`", text


def draw_schema() -> str:
    """The JSON schema of a record and of ``run.json``, from the classes that read them and their comments."""
    _, definitions = msgspec.json.schema_components((Record, RunInfo), ref_template="#/$defs/{name}")
    kinds = {kind.__name__: kind for kind in STORED}
    assert definitions.keys() == kinds.keys(), "STORED names each class"
    for name, definition in definitions.items():
        unstored = {each.name for each in fields(kinds[name]) if each.metadata.get("stored") is False}
        meanings = {field: meaning for field, _, meaning in _list_fields(kinds[name])}
        # Some versions of msgspec indent it as the code does.
        definition["description"] = inspect.cleandoc(definition["description"])
        definition["properties"] = {
            field: {**({"description": meanings[field]} if meanings[field] else {}), **_settle_default(value)}
            for field, value in definition["properties"].items()
            if field not in unstored
        }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a run folder of pytest-codereason holds",
        "description": "Each line of records.jsonl is a Record, and run.json is a RunInfo.",
        "oneOf": [{"$ref": "#/$defs/Record"}, {"$ref": "#/$defs/RunInfo"}],
        "$defs": definitions,
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _settle_default(value: dict[str, Any]) -> dict[str, Any]:
    """The schema of a value without a default that is empty, which some versions of msgspec leave out."""
    rest = {key: each for key, each in value.items() if key != "default" or each not in ([], {})}
    # The default of a set has no order.
    return {**rest, "default": sorted(rest["default"])} if "default" in rest and "items" in value else rest


def draw_frame() -> str:
    """The columns by their type, then what those mean that no record has."""
    of: dict[str, list[str]] = {}
    for column in COLUMNS:
        of.setdefault(column.dtype, []).append(f"`{column.name}`")
    recorded = {name for name, _, _ in _list_fields(Record)}
    own = [(f"`{each.name}`", each.meaning) for each in COLUMNS if each.name.removesuffix(".*") not in recorded]
    types = draw_table("type", "columns", rows=((f"`{dtype}`", ", ".join(names)) for dtype, names in of.items()))
    return f"{types}\n\n{draw_table('column', 'meaning', rows=own)}"


def draw_parts() -> str:
    rows = [(title, ", ".join(f"`{name}`" for name in registry.list_shipped(kind))) for title, kind in PARTS.items()]
    return draw_table("kind", "names", rows=rows)


TABLES: dict[str, Callable[[], str]] = {
    "commands": draw_commands,
    "options": draw_options,
    "metrics": draw_metrics,
    "records": draw_records,
    "frame": draw_frame,
    "parts": draw_parts,
}


def draw_page(page: str) -> str:
    """The page with its tables as the code has them now."""
    for name, draw in TABLES.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        head, rest = page.split(begin)
        page = f"{head}{begin}{draw()}\n{end}{rest.split(end)[1]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(draw_page(PAGE.read_text("utf-8")), "utf-8")
    SCHEMA.write_text(draw_schema(), "utf-8")
