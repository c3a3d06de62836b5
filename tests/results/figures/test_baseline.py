"""Accuracy without a context, against numbers worked out by hand."""

from __future__ import annotations

from pytest_codereason.results.figures.baseline import BaselineTable
from tests.results.figures.readers import AXES, CELLS, everywhere, nowhere
from tests.results.figures.rows import answers, record, run, show


def test_the_table_without_distractors() -> None:
    rows = [*answers("recall", "a", 50, CELLS, everywhere), *answers("recall", "b", 50, CELLS, nowhere)]
    (table,) = show(BaselineTable(), rows, run({"recall": ("output-prediction", AXES)}, ["a", "b"]))
    assert table.header == ("suite, language", "a", "b", "median of 2 models")
    cells = [[cell.split(" [")[0] for cell in row] for row in table.rows]
    assert cells == [["recall, python", "100.00", "0.00", "50.00"]]


def test_the_table_without_distractors_keeps_perturbations_apart_and_its_median_counts_no_baseline() -> None:
    cells = [{"perturbation": p, "distractors": 0, "position": 0} for p in ("vanilla", "hint")]
    models = {"a": 1.0, "b": 0.5, "baseline:truth": 1.0}
    rows = [
        record("recall", model, program, axes, axes["perturbation"] == "vanilla" and program < 10 * share)
        for model, share in models.items()
        for axes in cells
        for program in range(10)
    ]
    of = run({"recall": ("output-prediction", {**AXES, "perturbation": ["vanilla", "hint"]})}, models)
    of["models"]["baseline:truth"] = {"identity": {"baseline": "truth"}}
    (table,) = show(BaselineTable(), rows, of)
    assert table.header == ("suite, language", "a", "b", "baseline:truth", "median of 2 models")
    shown = [[cell.split(" [")[0] for cell in row] for row in table.rows]
    assert shown == [
        ["recall, python, vanilla", "100.00", "50.00", "100.00", "75.00"],
        ["recall, python, hint", "0.00", "0.00", "0.00", "0.00"],
    ]
