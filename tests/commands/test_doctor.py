"""``codereason doctor``, as a user types it, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def examine(**environment: str) -> tuple[int, dict[str, dict[str, Any]], str]:
    """The exit code, the findings by subject, and what stands on stderr."""
    known = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_TOKEN"))}
    process = subprocess.run(
        [sys.executable, "-m", "pytest_codereason.cli", "doctor", "--json"],
        env=known | environment,
        check=False,
        capture_output=True,
        text=True,
    )
    findings = [json.loads(line) for line in process.stdout.splitlines()]
    return process.returncode, {finding["subject"]: finding for finding in findings}, process.stderr


@pytest.mark.slow
def test_a_machine_without_interpreters_is_told_what_to_install(tmp_path: Path) -> None:
    code, findings, errors = examine(PATH=str(tmp_path))
    assert not errors
    assert findings["python"]["state"] == "ok"
    assert code == (findings["sandbox"]["state"] != "ok")
    for name, package in (("javascript", "nodejs"), ("php", "php-cli"), ("java", "default-jdk-headless")):
        assert findings[name]["state"] == "missing"
        assert findings[name]["words"].endswith("is not installed")
        assert findings[name]["remedy"] == f"apt-get install {package}"


@pytest.mark.slow
def test_data_and_cache_are_looked_at_where_the_environment_says(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "cruxeval.jsonl").write_text("{}")
    (tmp_path / "file").write_text("")
    _, findings, _ = examine(
        CODEREASON_DATA=f"{data}:{tmp_path / 'nowhere'}", CODEREASON_CACHE=str(tmp_path / "file" / "cache")
    )
    assert findings["cruxeval"]["state"] == "ok"
    assert findings["cruxeval-x"]["words"] == "not here: javascript, php, java"
    assert findings["cruxeval-x"]["remedy"] == "codereason fetch cruxeval-x"
    assert findings["data folder"]["state"] == "missing"
    assert findings["cache"]["state"] == "missing"
