"""Reads the examples of a perturbation: programs before and after, in ``examples/NAME.toml``."""

from __future__ import annotations

import tomllib
from importlib import resources

from pytest_codereason.core import Dose
from pytest_codereason.core.doses import PerturbationExample


def read_examples(name: str) -> tuple[PerturbationExample, ...]:
    """The examples of a shipped perturbation, in the order of its file."""
    file = resources.files(__package__).joinpath("examples", f"{name.replace('-', '_')}.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(
        PerturbationExample(
            language=language,
            before=row["before"],
            after=row["after"],
            call=row["call"],
            call_after=row.get("call_after", row["call"]),
            output=row["output"],
            seed=row["seed"],
            dose=Dose(strength=row.get("strength"), placement=row.get("placement", "")),
        )
        for language, rows in tables.items()
        for row in rows
    )
