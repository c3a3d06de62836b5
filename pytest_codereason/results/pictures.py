"""The content of a figure: tables with typed cells, and panels of points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pytest_codereason.results.values import Bounds, Cell, Estimate

#: Which side of its cells a column shows: a difference absolutely or relatively, a share in percent,
#: answers that were lost or won.
Aspect = Literal["value", "percent", "relative", "relative_interval", "lost", "won"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; ``key`` names it for programs, ``title`` for readers."""

    key: str
    title: str
    aspect: Aspect = "value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of typed cells under named columns."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def named_rows(self) -> Iterator[Mapping[str, Cell]]:
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

    @classmethod
    def at(cls, x: float, estimate: Estimate) -> Point:
        """The point that shows ``estimate`` at ``x``."""
        return cls(
            x=x, value=estimate.value, low=estimate.low, high=estimate.high, n=estimate.n, bounds=estimate.bounds
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
    labels: Sequence[str] = ()  #: the words at ``x`` 0, 1, 2 ... in place of numbers; points are then not joined


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
    guessers: frozenset[str] = frozenset()  #: models that answer at random; sentences leave them out

    def is_about_guessing(self, label: str) -> bool:
        """Whether the row or line of this label is about a model that answers at random."""
        return any(label == guesser or label.startswith(f"{guesser}, ") for guesser in self.guessers)
