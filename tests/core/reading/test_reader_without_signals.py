"""The limit of the second process where the kernel counts no processor time for a signal, as on Windows."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import re
from pytest_codereason.core.reading import reader_process
reader_process.HAS_TIMER = False
reader_process._start_timer(0.02)
{then}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "status", "output"),
    [
        ("re.match('(a+)+b', 'a' * 40)", 1, ""),  # a parser written in C, which no thread of Python interrupts
        ("reader_process._stop_timer(); import time; time.sleep(0.3); print('read')", 0, "read\n"),
    ],
    ids=["too long", "in time"],
)
def test_a_process_that_takes_too_long_ends(then: str, status: int, output: str) -> None:
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(then=then)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (process.returncode, process.stdout) == (status, output), process.stderr
