"""Programs of data sets, where CODEREASON_DATA names them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Program
from tests.sandbox.known_failures import BY_CHANCE, FAILING, LANGUAGES


def data(name: str) -> Path:
    path = Path(os.environ.get("CODEREASON_DATA", ""), name)
    if "CODEREASON_DATA" not in os.environ or not path.exists():
        pytest.skip(f"CODEREASON_DATA names no folder with {name}")
    return path


def cruxeval() -> list[Program]:
    read = registry.language("python").values.read
    rows = [json.loads(line) for line in data("cruxeval.jsonl").read_text().splitlines()]
    return [
        Program.from_source(
            language="python",
            source=row["code"],
            call=f"f({row['input']})",
            facts=Facts(output=read(row["output"]).value, input=row["input"]),
        )
        for row in rows
    ]


def cruxeval_x(short: str, half: int | None = None) -> dict[int, Program]:
    """The programs that pass their own test, which runs as they are loaded; of even (0) or odd (1) ids."""
    language = LANGUAGES[short]
    left_out = FAILING[short].keys() | BY_CHANCE.get(short, set())
    rows = json.loads(data(f"cruxeval-x/{short}.json").read_text())
    return {
        row["id"]: Program.from_source(language=language, source=row["code"], call="")
        for row in rows
        if row.get("code") and row["id"] not in left_out and half in (None, row["id"] % 2)
    }
