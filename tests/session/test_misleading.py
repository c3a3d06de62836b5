"""The study of misleading context end to end: real requests to servers that read code in a known way."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.servers import Server
from tests.session.conftest import Project
from tests.session.reading import code, value

PERTURBATIONS = ("vanilla", "rename", "dead-code", "comments", "prints", "hint", "rename+hint")
COUNT = 8
SUITE = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = {count}
seed = 5

[matrix]
perturbation = {perturbations}
"""
COMMENT = re.compile(r"(?:^|  )# (.*)$", re.MULTILINE)

Reads = Callable[[str, Any], Any]  #: makes an answer of the code and of what it returns


def reader(reads: Reads) -> Callable[[Sequence[Mapping[str, Any]], object], str]:
    """A model that runs the program, which is the project's own, and answers what ``reads`` makes of it."""

    def answer(messages: Sequence[Mapping[str, Any]], _: object) -> str:
        prompt = str(messages[0]["content"])
        return json.dumps(reads(code(prompt), value(prompt)))

    return answer


def perfect(code: str, value: Any) -> Any:
    return value


def credulous(code: str, value: Any) -> Any:
    """Believes every comment: where there is one, the program does something else."""
    return [value[0] + 1, *value[1:]] if COMMENT.search(code) else value


def hinted(code: str, value: Any) -> Any:
    """Gives the first list that a comment names as its answer."""
    for comment in COMMENT.findall(code):
        if match := re.search(r"\[[^\[\]]*\]", comment):
            return ast.literal_eval(match[0])
    return value


def run_suite(project: Project, reads: Reads) -> dict[str, Any]:
    """Runs the suite on a model; gives its summary."""
    text = SUITE.format(count=COUNT, perturbations=json.dumps(PERTURBATIONS))
    (project.path / "misleading.suite.toml").write_text(text)
    with Server(reader(reads)) as server:
        result = project.run("--model=openai:scripted", f"--model-url={server.url}")
    assert result.ret == 0
    summary: dict[str, Any] = json.loads((project.path / "reports/latest/summary.json").read_text())
    return {"summary": summary, "text": result.stdout.str()}


def table(run: Mapping[str, Any]) -> dict[str, list[str]]:
    """The rows of the table of drops, by perturbation."""
    (picture,) = (p for p in run["summary"]["figures"] if p["name"] == "misleading-python-robustness")
    return {row[1]: row[3:] for row in picture["rows"]}


@pytest.mark.slow
def test_one_that_is_perfect_shows_no_drop_and_no_flip(project: Project) -> None:
    rows = table(run_suite(project, perfect))
    assert rows.pop("vanilla")[1] == "reference"
    assert list(rows) == list(PERTURBATIONS[1:])
    for _, change, relative, lost, won in rows.values():
        assert change.startswith("0.000 [")
        assert relative.replace("\xa0", " ") == "0.0 %"
        assert (lost, won) == (f"0 of {COUNT}", f"0 of {COUNT}")


@pytest.mark.slow
def test_one_that_believes_comments_falls_under_comments_and_hints_and_not_under_renaming(project: Project) -> None:
    run = run_suite(project, credulous)
    lost = {name: row[3] for name, row in table(run).items() if row[1] != "reference"}
    believed = {"comments", "hint", "rename+hint"}
    assert lost == {name: f"{COUNT * (name in believed)} of {COUNT}" for name in PERTURBATIONS[1:]}
    # The terminal says it too, against vanilla.
    line = re.compile(r"^\s+(\S+)\s+8 \s+(\d\.\d{3}) \[.*\]\s+(reference|[−+0]\S+)", re.MULTILINE)
    lines = {name: (value, change) for name, value, change in line.findall(run["text"])}
    assert lines["vanilla"] == ("1.000", "reference")
    assert lines["comments"] == ("0.000", "−1.000")
    assert lines["rename"] == ("1.000", "0.000")


@pytest.mark.slow
def test_one_that_takes_the_first_hint_for_the_answer_gives_back_what_the_hint_says(project: Project) -> None:
    run_suite(project, hinted)
    records = project.records()
    outcomes = Counter((row["axes"]["perturbation"], row["outcome"]) for row in records)
    assert outcomes == {(name, "wrong" if "hint" in name else "correct"): COUNT for name in PERTURBATIONS}, (
        "messages that name no value leave it alone"
    )
    for row in records:
        if row["outcome"] == "wrong":
            prompt = row["steps"][0]["messages"][0]["content"]
            assert row["answer"] != row["expected"]
            assert any(row["answer"] in comment for comment in COMMENT.findall(prompt))
            wrong, right = (ast.literal_eval(row[name]) for name in ("answer", "expected"))
            assert wrong != right
            assert isinstance(wrong, list)


def test_a_gate_holds_one_perturbation_apart_from_the_others(project: Project) -> None:
    (project.path / "misleading.suite.toml").write_text(SUITE.format(count=3, perturbations='["vanilla", "comments"]'))
    gates = ["misleading.exact[perturbation=comments] >= 0.9", "misleading.exact[perturbation=vanilla] >= 0.9"]
    gates.append("drop(misleading.exact[perturbation=comments]) <= 5%")
    with Server(reader(credulous)) as server:
        options = ("--model=openai:scripted", f"--model-url={server.url}")
        result = project.run(*options, "--eval-claim=suite", *(f"--eval-gate={gate}" for gate in gates))
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["FAIL *comments*", "PASS *vanilla*", "FAIL *drop(* = 1.000, from 1.000 to 0.000", "*(3 pairs, 3 lost, 0 won*"]
    )


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (
            "renam",
            "unknown perturbation 'renam' (did you mean 'rename'[?]): choose one of comments*vanilla*psc-all*none*",
        ),
        ("comments(strength=0)", "*comments(strength=0): strength is a whole number from 1*"),
        ("comments(density=1.5)", "*density is a number from 0 to 1*"),
        ("comments(colour=3)", "*the settings are strength, density, place and placement*"),
        ("rename+", "*is not a perturbation*"),
        ("none+rename", "*none*"),
    ],
)
def test_a_perturbation_that_cannot_be_is_said_at_collection(project: Project, value: str, complaint: str) -> None:
    text = SUITE.format(count=2, perturbations=json.dumps(["vanilla", value]))
    (project.path / "misleading.suite.toml").write_text(text)
    result = project.run("--model=baseline:truth")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"*misleading.suite.toml:11: {complaint}"])
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
