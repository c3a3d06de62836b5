"""Figures stand in their order, those from outside the package last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, cast

import pytest

from pytest_codereason import registry
from pytest_codereason.reports.conclusion import draw_pictures
from pytest_codereason.results.figure import Figure
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.runs.run_data import RunData
from tests.results.synthetic import build_data, make_row, make_run


class Own(Figure):
    """A figure that a user adds."""

    def pictures(self, data: RunData) -> Iterator[Picture]:
        yield Picture(name=type(self).__name__, kind="own", title=", ".join(data.suites))


class First(Own):
    order: ClassVar[int] = -1


def test_a_figure_of_ones_own_stands_behind_every_shipped_one() -> None:
    shipped = [registry.find(Figure, name).order for name in registry.list_shipped(Figure)]
    assert max(shipped) < Own.order


def test_pictures_stand_in_the_order_of_their_figures() -> None:
    values = ["vanilla", "rename"]
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"], "perturbation": values}})
    rows = [make_row(id=f"{p}{v}", family=str(p), axes={"perturbation": v}) for p in range(3) for v in values]
    pictures, notes = draw_pictures(build_data(run, rows), own=[f"{__name__}:Own", f"{__name__}:First"])
    assert not notes
    assert len(pictures) > 2, "shipped figures stand between"
    assert (pictures[0].name, pictures[-1].name) == ("First", "Own")
    assert pictures[-1].title == "semtrace"


def test_a_figure_has_pictures() -> None:
    with pytest.raises(TypeError, match="pictures"):
        cast(Any, Figure)()
