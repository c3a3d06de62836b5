"""Runs that plant faults and ask which line is faulty, as users start them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.servers import Body, Server
from tests.session.background import args
from tests.session.conftest import Project

SUM = "def f(items):\n    total = 0\n    for item in items:\n        total = total + item\n    return total\n"
#: The first line of a docstring, blank lines, and several places for a fault of one kind.
AREA = "\n\ndef area(a):\n    # The sides.\n    half = 3 * a\n    return half - 1\n\n\nprint(area(2))\n"
ROWS = (
    {"id": "sum", "code": SUM, "call": "f([1, 2, 4])", "specification": "The sum of the items."},
    {"id": "area", "code": AREA, "specification": "Prints one less than three times 2."},
)
#: A line of these programs with another operator. Variables may have other names.
WRONG = re.compile(r"(\w+) = \1 (?!\+)\S+ |= 3 (?!\* )\S+ \w|return \w+ (?!- )\S+ 1")
SUITE = 'languages = ["python"]\nfault = "operator-swap"\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n'


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def write_suite(
    project: Project,
    more: str = "",
    *,
    name: str = "mine",
    task: str = "fault-localization",
    rows: Sequence[Mapping[str, object]] = ROWS,
) -> str:
    lines = [json.dumps({"language": "python", **row}) for row in rows]
    (project.path / "mine.jsonl").write_text("\n".join(lines))
    path = project.path / f"{name}.suite.toml"
    path.write_text(f'task = "{task}"\n{SUITE}{more}')
    return str(path)


def find_swapped(prompt: str) -> int:
    """The line of a program of these tests that has the wrong operator."""
    lines = prompt.partition("[PROGRAM]\n")[2].partition("\n[/PROGRAM]")[0].split("\n")
    return next(number for number, line in enumerate(lines, 1) if WRONG.search(line))


def localise(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
    """The reply of a perfect localiser."""
    return json.dumps({"line": find_swapped(str(messages[-1]["content"]))})


@pytest.mark.slow
def test_a_perfect_localiser_is_right_and_the_prompt_shows_specification_and_fault(project: Project) -> None:
    write_suite(project)
    with Server(localise) as server:
        result = project.run(*args(server), "--model=baseline:truth")
    assert result.ret == 0
    result.assert_outcomes(passed=4)
    records = {(row["id"], row["model"]): row for row in project.records()}
    asked = records["python/sum", "openai:scripted"]
    prompt = asked["steps"][0]["messages"][-1]["content"]
    assert "The sum of the items." in prompt
    assert WRONG.search(prompt)
    assert (asked["expected"], asked["answer"]) == ("4", "4")
    assert records["python/area", "baseline:truth"]["metrics"]["fault_quarter_shown"] in (2, 3)


LAYOUTS = ("plain", "numbers", "keys")


@pytest.mark.slow
def test_lines_are_counted_in_the_text_that_is_shown(project: Project) -> None:
    write_suite(
        project, f'[matrix]\nlayout = {list(LAYOUTS)}\nperturbation = ["none", "dead-code"]\ndistractors = [0, 2]\n'
    )
    assert project.run("--model=baseline:truth").ret == 0
    for row in project.records():
        assert row["outcome"] == "correct", row["reason"]
        lines = row["steps"][0]["messages"][-1]["content"].partition("[PROGRAM]\n")[2].split("\n")
        label = row["expected"]
        labelled = [line for line in lines if line.lstrip().startswith(f"{label} ")]
        faulty = lines[int(label) - 1] if row["axes"]["layout"] == "plain" else labelled[0]
        assert WRONG.search(faulty)


ROBUST = '[matrix]\nperturbation = ["none", "rename", "dead-code"]\n'


@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.slow)])
def test_the_first_question_is_paid_for_once_by_all_cells_and_suites(
    project: Project, workers: tuple[str, ...]
) -> None:
    write_suite(project, "", name="where")
    write_suite(project, ROBUST, name="robust", task="fault-robustness")
    write_suite(project, ROBUST.replace('"none", ', ""), name="again", task="fault-robustness")
    with Server(localise) as server:
        result = project.run(*args(server), *workers)
    assert result.ret == 0, result.stdout.str()
    prompts = Counter(request.messages[-1]["content"] for request in server.requests)
    # Of each program: the first question, the control's, and two perturbed ones, which two suites share.
    assert len(server.requests) == 2 * 4
    assert sorted(prompts.values()) == [1, 1, 1, 1, 2, 2]
    assert all(len(request.messages) == 1 for request in server.requests), "the second question knows the first"
    assert {row["outcome"] for row in project.records()} == {"correct"}
    result.stdout.no_fnmatch_line("*REUSED*")


@pytest.mark.slow
def test_a_fault_that_is_not_found_is_not_asked_about_again(project: Project) -> None:
    write_suite(project, ROBUST, task="fault-robustness")
    with Server(lambda messages, body: '{"line": 1}') as server:
        dry = project.run(*args(server), "--eval-dry-run")
        assert project.run(*args(server)).ret == 0
    assert len(server.requests) == 2
    # Of each program: the first question, which three cells share, and the second question of each of them.
    dry.stdout.fnmatch_lines(["*requests * 12  (at most; 6 of them are asked only after a right answer)"])
    dry.stdout.fnmatch_lines(["counted, but not asked: 4 requests equal to another one"])
    counts = Counter((row["outcome"], row["metrics"]["first"], len(row["steps"])) for row in project.records())
    assert counts == {("wrong", 0, 1): 6}


@pytest.mark.slow
def test_a_model_that_names_the_old_line_is_stale(project: Project) -> None:
    first: dict[str, int] = {}

    def repeat(messages: Sequence[Mapping[str, Any]], body: Body) -> str:
        prompt = str(messages[-1]["content"])
        specification = prompt.partition("[/SPECIFICATION]")[0]
        return json.dumps({"line": first.setdefault(specification, find_swapped(prompt))})

    write_suite(project, '[matrix]\nperturbation = ["none", "dead-code(strength=3)"]\n', task="fault-robustness")
    with Server(repeat) as server:
        assert project.run(*args(server, "--eval-concurrency=1")).ret == 0
    lost = {row["id"]: row["metrics"] for row in project.records()}
    assert all(metrics["first"] == 1 for metrics in lost.values())
    assert lost["python/sum[perturbation:none]"]["flipped"] == 0
    assert "lost" not in lost["python/sum[perturbation:none]"], "the control would thin out what is lost"
    changed = [metrics for name, metrics in lost.items() if "dead-code" in name]
    assert any(metrics["lost"] == metrics["stale"] == 1 for metrics in changed)


@pytest.mark.slow
def test_what_cannot_be_asked_is_skipped_with_its_reason(project: Project) -> None:
    dead = "def f(a):\n    unused = a + 1\n    return a\n"
    half = "def f(a):\n    unused = a + 1\n    return a - 1\n"
    package = "import no_such_package\n\n\ndef f(a):\n    return a + 1\n"
    rows = [
        *ROWS,
        {"id": "half", "code": half, "call": "f(1)", "specification": "One less."},
        {"id": "package", "code": package, "call": "f(1)", "specification": "One more."},
        {"id": "no-site", "code": "def f(a):\n    return a\n", "call": "f(1)", "specification": "The same."},
        {"id": "equivalent", "code": dead, "call": "f(1)", "specification": "The same."},
        {"id": "no-specification", "code": SUM, "call": "f([1])"},
        {"id": "blank", "code": SUM, "call": "f([1])", "specification": "  "},
        {"id": "no-program", "code": "", "call": "f(1)", "specification": "Nothing."},
    ]
    write_suite(project, rows=rows)
    result = project.run("--model=baseline:truth")
    assert result.ret == 0
    reasons = {row["id"].partition("/")[2]: row["reason"] for row in project.records() if row["reason"]}
    assert reasons["no-site"] == "there is no place for such a fault: operator-swap"
    assert reasons["equivalent"] == "every such fault is equivalent, nobody can observe it: 1 equivalent"
    assert reasons["package"] == "no such fault will do: 1 hidden"
    assert reasons.keys() <= {"no-site", "equivalent", "package", "no-specification", "blank", "no-program"}
    assert sum(not row["reason"] for row in project.records()) == 3
    result.stdout.fnmatch_lines(["*every such fault is equivalent*"])
    tried = {row["id"].partition("/")[2]: row["rejections"].get("fault") for row in project.records()}
    assert tried["equivalent"] == {"equivalent": 1}
    equivalent = 1 + (tried["half"] or {}).get("equivalent", 0)  # what was drawn before the fault of "half"
    assert project.run_json()["rejections"] == {"fault": {"equivalent": equivalent, "hidden": 1}}
    result.stdout.fnmatch_lines([f"left out while a fault was chosen: {equivalent} equivalent, 1 hidden"])
    assert project.run_json()["skipped"]["every such fault is equivalent, nobody can observe it"] == 1
    text = (project.path / "mine.suite.toml").read_text()
    (project.path / "mine.suite.toml").write_text(text.replace('"operator-swap"', '"none"'))
    assert project.run("--model=baseline:truth").ret == 0
    assert {row["reason"].partition(":")[0] for row in project.records()} >= {"the program has no fault"}
    (project.path / "mine.suite.toml").write_text(text.replace('fault = "operator-swap"\n', ""))
    project.run("--model=baseline:truth").stderr.fnmatch_lines(["*lacks: fault; the axis 'fault' gives 'fault'*"])


@pytest.mark.slow
def test_prepared_faults_are_shown_and_nothing_is_run_for_them(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = write_suite(project, "[matrix]\nfault_quarter = [2, 3]\nfault_number = [1, 2]\n")
    assert main(["prepare", suite, "-o", str(project.path / "faults.jsonl")]) == 0
    header, *rows = map(json.loads, (project.path / "faults.jsonl").read_text().splitlines())
    assert header["kind"] == "fault"
    assert {row["of"] for row in rows} <= {f"operator-swap/{quarter}/{n}" for quarter in (2, 3) for n in (1, 2)}
    project.run("--model=baseline:truth")
    chosen = {row["id"]: row["program_sha"] for row in project.records() if row["outcome"] == "correct"}
    assert len(chosen) == len(rows) > 0
    text = (project.path / "mine.suite.toml").read_text()
    (project.path / "mine.suite.toml").write_text(text.replace("[source]", 'texts = ["faults.jsonl"]\n[source]'))
    monkeypatch.setattr("pytest_codereason.engine.building.executing.Executor.execute", None)  # any run would raise
    project.run("--model=baseline:truth", "-k", "sum or area")
    again = {row["id"]: row["program_sha"] for row in project.records() if row["outcome"] == "correct"}
    assert again == chosen
