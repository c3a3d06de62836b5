"""The statistics of a set, as the third study prints them: functions, edges and lines of the programs by language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pytest_codereason.harvest.sets.splitting import Side

#: The rows of the table, by the attribute that they are about.
_MEASURES = {"functions": "Functions / program", "edges": "Edges / program", "lines": "Lines / program"}


class ProgramSize(NamedTuple):
    """How large a program is."""

    name: str
    repository: str
    language: str
    functions: int  #: declared
    edges: int
    lines: int  #: not blank


def describe_sizes(
    sizes: Sequence[ProgramSize], sides: Mapping[str, Side], languages: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """The statistics of each language: programs on each side, repositories, and mean and largest of each measure."""
    return {language: _describe([size for size in sizes if size.language == language], sides) for language in languages}


def _describe(sizes: Sequence[ProgramSize], sides: Mapping[str, Side]) -> dict[str, Any]:
    tested = sum(sides[size.repository] == "test" for size in sizes)
    row: dict[str, Any] = {
        "repositories": len({size.repository for size in sizes}),
        "test": tested,
        "train": len(sizes) - tested,
    }
    for name in _MEASURES:
        values = [getattr(size, name) for size in sizes]
        row[name] = {"mean": round(sum(values) / len(values), 1) if values else None, "max": max(values, default=None)}
    return row


def draw_sizes(statistics: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the table in Markdown: a column a language."""

    def write(title: str, cells: Sequence[object]) -> str:
        return f"| {title} | " + " | ".join("" if cell is None else str(cell) for cell in cells) + " |"

    rows = list(statistics.values())
    yield write("", list(statistics))
    yield "|---|" + "---|" * len(rows)
    yield write("Repositories", [row["repositories"] for row in rows])
    yield write("Programs, test", [row["test"] for row in rows])
    yield write("Programs, train", [row["train"] for row in rows])
    for name, title in _MEASURES.items():
        yield write(f"{title}, mean", [row[name]["mean"] for row in rows])
        yield write(f"{title}, max", [row[name]["max"] for row in rows])
