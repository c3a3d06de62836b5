"""docs/studies.md names suites that are shipped, and kinds of pictures that a figure draws."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = re.findall(r"^\| .* \|$", (ROOT / "docs/studies.md").read_text(), re.MULTILINE)


def find_names(column: int) -> set[str]:
    return {name for row in ROWS for name in re.findall(r"`([a-z-]+)`", row.split("|")[column])}


def test_every_suite_is_shipped() -> None:
    shipped = {path.name.partition(".")[0] for path in (ROOT / "suites").glob("*.suite.toml")}
    assert len(find_names(2) & shipped) > 10
    assert not find_names(2) - shipped


def test_every_kind_of_picture_is_drawn() -> None:
    figures = "".join(path.read_text() for path in (ROOT / "pytest_codereason/figures").glob("*.py"))
    kinds = find_names(4)
    assert len(kinds) > 10
    assert not {kind for kind in kinds if f'"{kind}"' not in figures}
