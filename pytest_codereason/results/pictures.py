"""The content of a figure: tables with typed cells, and panels of points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from pytest_codereason.results.values import Bounds, Cell, Estimate, Label, Undefined, Why

#: Which side of its cells a column shows: a difference absolutely or relatively, a share in percent,
#: answers that were lost or won.
Aspect = Literal["value", "percent", "relative", "relative_interval", "lost", "won"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; ``key`` names it for programs, ``title`` for readers."""

    key: str
    title: str
    aspect: Aspect = "value"


def name_columns(*names: str) -> list[Column]:
    """Columns that programs and readers call alike: ``model``, ``language``."""
    return [Column(name, name) for name in names]


#: A row of a table: each cell under the key of its column.
Row = Mapping[str, Cell]


def read_label(row: Row, key: str) -> str:
    """The word in a cell of a row; empty if the cell is missing or holds no word."""
    cell = row.get(key)
    return cell.text if isinstance(cell, Label) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of typed cells under named columns."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    heat: bool = False  #: whether shares are shaded by their size

    def named_rows(self) -> Iterator[Row]:
        """The rows, each cell under the key of its column."""
        keys = [column.key for column in self.columns]
        for row in self.rows:
            yield dict(zip(keys, row, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An estimate with its 95 % interval at ``x``; ``value`` is ``None`` if it is undefined."""

    x: float
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0  #: answers that it rests on
    bounds: Bounds | None = None
    why: Why | None = None  #: why ``value`` is ``None``

    @classmethod
    def at(cls, x: float, estimate: Estimate | Undefined) -> Point:
        """The point that shows ``estimate`` at ``x``."""
        if isinstance(estimate, Undefined):
            return cls(x=x, value=None, why=estimate.why)
        return cls(
            x=x,
            value=estimate.value,
            low=estimate.low,
            high=estimate.high,
            n=estimate.n,
            bounds=estimate.bounds,
            why=estimate.why,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes."""

    title: str
    x: str  #: what the horizontal axis shows, with its unit
    y: str
    percent: bool = False  #: whether ``y`` counts in percent, not in shares
    lines: Mapping[str, Sequence[Point]]  #: by label; drawn as points joined by a line
    curves: Mapping[str, Sequence[Point]] = field(default_factory=dict)  #: fitted to the line of that label, with band
    p: Mapping[str, float] = field(default_factory=dict)  #: how often chance alone makes the line of that label vary so
    programs: Mapping[str, int] = field(default_factory=dict)  #: on how many programs the line of that label rests
    chance: Mapping[str, float] = field(default_factory=dict)  #: the line's largest drop by chance, in percent
    #: single answers by label: places with how many are right and wrong there; questions with samples count in parts
    answers: Mapping[str, Sequence[tuple[float, float, float]]] = field(default_factory=dict)
    log: bool = False  #: whether ``x`` doubles from mark to mark; 0 then stands left of all others
    labels: Sequence[str] = ()  #: the words at ``x`` 0, 1, 2 ... in place of numbers; points are then not joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a published figure stands."""

    paper: str  #: ``Storek et al., Sense and Sensitivity``
    place: str  #: ``table 1``
    note: str = ""  #: what a reader has to know before comparing

    def __str__(self) -> str:
        return f"{self.paper}, {self.place}" + (f" ({self.note})" if self.note else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """What a paper says of one model, to stand in the table of a picture."""

    model: str
    source: Citation
    #: as :class:`Table` counts it; by the key of a column, or by the label of a row if models are columns
    cells: Mapping[str, Decimal | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedLine:
    """What a paper says of one model, to stand in a panel of a picture."""

    model: str
    source: Citation
    panel: str  #: the title of the panel
    points: Sequence[tuple[float, float]] = ()  #: pairs of x and y
    level: float | None = None  #: one y for every x


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure as data: panels side by side, a table, or both. Reporters add sentences and charts."""

    name: str  #: unique within a run, fit for an id
    kind: str  #: the figure that made it: ``robustness``
    title: str
    after: str = ""  #: the figure or table of a paper that it follows
    departures: Sequence[str] = ()  #: in what its conditions are not the paper's; filled in when the report is made
    panels: Sequence[Panel] = ()
    table: Table | None = None
    of: Mapping[str, str] = field(default_factory=dict)  #: what is shown: the suite, the language, the reference
    sentence: str = ""  #: the figure's own words; reporters find words for the figures that are shipped
    in_terminal: bool = False  #: whether the terminal shows the sentence too
    in_markdown: bool = False  #: whether ``summary.md`` shows the table too
    #: p-values of what else can be claimed of the suite; a caption judges its own changes together with them
    beside: Sequence[float] = ()
    beside_changes: int = 0  #: how many of them are changes
    unspoken: frozenset[str] = frozenset()  #: baselines that stand in it as a scale; sentences leave them out
    #: figures of papers, which this run has not measured: they stand beside the table and panels and never in them
    published: Sequence[PublishedRow | PublishedLine] = ()

    @property
    def published_lines(self) -> list[PublishedLine]:
        """What papers say for its panels; the rest of :attr:`published` is for its table."""
        return [each for each in self.published if isinstance(each, PublishedLine)]

    @property
    def has_models_as_columns(self) -> bool:
        """Whether models are columns of the table: it has no column ``model``."""
        return self.table is not None and all(column.key != "model" for column in self.table.columns)

    @property
    def is_unspoken(self) -> bool:
        """Whether every row and every line is about what sentences leave out."""
        rows = self.table.named_rows() if self.table else ()
        names = [cell.text for row in rows if isinstance(cell := row.get("model"), Label)]
        names += [label for panel in self.panels for label in panel.lines]
        return bool(names) and all(self.leaves_out(name) for name in names)

    def leaves_out(self, label: str) -> bool:
        """Whether sentences say nothing about the row or line of this label."""
        return any(label == scale or label.startswith(f"{scale}, ") for scale in self.unspoken)
