"""Reads the programs that a language carries, from the file ``examples.toml`` of its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from pytest_codereason.core import Example
from pytest_codereason.core.language.dialects import WorkedExample
from pytest_codereason.core.language.naming import GraphExample


def read_programs(package: str) -> Sequence[Example]:
    """The tables ``[[programs]]``: small programs with the results of running them. A folder may lack the file."""
    return tuple(Example(**row) for row in _read(package, "programs"))


def read_worked_examples(package: str) -> Mapping[str, WorkedExample]:
    """The tables ``[worked.NAME]``: see ``programs/sources/_examples.py``."""
    return {name: WorkedExample(**row) for name, row in _read(package, "worked").items()}


def read_graph(package: str) -> GraphExample:
    """The table ``[graph]``: a program with its call graph, which prompts show."""
    table = _read(package, "graph")
    edges = {caller: tuple(callees) for caller, callees in table["edges"].items()}
    return GraphExample(table["files"], table["entry"], edges)


def _read(package: str, table: str) -> Any:
    """A table of the file, or a list of tables; empty if the folder has no file."""
    file = resources.files(package).joinpath("examples.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")).get(table, {}) if file.is_file() else {}
