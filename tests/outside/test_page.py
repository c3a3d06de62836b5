"""Every block of ``docs/extending.md`` runs: all kinds of parts from outside, by their plain names."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from pytest_codereason.core import Value
from pytest_codereason.registry import language
from tests.outside import page
from tests.session.conftest import hide_matplotlib

KINDS = (
    "source",
    "stage",
    "fault",
    "perturbation",
    "text",
    "task",
    "language",
    "model",
    "figure",
    "report",
    "log",
    "command",
)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with the suite of the page; its parts are installed in the folder ``site`` beside it."""
    site = tmp_path / "site"
    site.mkdir()
    page.write_files(site)
    page.write_metadata(site)
    (site / "mine.suite.toml").rename(tmp_path / "mine.suite.toml")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    hidden = hide_matplotlib(folder / "hidden")  # charts would take a third of the time
    paths = [str(folder / "site"), str(hidden), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def run_command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest_codereason.cli", *words]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "site"), *sys.path])}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_page_shows_one_of_each_kind() -> None:
    assert {f"{page.PACKAGE}/{kind}.py" for kind in KINDS} <= page.read_files().keys()


def test_readers_of_replies_give_what_the_page_says() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| `((\w+)\(.*\).*?)` \| `(.*)` \|$", page.PAGE.read_text(), re.MULTILINE)
    assert len(rows) == 5
    for file, call, reader, gives in rows:
        module = import_module(f"pytest_codereason.questions.replies.{file}")
        names = {reader: getattr(module, reader), "python": language("python"), "Value": Value}
        assert eval(call, names) == eval(gives, names), call


@pytest.mark.slow
def test_a_suite_uses_every_part_by_its_plain_name(outside: Path) -> None:
    process = run(outside, "mine.suite.toml", "--model=stubborn:odd", "--eval-report=out")
    assert process.returncode == 0, process.stdout + process.stderr
    records = [json.loads(line) for line in (outside / "out" / "records.jsonl").read_text().splitlines()]
    page.check_records(records)
    assert {row["model"] for row in records} == {"stubborn:odd"}
    rows = list(csv.DictReader((outside / "out" / "answers.csv").open()))
    assert len(rows) == len(records)
    summary = json.loads((outside / "out" / "summary.json").read_text())
    assert "Outcomes of all answers" in [figure["title"] for figure in summary["figures"]]
    assert "Outcomes of all answers" in (outside / "out" / "report.html").read_text()
    assert len(run_command(outside, "longest", "out", "--count=2").stdout.splitlines()) == 2
    refused = run_command(outside, "longest", "out", "--count=0")
    assert (refused.returncode, refused.stderr) == (4, "ERROR: --count 0: give a whole number from 1\n")


@pytest.mark.slow
def test_a_log_from_outside_is_judged(outside: Path) -> None:
    (outside / "marks.csv").write_text("question,mark\n" + "a,1\nb,1\n" * 20)
    process = run_command(outside, "judge", "marks.csv", "--gate=marks.mark >= 0.1")
    assert "marks.mark = 1.000" in process.stdout, process.stderr


@pytest.mark.slow
def test_a_claim_of_the_rule_stands_above_the_program(outside: Path) -> None:
    done = run(outside, "mine.suite.toml", "--model=stubborn:odd", "-k", "claim", "--eval-report=out")
    assert done.returncode == 0, done.stdout + done.stderr
    for line in (outside / "out" / "records.jsonl").read_text().splitlines():
        prompt = json.loads(line)["steps"][0]["messages"][-1]["content"]
        assert "# It never ends." in prompt or "# It returns nothing." in prompt


@pytest.mark.slow
def test_a_fault_is_planted_by_its_plain_name(outside: Path) -> None:
    suite = outside / "site" / "doubled.suite.toml"
    process = run(outside, str(suite), "--model=baseline:truth", "--eval-report=out")
    assert process.returncode == 0, process.stdout + process.stderr
    records = [json.loads(line) for line in (outside / "out" / "records.jsonl").read_text().splitlines()]
    outcomes = {row["outcome"] for row in records}
    assert "correct" in outcomes
    assert outcomes <= {"correct", "skipped"}


@pytest.mark.slow
def test_perfect_readers_of_the_toy_language_are_right(outside: Path) -> None:
    suite = outside / "mine.suite.toml"
    suite.write_text(suite.read_text().replace('"parity"', '"output-prediction"'))
    models = ("--model=baseline:truth", "--model=baseline:interpreter")
    process = run(
        outside, "mine.suite.toml", *models, "--eval-report=out", "--eval-gate=mine.exact >= 1", "--eval-claim=suite"
    )
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.slow
def test_without_entry_points_parts_are_named_by_their_place(outside: Path) -> None:
    (outside / "site" / "my_parts-1.0.dist-info" / "entry_points.txt").write_text("")
    suite = outside / "mine.suite.toml"
    text = suite.read_text().replace('"parity"', '"my_parts.task:Parity"').replace('"sums"', '"my_parts.source:Sums"')
    text = text.replace('"remark"', '"my_parts.perturbation:Remark"').replace('["python", "steps"]', '["python"]')
    suite.write_text(text.replace("banner = [false, true]\n", "").replace(', "claim", "rename"', ""))
    process = run(outside, "mine.suite.toml", "--model=my_parts.model:Stubborn", "--eval-report=out")
    assert process.returncode == 0, process.stdout + process.stderr
    assert "10 " in process.stdout


@pytest.mark.slow
def test_a_runner_that_raises_costs_the_questions_of_its_language(outside: Path) -> None:
    module = outside / "site" / page.PACKAGE / "language.py"
    broken = module.read_text().replace(
        "        return Harness(", '        raise RuntimeError("no luck")\n        return Harness('
    )
    module.write_text(broken)
    process = run(outside, "mine.suite.toml", "--model=stubborn:odd", "--eval-report=out")
    assert process.returncode == 1, process.stdout + process.stderr
    records = [json.loads(line) for line in (outside / "out" / "records.jsonl").read_text().splitlines()]
    assert {row["outcome"] for row in records if row["language"] == "python"} == {"correct", "wrong"}
    reasons = {row["reason"] for row in records if row["outcome"] == "error"}
    line = 1 + broken[: broken.index("no luck")].count("\n")
    assert reasons == {f"the language my_parts.language:Steps raised RuntimeError: no luck (language.py, line {line})"}
