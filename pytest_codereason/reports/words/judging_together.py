"""Lets the captions of figures judge their changes together with those of charts, so that both call the same clear."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.results.measures.claims import Claim
from pytest_codereason.results.measures.summary import Summary
from pytest_codereason.results.pictures import Picture, read_label
from pytest_codereason.results.records.axes import PERTURBATION, WAYS
from pytest_codereason.results.values import Delta


def judge_together(picture: Picture, summary: Summary) -> Picture:
    """The picture of changes by perturbation with the p-values of everything else that is claimed of its suite.

    In a suite of one language, the chart of the perturbations shows the same changes. They count once.
    """
    suite = summary.suites.get(picture.of.get("suite", ""))
    if picture.kind != "robustness" or suite is None:
        return picture
    own = set(_list_own(picture)) if len(suite.axes["language"]) == 1 else set()
    others = {claim: p for claim, p in suite.claims.p_values.items() if claim not in own}
    changes = sum(claim.value is not None for claim in others)
    return replace(picture, beside=tuple(others.values()), beside_changes=changes)


def _list_own(picture: Picture) -> list[Claim]:
    """The changes in the rows of a picture, as the charts of the axes name them."""
    if picture.table is None:
        return []
    ways = [column.key for column in picture.table.columns if column.key in WAYS]
    return [
        Claim(
            read_label(row, "model"),
            PERTURBATION,
            frozenset((way, read_label(row, way)) for way in ways),
            read_label(row, "perturbation"),
        )
        for row in picture.table.named_rows()
        if isinstance(row["change"], Delta)
    ]
