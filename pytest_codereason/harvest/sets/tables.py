"""The statistics of a set, as the third study prints them: functions, edges and lines of the programs by language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypedDict

from pytest_codereason.harvest.sets.splitting import Side

_Measure = Literal["functions", "edges", "lines"]
#: The rows of the table, by the attribute that they are about.
_MEASURES: Mapping[_Measure, str] = {
    "functions": "Functions / program",
    "edges": "Edges / program",
    "lines": "Lines / program",
}


class SizeSpread(TypedDict):
    """Mean and largest of the programs of a language."""

    mean: float | None
    max: int | None


class SizeTable(TypedDict):
    """What ``statistics.json`` says of a language."""

    repositories: int
    test: int
    train: int
    functions: SizeSpread
    edges: SizeSpread
    lines: SizeSpread


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
) -> dict[str, SizeTable]:
    """The statistics of each language: programs on each side, repositories, and mean and largest of each measure."""
    return {language: _describe([size for size in sizes if size.language == language], sides) for language in languages}


def _describe(sizes: Sequence[ProgramSize], sides: Mapping[str, Side]) -> SizeTable:
    tested = sum(sides[size.repository] == "test" for size in sizes)
    return {
        "repositories": len({size.repository for size in sizes}),
        "test": tested,
        "train": len(sizes) - tested,
        "functions": _spread([size.functions for size in sizes]),
        "edges": _spread([size.edges for size in sizes]),
        "lines": _spread([size.lines for size in sizes]),
    }


def _spread(values: Sequence[int]) -> SizeSpread:
    return {"mean": round(sum(values) / len(values), 1) if values else None, "max": max(values, default=None)}


def draw_sizes(statistics: Mapping[str, SizeTable]) -> Iterator[str]:
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
