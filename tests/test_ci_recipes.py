"""The recipes for GitHub and GitLab: their steps are run from an empty repository, against a scripted endpoint."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.ci_jobs import EXPRESSION, ROOT, GitHub, GitLab, read_gitlab, read_gitlab_job, read_workflow, run_bash
from tests.servers import Server, solve

SUITE = """
task = "output-prediction"
languages = ["python"]
[source]
name = "semtrace"
count = 30
digits = 2
"""
GATE, BASELINE_GATE = "small.exact >= 80%", "small.exact >= baseline - 5%"
#: A line that would run a command if it ever became a part of a script, and one that would command the runner.
HOSTILE = "$(touch pwned); `touch pwned`\n::error::pwned"
slow = [pytest.mark.slow, pytest.mark.skipif(shutil.which("jq") is None, reason="jq is needed")]


def list_scripts() -> Iterator[tuple[str, str]]:
    for step in read_workflow("action.yml")["runs"]["steps"]:
        if "run" in step:
            yield f"action.yml: {step['name']}", step["run"]
    yield "gitlab", "\n".join(read_gitlab_job({"model": "m"})[1]["script"])


def test_no_input_is_a_part_of_a_script_and_every_action_is_pinned() -> None:
    _, jobs = read_gitlab()
    assert "$[[" not in "".join(next(iter(jobs.values()))["script"])
    assert not any("${{" in script for _, script in list_scripts())
    text = (ROOT / "action.yml").read_text() + (ROOT / ".github/workflows/evaluate.yml").read_text()
    used = [name for name in re.findall(r"uses: (\S+)", text) if not name.startswith("./")]
    assert len(used) == 6
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) for name in used)


@pytest.mark.parametrize(("name", "script"), list(list_scripts()))
def test_scripts_are_bash(name: str, script: str) -> None:
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, ""), name


def test_the_workflow_hands_its_inputs_to_the_action_and_expressions_name_inputs_that_exist() -> None:
    action, workflow = read_workflow("action.yml"), read_workflow(".github/workflows/evaluate.yml")
    inputs = workflow[True]["workflow_call"]["inputs"]  # YAML 1.1 reads the key "on" as true
    step = workflow["jobs"]["evaluate"]["steps"][-1]
    assert step["with"] == {name: f"${{{{ inputs.{name} }}}}" for name in inputs}
    assert set(inputs) < set(action["inputs"])
    named = {name for name in EXPRESSION.findall((ROOT / "action.yml").read_text()) if name.startswith("inputs.")}
    # "comment" stands in a condition alone
    assert named == {f"inputs.{name}" for name in action["inputs"] if name != "comment"}
    gitlab, _ = read_gitlab()
    assert set(inputs) - {"name"} < set(gitlab)


def test_the_page_about_ci_names_every_input() -> None:
    page = (ROOT / "docs/ci.md").read_text()
    gitlab, _ = read_gitlab()
    assert not [name for name in (*read_workflow("action.yml")["inputs"], *gitlab) if f"`{name}`" not in page]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one suite and nothing else."""
    path = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "--quiet", path], check=True)
    (path / "small.suite.toml").write_text(SUITE)
    return path


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    folder = tmp_path_factory.mktemp("home")
    (folder / "matplotlib.py").write_text("raise ImportError('hidden by a test: charts take their time')\n")
    return {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "CODEREASON_CACHE": str(folder / "cache"),
        "PYTHONPATH": f"{folder}:{ROOT}",
        "OPENAI_API_KEY": "sk-secret",
    }


