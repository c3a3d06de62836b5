"""What continuous integration says of skipped tests, and files that other tools read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
JUNIT = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="test_passes"/>
<testcase classname="tests.test_a" name="test_other[x]"><skipped message="no node on this machine"/></testcase>
<testcase classname="tests.test_b" name="test_data"><skipped message="{reason}"/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize(
    ("reason", "data", "code"),
    [
        ("CODEREASON_DATA names no folder with cruxeval-x/js.json", "cruxeval-x/js.json", 1),
        ("CODEREASON_DATA names no folder with cruxeval-x/js.json", "cruxeval.jsonl", 0),
        ("needs CODEREASON_DATA", "anything", 1),
        ("needs CODEREASON_DATA", None, 0),
        ("javac is needed", "cruxeval.jsonl", 0),
    ],
)
def test_a_test_skipped_although_its_data_is_there_is_a_failure(
    reason: str, data: str | None, code: int, tmp_path: Path
) -> None:
    if data:
        (tmp_path / "data" / data).parent.mkdir(parents=True)
        (tmp_path / "data" / data).touch()
    junit = tmp_path / "quick.xml"
    junit.write_text(JUNIT.format(reason=reason))
    command = [sys.executable, str(ROOT / ".ci" / "skips.py"), str(tmp_path / "data"), str(junit)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == code, process.stdout + process.stderr
    assert process.stdout.startswith("2 tests skipped\n")
    assert f"1 x {reason}" in process.stdout
    assert "tests.test_b::test_data" in process.stdout
    assert ("although" in process.stdout) == bool(code)


def test_nothing_is_rerun() -> None:
    """Neither by an option in what starts the tests nor by a mark on a test."""
    starts = [ROOT / ".ci" / "run", ROOT / "pyproject.toml", ROOT / "README.md", *ROOT.glob(".github/**/*.yml")]
    assert len(starts) > 3
    assert not [
        str(path) for path in starts if re.search(r"--(only-)?re-?run|^reruns\b", path.read_text(), re.MULTILINE)
    ]
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    assert not [str(path) for path in tests if "mark.flaky" in path.read_text()]


def test_the_options_of_these_tests_are_none_of_a_pytest_that_they_start() -> None:
    script = "import os, tests.conftest; print('PYTEST_ADDOPTS' in os.environ)"
    environment = {**os.environ, "PYTEST_ADDOPTS": "--junitxml=quick.xml"}
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert process.stdout == "False\n"


def test_the_package_has_the_version_of_the_project() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    package = re.search(r'^__version__ = "(.+)"$', (ROOT / "pytest_codereason/__init__.py").read_text(), re.MULTILINE)
    assert version
    assert package
    assert version[1] == package[1]


@pytest.mark.slow
def test_the_pre_commit_configuration_is_valid() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")]
    subprocess.run(command, check=True, timeout=60)


def test_helpers_are_not_imported_from_test_modules() -> None:
    """A helper stands in a module of its own: importing a test module runs its fixtures and marks elsewhere."""
    pattern = re.compile(r"from (?:tests)?[\w.]*\.test_\w+ import|import tests[\w.]*\.test_\w+")
    files = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    assert not [str(path) for path in files if pattern.search(path.read_text())]
