"""The files that ``docs/extending.md`` shows: a package of its own, and suites that stand on the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
EXAMPLE = PAGE.parent / "examples" / "my-parts"
BLOCK = re.compile(r"^```toml\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PACKAGE = "my_parts"


def read_files() -> dict[str, str]:
    """The text of each file that the page shows, by its path."""
    page = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"^--8<-- \"my-parts/(.+)\"$", page, re.MULTILINE)
    files = {path: (EXAMPLE / path).read_text(encoding="utf-8") for path in ("pyproject.toml", *shown)}
    return {**files, **dict(BLOCK.findall(page))}


def write_files(folder: Path) -> None:
    """Writes the files of the page into ``folder``, and makes their package one."""
    for name, text in read_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / PACKAGE / "__init__.py").touch()


def write_metadata(folder: Path) -> None:
    """Writes what pip would leave beside the installed package: its name, version and entry points."""
    project = read_files()["pyproject.toml"]
    info = folder / "my_parts-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-parts\nVersion: 1.0\n")
    groups = re.sub(r'\[project\.entry-points\."(.+)"\]', r"[\1]", project[project.index("[project.entry-points") :])
    (info / "entry_points.txt").write_text(groups.replace('"', ""))


def check_records(records: list[dict[str, Any]]) -> None:
    """5 programs in 2 languages, with and without a banner: all perturbations work in both, rename in Python only."""
    outcomes: dict[tuple[str, str], set[str]] = {}
    for row in records:
        outcomes.setdefault((row["language"], row["axes"]["perturbation"]), set()).add(row["outcome"])
    for language in ("python", "steps"):
        assert outcomes[language, "vanilla"] == {"correct", "wrong"}
        assert outcomes[language, "remark"] == {"correct", "wrong"}
        assert outcomes[language, "claim"] == {"correct", "wrong"}
    assert outcomes["python", "rename"] == {"correct", "wrong"}
    assert outcomes["steps", "rename"] == {"skipped"}
    assert len(records) == 5 * 2 * 4 * 2
