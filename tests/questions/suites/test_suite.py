"""A suite lists its questions, counts them, and says what decides them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Sampling
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.sampling import Drawing
from pytest_codereason.questions.suites.suite import Suite, explain_ending, is_question

TEXT = """
task = "output-prediction"
languages = ["python", "php"]
{top}
[source]
name = "semtrace"
count = 2
seed = 3
[matrix]
prompting = ["direct", "cot"]
{matrix}
"""


def read(folder: Path, matrix: str = "", top: str = "", name: str = "small") -> Suite:
    path = folder / f"{name}.suite.toml"
    path.write_text(TEXT.format(matrix=matrix, top=top))
    return load(path)


def test_its_name_is_that_of_its_file(tmp_path: Path) -> None:
    assert read(tmp_path, name="my.own").name == "my.own"
    assert is_question("a/small.suite.toml::python/0001")
    assert not is_question("a/test_small.py::test_one")
    assert "rename it to x.suite.toml" in explain_ending(Path("x.toml"))
    assert "rename it to x.suite.toml" in explain_ending(Path("x.suite.tml"))


def test_every_program_of_every_language_is_asked_about_in_each_cell(tmp_path: Path) -> None:
    suite = read(tmp_path, "digits = [2, 4]")
    ids = [spec.id for spec in suite.specs()]
    assert len(ids) == len(set(ids)) == len(suite) == 2 * 2 * 4
    assert ids[0] == "python/0000[prompting:direct,digits:2]"
    assert [spec.language for spec in suite.specs()] == ["python"] * 8 + ["php"] * 8
    assert list(suite.list_programs("php")) == ["0000", "0001"]
    assert suite.cells_of("php", "0000") == suite.cells


def test_answers_of_a_program_are_one_family_unless_an_axis_changes_the_program(tmp_path: Path) -> None:
    suite = read(tmp_path, "digits = [2, 4]\nshots = [0, 1]")
    families = {suite.family(spec) for spec in suite.specs()}
    assert families == {f"{name}[digits:{digits}]" for name in ("0000", "0001") for digits in (2, 4)}
    plain = read(tmp_path)
    assert {plain.family(spec) for spec in plain.specs()} == {"0000", "0001"}


def test_samples_and_settings_follow_the_way_of_prompting(tmp_path: Path) -> None:
    suite = replace(read(tmp_path), drawing=Drawing({"": Sampling(), "cot": Sampling(max_tokens=9)}, {"": 1, "cot": 4}))
    direct, cot, *_ = suite.specs()
    assert (suite.samples_for(direct), suite.samples_for(cot), suite.most_samples) == (1, 4, 4)
    assert suite.sampling_for(draft(suite, cot)).max_tokens == 9
    assert suite.sampling_for(draft(suite, cot), {"max_tokens": 5}).max_tokens == 5, "a model's own setting"
    assert [metric.name for metric in suite.metrics if metric.k] == ["pass@1", "pass^4"]
    many = replace(suite, drawing=Drawing({"": Sampling(), "cot": Sampling()}, {"": 10, "cot": 12}))
    assert [m.name for m in many.metrics if m.k] == ["pass@1", "pass@5", "pass@10", "pass^5", "pass^10", "pass^12"]


def test_an_axis_of_sampling_is_a_setting_of_its_questions(tmp_path: Path) -> None:
    suite = read(tmp_path, "temperature = [0.5, 1.0]")
    drawn = {suite.sampling_for(draft(suite, spec), {"temperature": 0.1}).temperature for spec in suite.specs()}
    assert drawn == {0.5, 1.0}


CHANGES: dict[str, dict[str, Any]] = {
    "another value": {"matrix": "digits = [2, 4]"},
    "another setting": {"top": "shots = 1"},
    "no prefill": {"top": "prefill = false"},
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_decides_a_question_is_part_of_the_plan(tmp_path: Path, change: str) -> None:
    suite = read(tmp_path)
    assert suite.plan == read(tmp_path, name="other").plan, "its name decides nothing"
    assert read(tmp_path, **CHANGES[change]).plan != suite.plan
    assert len(suite.plan) == 16


def test_checks_samples_settings_and_a_writer_are_part_of_the_plan(tmp_path: Path) -> None:
    suite = read(tmp_path)
    others = [
        replace(suite, checks=not suite.checks),
        replace(suite, writer="w"),
        replace(suite, drawing=Drawing(suite.drawing.settings, {"": 2})),
        replace(suite, drawing=Drawing({"": Sampling(top_p=0.5)}, suite.drawing.samples)),
        replace(suite, conditions=replace(suite.conditions, prompted={"cot": {"shots": 1}})),
    ]
    assert len({each.plan for each in (suite, *others)}) == 6
    assert replace(suite, seed=suite.seed + 1).plan == suite.plan, "a source counts its seed itself"


def test_a_stage_that_asks_for_texts_is_the_last_that_matters_to_them(tmp_path: Path) -> None:
    plain = read(tmp_path)
    assert (plain.text_kinds, plain.last_asking) == (frozenset(), 0)
    hinted = read(tmp_path, 'perturbation = ["hint"]\nlayout = ["numbers"]')
    assert hinted.text_kinds == {"hint"}
    assert [stage.name for stage in hinted.stages] == ["perturbation", "layout"]
    assert hinted.last_asking == 1


def test_a_question_costs_what_its_stages_add(tmp_path: Path) -> None:
    suite = read(tmp_path)
    assert {suite.cost_of(spec) for spec in suite.specs()} == {1}
