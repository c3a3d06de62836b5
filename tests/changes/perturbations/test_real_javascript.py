"""Packages of npm under every perturbation: calls of all they export give the same values and types of errors."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.changes.perturbations.trees import perturb_files
from tests.examples import take_every
from tests.languages.npm import CALLS, PACKAGES, fetch_package

pytestmark = pytest.mark.slow

#: The first has all that the other has.
COMPOSITIONS = ["dead-code+conditions+rename+comments", "rename+conditions"]


def calls(entry: Path) -> str:
    command = ["node", "-e", CALLS, str(entry)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_calls_of_a_package(package: str, tmp_path: Path) -> None:
    folder, pattern, entry = PACKAGES[package]
    home = fetch_package(package, tmp_path)
    expected = calls(home / entry).splitlines()
    assert len(expected) > 100
    files = sorted((home / folder).glob(pattern))
    for number, text in enumerate(COMPOSITIONS[:: take_every(2)]):
        root = tmp_path / str(number)
        counts = perturb_files("javascript", home, files, root, text)
        shutil.copy(home / "package.json", root)
        print(f"{package}, {text}: {len(expected)} functions, {json.dumps(counts)}")
        assert counts["emitted"] >= 0.9 * len(files)
        results = calls(root / entry).splitlines()
        assert [(a, b) for a, b in zip(expected, results, strict=True) if a != b] == []
