"""Runs and commands on a system without Linux's own modules: what needs no sandbox works, the rest is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.session.conftest import Project

GGUF = os.environ.get("CODEREASON_TEST_GGUF")
SUITES = Path(__file__).parents[2] / "suites"
#: Hides what Windows or macOS lack. What the standard library itself looks at is imported before.
WITHOUT_LINUX = """
import asyncio, os, platform, shutil, signal, subprocess, sys, sysconfig, tempfile, types, urllib.request
sysconfig.get_config_vars()
subprocess.Popen.kill = lambda self, kill=signal.SIGKILL: self.send_signal(kill)
sys.platform = "elsewhere"
sys.modules.update(dict.fromkeys(["fcntl", "grp", "pwd", "resource", "termios"]))
HIDDEN = {
    os: [
        *("fork", "forkpty", "getuid", "killpg", "memfd_create", "mkfifo", "pidfd_open", "register_at_fork"),
        *("sched_getaffinity", "setsid", "sysconf", "unshare", "wait4"),
    ],
    signal: ["SIGALRM", "SIGHUP", "SIGKILL", "SIGPROF", "SIGUSR1", "pthread_sigmask", "setitimer"],
}
for module, names in HIDDEN.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
"""
#: Suites that need no run, and a part of each that is soon asked.
NEED_NO_RUN = {
    "quickstart": {"count = 5": "count = 1"},
    "ladder": {"count = 25": "count = 1", "level = [1, 2, 3, 4, 5, 6, 7, 8]": "level = [1, 4]"},
    "horizon-small": {"count = 24": "count = 1", "budget = 64": "budget = 16"},
    "own": {},
}
#: A suite of one's own: literal answers on record, which are trusted.
OWN = """
task = "output-prediction"
[source]
name = "jsonl"
path = "mine.jsonl"
check = false
defaults = {language = "python"}
"""
PROGRAMS = [
    {"id": "double", "code": "def f(x):\n    return 2 * x", "call": "f(4)", "output": "8"},
    {"id": "first", "code": "def f(xs):\n    return xs[0]", "call": "f(['a'])", "output": "'a'"},
]


class Elsewhere:
    """A project on a system without Linux's own modules."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.path = project.path

    def add(self, suite: str) -> None:
        """Adds a suite to the project, cut to a few questions."""
        if suite == "own":
            text = OWN
            (self.path / "mine.jsonl").write_text("\n".join(map(json.dumps, PROGRAMS)))
        else:
            text = (SUITES / f"{suite}.suite.toml").read_text()
        for whole, part in NEED_NO_RUN.get(suite, {}).items():
            assert whole in text
            text = text.replace(whole, part)
        (self.path / f"{suite}.suite.toml").write_text(text)

    def ask(self, *args: str) -> pytest.RunResult:
        """A run in a process of its own."""
        return self.project.run_fresh("-p", "no:cacheprovider", *args)

    def tell(self, *args: str) -> subprocess.CompletedProcess[str]:
        """A command of codereason in a process of its own."""
        command = [sys.executable, "-m", "pytest_codereason.cli", *args]
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False)


@pytest.fixture
def elsewhere(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Elsewhere:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT_LINUX)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    return Elsewhere(project)


@pytest.mark.slow
def test_what_needs_no_run_goes_from_the_questions_to_the_decision(elsewhere: Elsewhere) -> None:
    for suite in NEED_NO_RUN:
        elsewhere.add(suite)
    assert elsewhere.ask("--model=baseline:truth", "--model=baseline:chance").ret == 0
    rows = elsewhere.project.records()
    assert {row["suite"] for row in rows} == set(NEED_NO_RUN)
    assert {row["outcome"] for row in rows if row["model"] == "baseline:truth"} == {"correct"}
    check_commands(elsewhere, ["reports/latest"], "quickstart.exact[model=baseline:truth] >= 0.5")


def check_commands(elsewhere: Elsewhere, compared: Sequence[str], gate: str) -> None:
    """Runs every command that reads a run: the newest one, or those that are compared."""
    folder = elsewhere.path / "reports/latest"
    (folder / "report.html").unlink()
    for command, *args in (
        ("report", "reports/latest"),
        ("compare", *compared),
        ("compare", *compared, "--format", "html", "-o", "sides.html"),
        ("judge", "reports/latest", "--gate", gate),
        ("table", "reports/latest"),
        ("figure", "reports/latest"),
        ("status", "reports/latest"),
    ):
        told = elsewhere.tell(command, *args)
        assert (told.returncode, told.stderr) == (0, ""), command
    assert (folder / "report.html").is_file()
    assert (elsewhere.path / "sides.html").is_file()


@pytest.mark.skipif(not GGUF, reason="CODEREASON_TEST_GGUF names no weights")
@pytest.mark.real
@pytest.mark.slow
def test_a_model_on_this_machine_is_asked_without_linux(elsewhere: Elsewhere) -> None:
    elsewhere.add("own")
    assert elsewhere.ask(f"--model=local:{GGUF}", "--model=baseline:truth").ret == 0
    assert {row["outcome"] for row in elsewhere.project.records() if row["model"] == "baseline:truth"} == {"correct"}
    assert all(row["response"] for row in elsewhere.project.records())
    check_commands(elsewhere, ["reports/latest"] * 2, "own.exact[model=baseline:truth] >= 10%")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suite", "model"),
    [("faults", "baseline:truth"), ("unchecked", "baseline:truth"), ("own", "baseline:interpreter")],
)
def test_what_needs_a_run_is_refused_with_what_to_do(elsewhere: Elsewhere, suite: str, model: str) -> None:
    elsewhere.add("own" if suite == "unchecked" else suite)
    if suite == "unchecked":
        path = elsewhere.path / "own.suite.toml"
        path.write_text(path.read_text().replace("check = false", ""))
    result = elsewhere.ask(f"--model={model}", "--eval-limit=2")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*programs run only on Linux*use a container*"])


@pytest.mark.slow
def test_what_runs_programs_only_to_explain_says_what_is_missing(elsewhere: Elsewhere) -> None:
    elsewhere.add("call-graph")
    result = elsewhere.ask("--model=baseline:truth", "--eval-limit=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*programs run only on Linux*"])


def test_the_doctor_names_what_needs_linux(elsewhere: Elsewhere) -> None:
    told = elsewhere.tell("doctor")
    assert "Traceback" not in told.stderr
    assert "programs run only on Linux" in told.stdout


@pytest.mark.slow
def test_harvest_says_that_it_needs_linux(elsewhere: Elsewhere) -> None:
    (elsewhere.path / "repository").mkdir()
    (elsewhere.path / "repository/main.py").write_text("def f(x):\n    return x\n\n\nprint(f(1))\n")
    told = elsewhere.tell("harvest", "repository", "--language", "python", "-o", "out", "--any-licence")
    assert told.returncode == 4
    assert "programs run only on Linux" in told.stderr
