"""Answers that the token limit cuts off: their share as a gate, and what a score would be without the limit."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from tests.servers import Body, Disruption, Server, finished
from tests.session.conftest import Project


def cut_off(mark: str) -> Disruption:
    """Ends the reply in the middle of a list, for prompts that have this mark."""

    def is_about(body: Body) -> bool:
        return mark in str(body["messages"])

    return replace(finished("length", "[1, 2"), when=is_about)


def ask(project: Project, mark: str, *arguments: str) -> pytest.RunResult:
    """A run of eight questions, four of them in PHP, on a server that cuts off the answers with the mark."""
    project.suite()
    with Server(script=itertools.repeat(cut_off(mark))) as server:
        return project.run("--model=openai:scripted", f"--model-url={server.url}", *arguments)


def read_model(project: Project) -> dict[str, Any]:
    """What ``summary.json`` has about the only model."""
    content = json.loads((project.path / "reports/latest/summary.json").read_text())
    (model,) = content["suites"]["small"]["models"].values()
    assert set(model["metrics"]) == {metric["name"] for metric in content["suites"]["small"]["metrics"]}
    return dict(model)


def test_a_score_shows_its_bounds_wherever_it_stands(project: Project) -> None:
    result = ask(project, "```php")
    bounds = "0.500 to 1.000 with 4 truncated answers"
    both = "exact 0.500 to 1.000, partial 0.500 to 1.000 with 4 truncated answers"
    result.stdout.fnmatch_lines(["*openai:scripted * 8 *0.500*", f"    {both}", "*truncated 4"])
    # Beside each value of an axis, and only where an answer was cut off.
    result.stdout.fnmatch_lines(
        ["*python * 4 *1.000*", "*php * 4 *0.000*", " *0.000 to 1.000, change −1.000 to 0.000 *"]
    )
    assert " ".join(result.stdout.str().split()).count("with 4 truncated answers") == 2
    summary = (project.path / "reports/latest/summary.md").read_text()
    assert f"\\], {bounds} | 0.500, {bounds} | 1.000 |" in summary, "beside exact and partial, and not exact_answered"
    page = (project.path / "reports/latest/report.html").read_text()
    assert f'<span class="warn">{bounds}</span>' in page

    model = read_model(project)
    (headline,) = model["headlines"]
    assert headline["metrics"]["exact"]["bounds"] == {"all_wrong": 0.5, "all_right": 1.0, "truncated": 4}
    assert headline["metrics"]["exact_answered"]["bounds"] is None  # a truncated answer does not count there
    share = headline["metrics"]["truncated"]
    assert (share["value"], share["n"], share["families"]) == (0.5, 8, 4)
    assert share["low"] < 0.5 < share["high"]


def test_nothing_is_said_where_no_answer_was_cut_off(project: Project) -> None:
    result = ask(project, "a mark that no prompt has")
    assert "truncated" not in result.stdout.str()
    assert "truncated answer" not in (project.path / "reports/latest/report.html").read_text()
    assert read_model(project)["metrics"]["truncated"]["value"] == 0.0


@pytest.mark.parametrize(
    ("gate", "passed"),
    [
        ("small.truncated <= 50%", True),
        ("small.truncated <= 49%", False),
        ("small.truncated[language=python] <= 0", True),
        ("truncated(small[language=php]) < 100%", False),
    ],
)
def test_a_gate_judges_the_share_of_truncated_answers(project: Project, gate: str, passed: bool) -> None:
    result = ask(project, "```php", "--eval-claim=suite", f"--eval-gate={gate}")
    assert result.ret == (0 if passed else 1)
    result.stdout.fnmatch_lines([f"{'PASS' if passed else 'FAIL'}  small.truncated*"])


def test_a_gate_on_a_score_says_how_far_the_limit_may_have_changed_it(project: Project) -> None:
    result = ask(project, "```php", "--eval-gate=small.exact >= 60%", "--eval-claim=suite")
    result.stdout.fnmatch_lines(
        [
            "FAIL  small.exact = 0.500 (n 8, 4 programs) fails >= 0.6; 0.500 to 1.000 with*",
            "*about this suite's questions",
        ]
    )
