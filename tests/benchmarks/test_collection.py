"""Time and memory of collecting 100,000 questions against 100,000 empty custom items, in one run.

Prints figures and fails on nothing but wrong counts; the target is a ratio of at most 1.3 for both.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.benchmarks.extent import limit
from tests.session.conftest import SUITE

pytestmark = pytest.mark.benchmark

COUNT, ROUNDS = 100_000, limit(3, 1)

EMPTY = f"""
import pytest
def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".empty":
        return File.from_parent(parent, path=file_path)
class File(pytest.File):
    def collect(self):
        for i in range({COUNT}):
            yield Item.from_parent(self, name=f"python/{{i:06}}[prompting:direct]")
class Item(pytest.Item):
    def runtest(self):
        pass
"""


def collect(folder: Path, *args: str) -> tuple[float, float]:
    """Seconds of processor time and megabytes (peak) of ``pytest --collect-only``."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", *args]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, output[-2000:]
    counted = re.search(r": (\d+)$", output, re.MULTILINE)
    assert counted is not None
    assert int(counted[1]) == COUNT
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def test_collecting_100_000_questions(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/conftest.py").write_text(EMPTY)
    (tmp_path / "empty/all.empty").write_text("")
    (tmp_path / "ours").mkdir()
    text = SUITE.format(languages='["python"]', count=COUNT, prompting='["direct"]')
    (tmp_path / "ours/all.suite.toml").write_text(text)
    empty, ours = [], []
    for _ in range(ROUNDS):
        empty.append(collect(tmp_path / "empty"))
        ours.append(collect(tmp_path / "ours", "--model=baseline:truth"))
    times = [b[0] / a[0] for a, b in zip(empty, ours, strict=True)]
    memories = [b[1] / a[1] for a, b in zip(empty, ours, strict=True)]
    print(
        f"\ncollecting {COUNT:,} items, median of {ROUNDS} rounds\n"
        f"empty custom items {median(a[0] for a in empty):6.1f} s {median(a[1] for a in empty):6.0f} MB\n"
        f"questions          {median(b[0] for b in ours):6.1f} s {median(b[1] for b in ours):6.0f} MB\n"
        f"ratio              {median(times):6.2f}   {median(memories):6.2f}      (target 1.30)"
    )
