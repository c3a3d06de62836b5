"""Reads files of published figures: what papers say of models, as facts to draw beside a run.

Some are shipped in ``results/studies/papers``; ``docs/scores.md`` describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.files.toml_files import TomlFile, parse_toml, read_text
from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import UsageError
from pytest_codereason.results.pictures import Citation

#: The keys of one entry. The first three are required.
KEYS = ("source", "figure", "models", "of", "panel", "unit", "note")
#: How an entry counts: as ``summary.json`` does, shares from 0 to 1; or in percent, as papers print shares.
UNITS = ("number", "percent")

Cells = Mapping[str, Decimal | str]
#: A level, or pairs of x and y.
Course = Decimal | tuple[tuple[Decimal, Decimal], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One table or one panel of a paper: what it says of several models."""

    place: str  #: for messages: ``mine.toml:4``
    source: Citation
    figure: str  #: the kind of the pictures that it stands in
    of: Mapping[str, str]  #: the suite, the language and the like; a picture of these
    percent: bool
    rows: Sequence[tuple[str, Cells]] = ()  #: models with the cells of a table
    panel: str | None = None  #: the title of the panel, if this is no table
    courses: Mapping[str, Course] | None = None  #: models with what stands in the panel


@dataclass(frozen=True, slots=True)
class FactsFile:
    """All facts of one file."""

    name: str
    citation: str
    facts: Sequence[Fact]

    @property
    def is_shipped(self) -> bool:
        """Whether the file belongs to this package."""
        return self.name in list_papers()


def list_papers() -> list[str]:
    """The names of the shipped files: ``codecrash``, ``sense-and-sensitivity``."""
    papers = files(__package__).joinpath("papers").iterdir()
    return sorted(path.name.removesuffix(".toml") for path in papers if path.name.endswith(".toml"))


def load_texts(names: Sequence[str]) -> dict[str, str]:
    """The text of each file: of a shipped one by its name, of a user's own by its path, which ends in ``.toml``.

    Raises:
        UsageError: there is no such file, or it holds a mistake; names the file, the line and what to do.
    """
    texts: dict[str, str] = {}
    for name in names:
        if name.endswith(".toml"):
            texts[shorten_path(Path(name))] = read_text(Path(name))
        elif name in list_papers():
            texts[name] = files(__package__).joinpath("papers", f"{name}.toml").read_text("utf-8")
        else:
            known = list_papers()
            raise UsageError(
                f"--eval-published {name}: there is no such paper{suggest_name(name, known)}; name one of "
                f"{', '.join(known)}, or a file of your own that ends in .toml"
            )
    for name, text in texts.items():
        parse_facts(name, text)
    return texts


def parse_facts(name: str, text: str) -> FactsFile:
    """The facts of the file ``name`` with the content ``text``.

    Raises:
        UsageError: the text holds a mistake; names the file, the line and what to do.
    """
    file = parse_toml(Path(name), text, parse_float=Decimal)
    citation, entries = file.table.get("citation"), file.table.get("facts")
    if not isinstance(citation, str) or not citation.strip():
        raise file.fail('citation is missing: write the paper, such as citation = "Storek et al., 2026"', "citation")
    for key in file.table.keys() - {"citation", "facts"}:
        raise file.fail(f"unknown key {key!r}{suggest_name(key, ('citation', 'facts'))}", key)
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise file.fail("facts are missing: write one [[facts]] for each table of the paper", "facts")
    return FactsFile(name, citation, [_Entry(file, i, entry).read(citation) for i, entry in enumerate(entries)])


@dataclass(frozen=True, slots=True)
class _Entry:
    """One ``[[facts]]`` of a file, and where it stands."""

    file: TomlFile
    index: int
    content: Mapping[str, Any]

    def read(self, citation: str) -> Fact:
        content = self.content
        for key in content.keys() - set(KEYS):
            raise self.fail(f"unknown key {key!r}{suggest_name(key, KEYS)}; the keys are {', '.join(KEYS)}", key)
        place, figure = self.read_text("source"), self.read_text("figure")
        unit = content.get("unit", "number")
        if unit not in UNITS:
            raise self.fail(f"unit {unit!r}{suggest_name(str(unit), UNITS)}: write {' or '.join(UNITS)}", "unit")
        of, models = content.get("of", {}), content.get("models")
        if not isinstance(of, dict) or not all(isinstance(value, str) for value in of.values()):
            raise self.fail('of must be a table of texts, such as {suite = "semtrace", language = "python"}', "of")
        if not isinstance(models, dict) or not models:
            raise self.fail("models are missing: write a row for each model, as in docs/scores.md", "models")
        fact = {
            "place": f"{self.file.path}:{self.find_line()}",
            "source": Citation(paper=citation, place=place, note=self.read_text("note", required=False)),
            "figure": figure,
            "of": of,
            "percent": unit == "percent",
        }
        if "panel" in content:
            courses = {name: self.read_course(name, value) for name, value in models.items()}
            return Fact(**fact, panel=self.read_text("panel"), courses=courses)
        return Fact(**fact, rows=[(name, row) for name, value in models.items() for row in self.read_rows(name, value)])

    def read_text(self, key: str, *, required: bool = True) -> str:
        value = self.content.get(key, "" if not required else None)
        if not isinstance(value, str) or (required and not value.strip()):
            raise self.fail(f"{key} must be a text{'' if key in self.content else ', and is missing'}", key)
        return value

    def read_rows(self, model: str, value: Any) -> Iterator[Cells]:
        """A table is one row, a list of tables several."""
        rows = value if isinstance(value, list) else [value]
        for row in rows:
            if not isinstance(row, dict) or not row:
                raise self.fail(
                    f"{model!r} must have cells, such as {{relative = -92.73}}; an entry about a panel needs the key "
                    "panel",
                    model,
                )
            yield {key: cell if isinstance(cell, str) else self.read_number(cell, key) for key, cell in row.items()}

    def read_course(self, model: str, value: Any) -> Course:
        """A number is a level, a list of pairs the points of a line."""
        if not isinstance(value, list):
            return self.read_number(value, model)
        if not value or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise self.fail(f"{model!r} must be a number or pairs of x and y, such as [[0, 0.91], [50, 0.62]]", model)
        return tuple((self.read_number(x, model), self.read_number(y, model)) for x, y in value)

    def read_number(self, value: Any, key: str) -> Decimal:
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not Decimal(value).is_finite():
            raise self.fail(f"{key!r} must be a finite number, not {value!r}", key)
        return Decimal(value)

    def fail(self, message: str, key: str = "") -> UsageError:
        return UsageError(f"{self.file.path}:{self.find_line(key)}: {message}")

    def find_line(self, key: str = "") -> int:
        """The line of ``key`` in this entry; of the entry itself if no line shows the key."""
        starts = [i for i, line in enumerate(self.file.lines) if re.match(r"\s*\[\[\s*facts\s*\]\]", line)]
        if self.index >= len(starts):  # facts = [{...}, ...]
            return self.file.find_line(("facts",)) or 1
        start, *after = [*starts[self.index :], len(self.file.lines)]
        pattern = re.compile(rf"(?:^\s*|[{{,]\s*)[\"']?{re.escape(key)}[\"']?\s*=|^\s*\[facts\.{re.escape(key)}\]")
        lines = range(start, after[0])
        return 1 + next((i for i in lines if key and pattern.search(self.file.lines[i])), start)
