"""Figures of the studies, from records to points on axes: one file each.

A module here that holds a class derived from :class:`Figure` is asked about every run. What it returns
is plain data: it stands in ``summary.json``, and the reporters draw it.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """An estimate with its 95 % interval at ``x``; ``None`` is undefined."""

    x: float
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0  #: answers it rests on


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes."""

    title: str
    x: str  #: what stands on the horizontal axis, with its unit
    y: str
    percent: bool = False  #: whether ``y`` counts in percent, not in shares
    lines: Mapping[str, Sequence[Point]]  #: by label; drawn as points joined by a line
    curves: Mapping[str, Sequence[Point]] = field(default_factory=dict)  #: fitted to the line of that label, with band
    labels: Sequence[str] = ()  #: what stands at ``x`` 0, 1, 2 ... in place of numbers; points are then not joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure: panels side by side, and what they show in words."""

    name: str  #: unique within a run, a word for ids
    title: str
    after: str  #: the figure or table of the paper that it follows
    panels: Sequence[Panel] = ()
    header: Sequence[str] = ()  #: of a table, in place of panels or beneath them
    rows: Sequence[Sequence[str]] = ()
    sentence: str = ""
    told: bool = False  #: whether the terminal says the sentence too


class Figure(ABC):
    """Makes pictures out of the records of a run."""

    order: ClassVar[int]  #: where its pictures stand among the others

    @abstractmethod
    def pictures(self, frame: pd.DataFrame, run: Mapping[str, Any]) -> Iterator[Picture]:
        """Its pictures of a run, none where it has nothing to show.

        ``frame`` comes from :func:`~pytest_codereason.results.frame.load`, ``run`` is the content of ``run.json``.
        """


def figures() -> list[Figure]:
    """One object of every figure in this folder, in their order."""
    found = []
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for kind in vars(module).values():
            if inspect.isclass(kind) and issubclass(kind, Figure) and kind.__module__ == module.__name__:
                found.append(kind())
    return sorted(found, key=lambda figure: figure.order)


def drawn(frame: pd.DataFrame, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All pictures of a run as JSON-ready values."""
    return [asdict(picture) for figure in figures() for picture in figure.pictures(frame, run)]
