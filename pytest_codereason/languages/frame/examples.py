"""Reads the programs that a language carries, from the file ``examples.toml`` of its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from pytest_codereason.core import Example
from pytest_codereason.core.language.dialects import WorkedExample


def read_programs(package: str) -> Sequence[Example]:
    """The tables ``[[programs]]``: small programs with the results of running them. A folder may lack the file."""
    return tuple(Example(**row) for row in _read(package).get("programs", ()))


def read_worked_examples(package: str) -> Mapping[str, WorkedExample]:
    """The tables ``[worked.NAME]``: see ``programs/sources/_examples.py``."""
    return {name: WorkedExample(**row) for name, row in _read(package).get("worked", {}).items()}


def _read(package: str) -> dict[str, Any]:
    file = resources.files(package).joinpath("examples.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
