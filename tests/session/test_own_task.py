"""A task of the user's own: one file holds the task, its prompt and its examples."""

from __future__ import annotations

import pytest

from tests.session.conftest import Project

TASK = '''
from pytest_codereason.core import Ask, Metric, Task, Verdict, ask_model


class Lines(Task):
    """How many lines does a program have?"""

    name = "lines"
    version = 1
    needs = frozenset()
    metrics = (Metric(name="exact", title="Right count"),)
    template = """
=== user ===
How many lines has this program? Reply with the number alone.

{{ code }}
"""

    def steps(self, instance):
        code = instance.program.source.strip()
        count = str(len(code.splitlines()))
        messages, _ = instance.template.render([], {"code": code})
        completion = yield from ask_model(Ask(messages=messages, truth=count, guess=lambda random: "0"))
        outcome = "correct" if completion.text.strip() == count else "wrong"
        return Verdict(
            outcome=outcome, expected=count, answer=completion.text, metrics={"exact": float(outcome == "correct")}
        )
'''
SUITE = """
task = "own_lines:Lines"
[source]
name = "semtrace"
count = 3
seed = 7
"""


@pytest.fixture
def own(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    (project.path / "own_lines.py").write_text(TASK)
    (project.path / "own.suite.toml").write_text(SUITE)
    monkeypatch.syspath_prepend(project.path)
    return project


def test_one_file_is_enough(own: Project) -> None:
    result = own.run("--model=baseline:truth", "--eval-gate=own.exact >= 1", "--eval-claim=suite")
    assert result.ret == 0, result.stdout.str()
    assert {row["outcome"] for row in own.records()} == {"correct"}


def test_a_template_of_the_suite_comes_before_that_of_the_task(own: Project) -> None:
    (own.path / "mine.jinja").write_text("=== user ===\n{{ nothing }}")
    (own.path / "own.suite.toml").write_text(SUITE.replace("[source]", 'template = "mine.jinja"\n[source]', 1))
    result = own.run("--model=baseline:truth")
    assert "mine.jinja" in result.stdout.str() + result.stderr.str()


def test_a_mistake_in_the_template_of_a_task_is_named(own: Project) -> None:
    (own.path / "own_broken.py").write_text(TASK.replace("{{ code }}", "{{ code"))
    (own.path / "own.suite.toml").write_text(SUITE.replace("own_lines", "own_broken"))
    result = own.run("--model=baseline:truth")
    assert result.ret == 4
    assert "own_broken:Lines.template:" in result.stdout.str() + result.stderr.str()


@pytest.mark.slow
def test_a_baseline_that_cannot_answer_a_task_ends_its_run(own: Project) -> None:
    result = own.run("--model=baseline:interpreter", "--model=baseline:truth")
    assert result.ret == 0, result.stdout.str()
    assert own.run_json()["complete"]
    assert {row["model"]: (row["outcome"], row["reason"]) for row in own.records()} == {
        "baseline:interpreter": ("skipped", "this question cannot be answered by running its program"),
        "baseline:truth": ("correct", ""),
    }
