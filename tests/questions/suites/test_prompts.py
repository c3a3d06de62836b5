"""The templates of a suite are read before anything is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Axis
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.conditions import SuiteConditions
from pytest_codereason.questions.suites.prompts import load_prompts
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction

TASK = OutputPrediction()
AXES: dict[str, Axis] = dict(TASK.axes)
BOTH = SuiteConditions(matrix={"prompting": ("direct", "cot")}, fixed={"defence": "none"})


def test_each_way_of_prompting_has_its_template() -> None:
    prompts = load_prompts(TASK, AXES, BOTH)
    assert list(prompts.templates) == ["direct", "cot"]
    assert len({template.sha for template in prompts.templates.values()}) == 2
    assert (prompts.folder, prompts.prefill, prompts.rewritings) == (None, True, {})
    assert prompts.templates["direct"].has_prefill


def test_a_suite_may_forbid_the_beginning_of_a_reply() -> None:
    prompts = load_prompts(TASK, AXES, BOTH, prefill=False)
    assert not any(template.has_prefill for template in prompts.templates.values())
    shas = [template.sha for template in load_prompts(TASK, AXES, BOTH).templates.values()]
    assert [template.sha for template in prompts.templates.values()] == shas


def test_a_value_that_wants_the_program_in_other_words_has_a_template() -> None:
    values = tuple(sorted(AXES["defence"].rewriting, key=str))
    assert values
    defended = SuiteConditions(matrix={"defence": ("none", *values)}, fixed={"prompting": "direct"})
    prompts = load_prompts(TASK, AXES, defended)
    assert list(prompts.rewritings) == [str(value) for value in values]


def test_a_template_of_ones_own_is_taken_where_there_is_one(tmp_path: Path) -> None:
    value = str(min(AXES["defence"].rewriting, key=str))
    conditions = SuiteConditions(matrix={"defence": (value,)}, fixed={"prompting": "direct"})
    (tmp_path / "direct.jinja").write_text("=== user ===\nOwn: {{ code }}\n")
    shipped = load_prompts(TASK, AXES, conditions)
    prompts = load_prompts(TASK, AXES, conditions, folder=tmp_path)
    assert prompts.folder == tmp_path
    assert prompts.templates["direct"].sha != shipped.templates["direct"].sha
    assert prompts.rewritings[value].sha == shipped.rewritings[value].sha, "the folder has none of its own"
    (tmp_path / f"{value}.jinja").write_text("=== user ===\nAgain: {{ code }}\n")
    own = load_prompts(TASK, AXES, conditions, folder=tmp_path).rewritings[value]
    assert own.sha != shipped.rewritings[value].sha


def test_a_template_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="direct"):
        load_prompts(TASK, AXES, BOTH, folder=tmp_path)
