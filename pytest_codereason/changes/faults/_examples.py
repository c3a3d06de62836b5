"""Reads the examples of a fault: programs before and after, in ``examples/NAME.toml``."""

from __future__ import annotations

import tomllib
from importlib import resources

from pytest_codereason.core.faults import FaultExample


def read_examples(name: str) -> tuple[FaultExample, ...]:
    """The examples of a shipped fault, in the order of its file."""
    file = resources.files(__package__).joinpath("examples", f"{name.replace('-', '_')}.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        FaultExample(language, row["before"], row["after"], row["call"], row["line"])
        for language, rows in tables.items()
        for row in rows
    )
