"""The abstract type of a figure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pytest_codereason.results.pictures import Picture
    from pytest_codereason.results.runs.run_data import RunData


class Figure(ABC):
    """Makes pictures from the records of one run or of several."""

    #: Where its pictures stand among those of other figures. Figures from outside the package stand last.
    order: ClassVar[int] = 1_000

    @abstractmethod
    def pictures(self, data: RunData) -> Iterator[Picture]:
        """The pictures of the runs in ``data``; none where the figure has nothing to show."""