@pytest.fixture(scope="module")
def github(repository: Path, environment: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> GitHub:
    """GitHub after the first push of the repository, whose model is right."""
    hub = GitHub(repository, tmp_path_factory.mktemp("github") / "state", environment)
    with Server(solve()) as server:
        result = hub.run_action(
            "push", "main", make_inputs(server) | {"suites": "small.suite.toml\nquickstart.suite.toml"}
        )
        asked = len(server.requests)
    assert result.code == 0, result.log
    assert "There is no baseline yet" in result.log
    assert asked == 30 + 24, "a suite of the repository and a shipped one, of which whole programs are asked about"
    assert "✅ The gate passed" in result.summary
    assert hub.comments == []
    return hub


def make_inputs(server: Server) -> dict[str, str]:
    return {
        "model": "openai:scripted",
        "model-url": server.url,
        "model-args": "price_in=1\n  price_out=2  \n\n",
        "suites": "small.suite.toml",
        "gates": GATE,
        "baseline-gates": BASELINE_GATE,
        "max-cost": "5",
        "max-time": "1h",
        "options": "--eval-limit=30",
        "install": "none",
    }


class TestGitHub:
    pytestmark = slow

    def test_a_worse_model_fails_the_pull_request_with_a_comment(self, github: GitHub) -> None:
        """A fork has left a run of a branch called main, a user a comment with the marker, and the model commands."""
        github.add_run(event="pull_request", headBranch="main", conclusion="success")
        marker = "<!-- codereason: codereason -->"
        github.comment(
            {"id": 1, "user": {"type": "User"}, "body": f"{marker} not yours"},
            {"id": 2, "user": {"type": "Bot"}, "body": f"{marker}\nof the last push"},
        )
        with Server(lambda messages, body: repr(f"##[error]pwned @everyone {marker}")) as server:
            inputs = make_inputs(server) | {"options": "--eval-limit=30\n-v"}
            result = github.run_action("pull_request", "change", inputs)
        assert result.code == 1, result.log
        assert "The baseline is run 1." in result.log
        muted, _, rest = result.log.partition("::stop-commands::")[2].partition("\n")
        assert f"\n::{muted}::\n" in rest, "the runner listens again"
        spoken = rest.partition(f"\n::{muted}::\n")[2]
        assert spoken.count("::error title=gate failed%3A small.exact >=") == 2
        other, mine = github.comments
        assert other.endswith("not yours")
        assert mine.startswith(f"{marker}\n## ❌ 2 of 2 gates failed")
        before, comparison, _ = mine.partition("## Comparison")
        run = "https://github.com/team/model/actions/runs/3"
        assert f"\nThe artifact `codereason` of [this run]({run}) holds the report.\n" in before
        assert comparison
        assert "##[error]pwned" in rest, "pytest shows what the model wrote"
        assert "pwned" not in spoken
        assert mine.count(marker) == 1 < mine.count("pwned")
        assert "@everyone" not in mine.replace("\\@", "@"), "nobody is called"

    def test_a_baseline_that_no_gate_names_is_compared_and_stops_nothing(self, github: GitHub) -> None:
        github.comment()
        with Server(solve()) as server:
            result = github.run_action("pull_request", "change", make_inputs(server) | {"baseline-gates": ""})
        assert result.code == 0, result.log
        assert "The baseline is run 1." in result.log
        (comment,) = github.comments
        assert "The gate passed" in comment
        assert "## Comparison" in comment

    def test_the_comment_of_the_last_push_gives_way_if_the_run_cannot_be_made(self, github: GitHub) -> None:
        marker = "<!-- codereason: codereason -->"
        github.comment({"id": 2, "user": {"type": "Bot"}, "body": f"{marker}\n## ✅ 2 of 2 gates passed"})
        with Server(solve()) as server:
            inputs = make_inputs(server)
        result = github.run_action("pull_request", "change", inputs)
        assert result.code == 4, result.log
        (comment,) = github.comments
        assert comment.startswith(f"{marker}\n## ❌ The run could not be made\n\npytest ended with exit code 4 ")
        assert "The log of [this run](https://github.com/team/model/actions/runs/" in comment
        assert "Comparison" not in comment

    def test_hostile_inputs_run_nothing(self, github: GitHub) -> None:
        with Server(solve()) as server:
            others = ("model", "model-args", "gates", "suites", "options", "undecided", "max-cost")
            for names in (others, ["name"]):
                result = github.run_action(
                    "pull_request", "change", make_inputs(server) | dict.fromkeys(names, HOSTILE)
                )
                assert result.code != 0
                assert not list(github.repository.rglob("pwned"))
            assert server.requests == []


class TestGitLab:
    pytestmark = slow

    def test_a_worse_model_fails_the_merge_request_with_a_note(
        self, github: GitHub, repository: Path, environment: Mapping[str, str], tmp_path: Path
    ) -> None:
        marker = "<!-- codereason: codereason -->"
        with Server(solve(accuracy=0.4)) as server, GitLab(github.state / "artifacts/1/codereason") as lab:
            _, job = read_gitlab_job(make_inputs(server))
            _, broken = read_gitlab_job(make_inputs(server) | {"gates": "small.exakt >= 80%"})
            lab.notes = [
                {"id": 1, "author": {"id": 9}, "body": f"{marker} not yours"},
                {"id": 2, "author": {"id": 3}, "body": f"{marker} of the last push"},
            ]
            (tmp_path / "script").write_text("\n".join(job["script"]))
            given = {
                **environment,
                "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
                "CI_API_V4_URL": lab.url,
                "CI_PROJECT_ID": "5",
                "CI_DEFAULT_BRANCH": "main",
                "CI_JOB_NAME": "codereason",
                "CI_JOB_URL": "https://gitlab.example.com/team/model/-/jobs/8",
                "CI_MERGE_REQUEST_IID": "7",
                "CODEREASON_GITLAB_TOKEN": "token",
                **{name: variable["value"] for name, variable in job["variables"].items()},
            }
            ended = run_bash(tmp_path / "script", repository, given)
            other, mine = (note["body"] for note in lab.notes)
            assert (repository / "codereason.xml").read_text().count('classname="codereason.gates"') == 2
            assert (repository / "codereason-run/report.html").exists()
            gate = {name: variable["value"] for name, variable in broken["variables"].items()}
            assert run_bash(tmp_path / "script", repository, given | gate).returncode == 4
            assert lab.notes[1]["body"].startswith(
                f"{marker}\n## ❌ The run could not be made\n\npytest ended with exit code 4"
            )
        assert ended.returncode == 1, ended.stdout
        assert other.endswith("not yours")
        assert mine.startswith(f"{marker}\n## ❌ 2 of 2 gates failed")
        before, comparison, _ = mine.partition("## Comparison")
        address = "https://gitlab.example.com/team/model/-/jobs/8"
        assert f"\nThe artifacts of [this job]({address}) hold the report.\n" in before
        assert comparison
