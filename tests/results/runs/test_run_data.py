"""Records of one run and of several, with a column that says which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.words.run_notes import format_forms, format_rejections
from pytest_codereason.results.measures.summary import summarise
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.run_info import RunInfo, parse_run
from tests.results.synthetic import make_row, make_rows, make_run, write_run


def test_one_run_is_named_after_its_models_alone(tmp_path: Path) -> None:
    run = make_run(families=2)
    write_run(tmp_path / "a", run, make_rows(run, families=2))
    data = RunData.read(tmp_path / "a")
    assert [subject.label for subject in data.subjects] == list(run["models"])
    assert set(data.records["run"]) == {str(tmp_path / "a")}
    assert data.run.argv == tuple(run["argv"])


def test_two_runs_keep_their_records_apart(tmp_path: Path) -> None:
    run = make_run(families=2, models=["m"])
    for name, families in (("a", 2), ("b", 5)):
        write_run(tmp_path / name, run, make_rows(run, families=families))
    data = RunData.read(tmp_path / "a", tmp_path / "b")
    labels = [f"m ({tmp_path / name})" for name in "ab"]
    assert [subject.label for subject in data.subjects] == labels
    counts = {label: model.counts.records for label, model in summarise(data).suites["semtrace"].models.items()}
    assert counts == dict(zip(labels, (24, 60), strict=True))
    assert len(data.records) == 84, "records of the same key in two runs are two records"


def test_suites_of_two_runs_are_joined() -> None:
    runs: dict[str, tuple[RunInfo, list[Any]]] = {
        name: (parse_run(make_run(suites={"s": {"language": ["python"], "digits": digits}}, models=["m"])), [])
        for name, digits in (("a", [2, 4]), ("b", [4, 8]))
    }
    (suite,) = RunData.build(runs).suites.values()
    assert suite.axes["digits"] == (2, 4, 8)
    names = ["exact", "partial", "exact_answered", "unresolved", "exact_resolved"]
    assert [metric.name for metric in suite.metrics] == names


def test_totals_come_from_the_records() -> None:
    rows = [
        make_row(id="1", cost=0.5, hint_by="openai:w"),
        make_row(id="2", sample=1, cost=9.0, reused=True, hint_by="openai:w"),
        make_row(id="3", family="x", cost=0.25, hint_by="rule"),
        make_row(id="4", family="y", cost=None, outcome="error", unchanged="there is nothing"),
        make_row(id="4", sample=1, family="y", cost=None, outcome="error", unchanged="there is nothing"),
    ]
    run = RunData.build({"r": (parse_run(make_run(models=["m"], cost=None)), rows)}).run
    assert (run.cost, run.reused, run.hints) == (0.75, 1, {"openai:w": 1, "rule": 1})
    assert run.unchanged == {"there is nothing": 1}


def test_places_changed_by_templates_count_once_a_program() -> None:
    def make(number: int, perturbation: str, **forms: dict[str, int]) -> dict[str, Any]:
        axes = {"perturbation": perturbation, "prompting": "cot" if number % 2 else "direct"}
        return make_row(id=f"{number}{perturbation}", family="a", axes=axes, forms=forms)

    dead = {"published": 4, "safe": 0}
    rows = [make(n, "conditions", conditions={"published": 2, "safe": 1}) for n in (1, 2)]
    rows += [make(n, "psc-all", conditions={"published": 3, "safe": 0}, **{"dead-code": dead}) for n in (1, 2)]
    run = RunData.build({"r": (parse_run(make_run(models=["m"])), [*rows, make(3, "vanilla")])}).run
    assert run.forms == {"conditions": {"published": 5, "safe": 1}, "dead-code": dead}
    assert format_forms(run.forms) == (
        "places changed by templates: conditions: 5 published, 1 safe; dead-code: 4 published, 0 safe"
    )
    assert format_forms({}) == ""


def test_what_failed_while_a_fault_was_chosen_counts_once() -> None:
    def make(perturbation: str, number: int, **reasons: int) -> dict[str, Any]:
        axes = {"fault": "off-by-one", "fault_number": number, "perturbation": perturbation}
        return make_row(id=f"{number}{perturbation}", family="a", axes=axes, rejections={"fault": reasons})

    rows = [make(name, number, equivalent=3 * number) for name in ("none", "rename") for number in (1, 2)]
    rows += [make("none", 3, equivalent=6, **{"never ends": 9}), make_row(id="other", family="b")]
    rows.append(make_row(id="last", family="c", outcome="skipped", rejections={"fault": {"equivalent": 1}}))
    run = RunData.build({"r": (parse_run(make_run(models=["m"])), rows)}).run
    assert run.rejections == {"fault": {"never ends": 9, "equivalent": 7}}
    assert format_rejections(run.rejections) == "left out while a fault was chosen: 9 never ends, 7 equivalent"
    assert RunData.build({"r": (parse_run(make_run(models=["m"])), [make_row(id="1")])}).run.rejections == {}


def test_an_unknown_price_makes_the_cost_unknown() -> None:
    rows = [make_row(id="1", cost=0.5), make_row(id="2", cost=None)]
    assert RunData.build({"r": (parse_run(make_run(models=["m"])), rows)}).run.cost is None


def test_a_folder_without_a_run_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a run folder"):
        RunData.read(tmp_path)
