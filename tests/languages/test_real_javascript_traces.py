"""Packages of npm under trace: calls of all they export print what they print untraced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.sandbox import Sandbox
from tests.languages.npm import CALLS, PACKAGES, fetch_package

pytestmark = pytest.mark.slow

WITNESSED: tuple[Witnessed, ...] = ("calls", "lines")
PATIENT = Limits(wall_s=120, cpu_s=100, output_bytes=8 << 20)


@pytest.mark.parametrize("package", PACKAGES)
def test_calls_of_a_package(package: str, tmp_path: Path, sandbox: Sandbox) -> None:
    folder, pattern, entry = PACKAGES[package]
    home = fetch_package(package, tmp_path)
    files = {str(path.relative_to(home)): path.read_text() for path in sorted((home / folder).glob(pattern))}
    files["main.js"] = CALLS.replace("process.argv[1]", f"'./{entry}'").replace("process.exit(0);\n", "")
    job = Run(language="javascript", files=files, entry="main.js", limits=PATIENT)
    plain = sandbox.run(job)
    assert plain.stdout.count("\n") > 100
    for witnessed in WITNESSED:
        traced = sandbox.run(replace(job, witnessed=witnessed))
        assert traced.stdout.splitlines() == plain.stdout.splitlines()
        assert traced.trace is not None, traced.words
        edges = sum(map(len, traced.trace.edges.values()))
        print(f"{package}: {edges} edges, {plain.cpu_s:.2f} s untraced, {traced.cpu_s:.2f} s traced")
        assert edges > 200
