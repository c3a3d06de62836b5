"""A run on a system without Linux's own modules: what needs no sandbox works, the rest is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.session.conftest import Project

SUITES = Path(__file__).parents[2] / "suites"
#: Hides what Windows or macOS lack. What the standard library itself looks at is imported before.
WITHOUT_LINUX = """
import asyncio, os, platform, shutil, signal, subprocess, sys, types
sys.modules.update(dict.fromkeys(["fcntl", "grp", "pwd", "resource", "termios"]))
HIDDEN = {
    os: ["fork", "killpg", "memfd_create", "pidfd_open", "sched_getaffinity", "setsid", "sysconf"],
    signal: ["SIGALRM", "SIGHUP", "SIGKILL", "SIGPROF", "pthread_sigmask", "setitimer"],
}
for module, names in HIDDEN.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
"""


@pytest.fixture
def elsewhere(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WITHOUT_LINUX)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    return project


def copy_quickstart(project: Project) -> None:
    text = (SUITES / "quickstart.suite.toml").read_text().replace("count = 5", "count = 1")
    (project.path / "small.suite.toml").write_text(text)


def test_the_first_report_needs_no_linux(elsewhere: Project) -> None:
    copy_quickstart(elsewhere)
    result = elsewhere.run_fresh("--model=baseline:truth", "--model=baseline:chance", "-p", "no:cacheprovider")
    assert result.ret == 0
    assert {row["outcome"] for row in elsewhere.records() if row["model"] == "baseline:truth"} == {"correct"}
    assert (elsewhere.path / "reports/latest/report.html").is_file()


def test_what_looks_at_the_machine_is_imported_without_linux(elsewhere: Project) -> None:
    script = "import pytest_codereason.session.doctor.running, pytest_codereason.models.local"
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
