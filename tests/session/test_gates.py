"""Gates as a user meets them: verdicts, exit codes, a baseline, and judging a stored run again."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from pytest_codereason.cli import main
from tests.session.conftest import Project, usage_error


def test_too_few_questions_decide_nothing_and_the_user_says_what_then(
    project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=2, languages=("python",))
    args = ("--model=baseline:truth", "--eval-gate=small.exact >= 0.9")
    with monkeypatch.context() as job:  # of GitHub Actions
        job.setenv("GITHUB_ACTIONS", "true")
        job.setenv("GITHUB_STEP_SUMMARY", str(project.path / "step.md"))
        result = project.run(*args)
    assert result.ret == 10
    warning = "::warning title=gate undecided%3A small.exact >= 0.9 (baseline%3Atruth)::small.exact = 1.000 (n 2, "
    assert [line.startswith(warning) for line in result.outlines if "::" in line] == [True]
    summary = (project.path / "reports/latest/summary.md").read_text()
    assert (project.path / "step.md").read_text() == summary + "\n"
    result.stdout.fnmatch_lines(["UNDECIDED  small.exact = 1.000 (n 2, 2 programs) leaves >= 0.9 open:*"])
    (gate,) = json.loads((project.path / "reports/latest/summary.json").read_text())["gates"]
    assert (gate["verdict"], gate["passed"], gate["claim"]) == ("UNDECIDED", False, "generator")
    assert '<span class="badge open">undecided</span>' in (project.path / "reports/latest/report.html").read_text()
    assert "❔ **undecided**" in summary
    latest = str(project.path / "reports/latest")
    capsys.readouterr()
    assert [main(["judge", latest, f"--format={form}"]) for form in ("github", "markdown")] == [10, 10]
    first, *page = capsys.readouterr().out.splitlines()
    assert first.startswith(warning)
    assert "\n".join(page) in summary
    again = project.run(*args, "--eval-undecided=pass")
    assert again.ret == 0
    assert not any(line.startswith("::") for line in again.outlines), "this is no job of GitHub Actions"
    assert main(["judge", str(project.path / "reports/latest")]) == 0, "as the run was told"
    assert main(["judge", str(project.path / "reports/latest"), "--undecided=fail"]) == 10


@pytest.mark.slow
def test_a_limit_leaves_open_what_the_other_programs_of_the_suite_do(project: Project) -> None:
    project.suite(count=12, languages=("python",))
    part = ("--model=baseline:truth", "--eval-allow-partial", "--eval-gate=small.exact >= 0.9")
    assert project.run(*part, "--eval-limit=11", "--eval-claim=suite").ret == 0
    assert project.run(*part, "--eval-limit=11").ret == 10, "about programs like these: 0.05 ** (1 / 11) = 0.76"
    unlike = project.run(*part, "-k", "not 0011", "--eval-claim=suite")
    assert unlike.ret == 10, "what a user selects is no random part"


@pytest.mark.slow
def test_a_run_is_compared_with_its_baseline(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite()
    gate = ("--eval-baseline=good", "--eval-gate=small.exact >= baseline - 2%")
    assert project.run("--model=baseline:truth", "--eval-report=good").ret == 0
    worse = project.run("--model=baseline:chance", *gate, "--eval-report=bad", "--eval-claim=suite")
    assert worse.ret == 1
    worse.stdout.fnmatch_lines(["FAIL *0.000, 1.000 in the baseline, a difference of*", "*pairs, 8 lost, 0 won*"])
    assert project.run("--model=baseline:truth", *gate, "--eval-report=same").ret == 10
    same, good = str(project.path / "same"), str(project.path / "good")
    before = {path.name: path.read_bytes() for path in (project.path / "same").iterdir()}
    capsys.readouterr()
    judged = ["--gate=small.exact >= baseline - 2%", f"--baseline={good}"]
    assert main(["judge", same, *judged]) == 10
    assert main(["judge", same, *judged, "--claim=suite"]) == 0
    assert main(["judge", str(project.path / "bad"), *judged]) == 1
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == ["UNDECIDED", "PASS", "FAIL"]
    assert before == {path.name: path.read_bytes() for path in (project.path / "same").iterdir()}
    assert main(["judge", good, *judged]) == 4
    assert "--baseline names the run itself" in capsys.readouterr().err
    (project.path / "good").rename(project.path / "elsewhere")
    assert main(["report", same]) == 10, "the baseline is gone"
    assert "the baseline is not there any more" in " ".join(capsys.readouterr().out.split())
    assert main(["judge", same, *judged]) == 4


def test_a_baseline_that_cannot_be_used(project: Project) -> None:
    project.suite()
    gate = "--eval-gate=small.exact >= baseline - 2%"
    truth = "--model=baseline:truth"
    assert "there is no baseline: name the folder" in usage_error(project, truth, gate)
    assert "no: there is no such folder" in usage_error(project, truth, gate, "--eval-baseline=no")
    assert project.run(truth, "--eval-report=good").ret == 0
    records = project.path / "good/records.jsonl"
    records.rename(project.path / "records")
    refused = project.run(truth, gate, "--eval-baseline=good", "--eval-report=new")
    assert refused.ret == 4, "before anything is asked"
    assert "good has no records.jsonl" in refused.stderr.str()
    (project.path / "records").rename(records)
    assert "same folder" in usage_error(project, truth, gate, "--eval-baseline=good", "--eval-report=good")
    project.suite(count=5)
    assert "the baseline asked other questions of small" in usage_error(project, truth, gate, "--eval-baseline=good")
    (project.path / "small.suite.toml").rename(project.path / "other.suite.toml")
    other = "--eval-gate=other.exact >= baseline"
    assert "the baseline did not ask other" in usage_error(project, truth, other, "--eval-baseline=good")


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("--eval-claim=all", "--eval-claim all: must be one of generator, suite"),
        ("--eval-undecided=maybe", "--eval-undecided maybe: must be one of fail, pass"),
        ("--eval-gate=small.exact => 1", "column 13: expected >=, <=, ==, >, <, not '=>'"),
    ],
)
def test_a_mistake_is_said_before_anything_is_asked(project: Project, option: str, complaint: str) -> None:
    project.suite()
    assert complaint in usage_error(project, "--model=baseline:truth", option)


def test_a_caret_stands_under_the_mistake(project: Project) -> None:
    project.suite()
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact => 1")
    result.stderr.fnmatch_lines(["*column 13*", "    small.exact => 1", "                ^"])


def test_a_stored_run_without_gates_needs_one(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite(count=1, languages=("python",))
    assert project.run("--model=baseline:truth").ret == 0
    folder = str(project.path / "reports/latest")
    assert main(["judge", folder]) == 4
    assert "the run has no gates" in capsys.readouterr().err
    assert main(["judge", folder, "--gate=small.exact > 0"]) == 0
    assert main(["judge", folder, "--gate=small.exat > 0"]) == 4


def test_junit_has_gates_as_cases(project: Project) -> None:
    project.suite(count=2, languages=("python",))
    gates = ["small.exact >= 0.1", "small.exact[language=python] <= 0.1", "small.exact >= 0.9"]
    options = (f"--eval-gate={gate}" for gate in gates)
    assert project.run("--model=baseline:truth", *options, "--junitxml=out.xml", "-pjunitxml").ret == 1
    root = ElementTree.parse(project.path / "out.xml").getroot()
    cases = [case for case in root.iter("testcase") if case.get("classname") == "codereason.gates"]
    messages = [case.find("failure") for case in cases]
    assert [case.get("name") for case in cases] == [f"{gate} (baseline:truth)" for gate in gates]
    assert messages[0] is None
    assert [str(each.get("message")).split(":")[0] for each in messages[1:] if each is not None] == [
        "FAIL",
        "UNDECIDED",
    ]
    assert root[0].get("tests") == "5"


def test_two_models_of_one_run_are_compared_at_each_value_of_an_axis(project: Project) -> None:
    project.suite(languages=("python",), prompting=("direct", "cot"))
    worse, better = "small.exact[model=baseline:chance,prompting=*]", "small.exact[model=baseline:truth,prompting=*]"
    models = ("--model=baseline:truth", "--model=baseline:chance")
    alone = usage_error(project, models[0], f"--eval-gate={better} >= {worse} - 3%")
    assert "no model of the run is called 'baseline:chance'" in alone
    result = project.run(*models, f"--eval-gate={worse} >= {better} - 3%", "--eval-claim=suite")
    assert result.ret == 1
    gates = json.loads((project.path / "reports/latest/summary.json").read_text())["gates"]
    assert [gate["against"] for gate in gates] == ["baseline:truth"] * 2
    assert [gate["gate"].count(f"prompting={way}") for gate, way in zip(gates, ("direct", "cot"), strict=True)] == [
        2,
        2,
    ]
    assert {gate["model"] for gate in gates} == {"baseline:chance"}
    result.stdout.fnmatch_lines(["*baseline:truth, a difference of −1.000 (4 pairs, 4 lost, 0 won, 4"])
