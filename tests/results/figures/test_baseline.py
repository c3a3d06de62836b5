"""Accuracy without a context, against numbers worked out by hand."""

from __future__ import annotations

from pytest_codereason.results.figures.baseline import BaselineTable
from tests.results.figures.readers import AXES, CELLS, everywhere, nowhere
from tests.results.figures.rows import Shown, answers, record, run, show


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


def ask(models: dict[str, int], **more: object) -> list[Shown]:
    """Ten programs without distractors in ``recall``, of which each model has so many right; none for ``-1``."""
    rows = [
        record("recall", model, program, {"distractors": 0}, program < right)
        for model, right in models.items()
        for program in range(10 if right >= 0 else 0)
    ]
    return show(BaselineTable(), rows, run({"recall": ("output-prediction", AXES), **more}, models))  # type: ignore[dict-item]


def read(table: Shown) -> list[list[str]]:
    return [[cell.split(" [")[0] for cell in row] for row in table.rows]


def test_one_model_has_no_median() -> None:
    (table,) = ask({"a": 7})
    assert table.header == ("suite, language", "a")
    assert read(table) == [["recall, python", "70.00"]]


def test_the_median_is_of_the_models_that_have_a_figure() -> None:
    (table,) = ask({"a": 9, "unasked": -1, "b": 4, "c": 1})
    assert table.header[-1] == "median of 4 models"
    assert read(table) == [["recall, python", "90.00", "not asked", "40.00", "10.00", "40.00"]]
    assert not [table for table in ask({"a": -1, "b": -1}) if table.rows], "no answer, so no row"


def test_a_suite_that_always_has_distractors_has_no_row() -> None:
    far = ("output-prediction", {"distractors": [20, 80]})
    plain = ("output-prediction", {"level": [0, 1]})
    (table,) = ask({"a": 7, "b": 3}, far=far, plain=plain)
    assert read(table) == [["recall, python", "70.00", "30.00", "50.00"]]
    assert table.of == {"suite": "recall", "distractors": "0"}
    assert table.columns == (("where", "value"), ("a", "percent"), ("b", "percent"), ("median", "percent"))
    assert not show(BaselineTable(), [], run({"far": far}, ["a"]))


def test_a_context_may_be_measured_in_tokens() -> None:
    rows = [record("s", "a", program, {"tokens": size}, not size) for program in range(4) for size in (0, 1000)]
    (table,) = show(BaselineTable(), rows, run({"s": ("output-prediction", {"tokens": [0, 1000]})}, ["a"]))
    assert read(table) == [["s, python", "100.00"]]
