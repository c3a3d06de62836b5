"""The package of ``docs/extending.md``, installed with pip beside a wheel of this project in a fresh environment."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.outside import page

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; it must succeed."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**clean, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"}
    process = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_a_package_with_one_part_of_each_kind_is_installed_and_used(tmp_path: Path) -> None:
    package, work = tmp_path / "package", tmp_path / "work"
    page.write_files(package)
    work.mkdir()
    (package / "mine.suite.toml").rename(work / "mine.suite.toml")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path / "wheels", ROOT, cwd=tmp_path)
    (wheel,) = (tmp_path / "wheels").glob("pytest_codereason-*.whl")
    run(python, "-m", "pip", "install", "--no-deps", wheel, package, cwd=tmp_path)
    # Their dependencies are those of this environment: .ci/release installs them all anew.
    (site,) = (tmp_path / "venv" / "lib").glob("python3*/site-packages")
    (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    where = run(python, "-c", "import my_parts, pytest_codereason; print(pytest_codereason.__file__)", cwd=work)
    assert str(tmp_path / "venv") in where

    out = run(python, "-m", "pytest", "mine.suite.toml", "--model=stubborn:odd", "--eval-report=out", cwd=work)
    assert "stubborn:odd" in out
    records = [json.loads(line) for line in (work / "out" / "records.jsonl").read_text().splitlines()]
    page.check_records(records)
    assert len(list(csv.DictReader((work / "out" / "answers.csv").open()))) == len(records)
    assert "Outcomes of all answers" in (work / "out" / "report.html").read_text()
