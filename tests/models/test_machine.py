from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_codereason.models.local import machine


def test_workers_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT", raising=False)
    assert machine.count_cores() == 8
    for workers, share in (("1", 8), ("2", 4), ("3", 2), ("16", 1)):
        monkeypatch.setenv("PYTEST_XDIST_WORKER_COUNT", workers)
        assert machine.count_cores() == share


def test_a_system_that_tells_no_affinity_has_all_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.delenv("PYTEST_XDIST_WORKER_COUNT", raising=False)
    assert machine.count_cores() == os.cpu_count()


def test_a_core_that_others_use_is_not_counted() -> None:
    script = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); {work}"
    measure = "from pytest_codereason.models.local.machine import measure_cores; print(measure_cores(2))"
    process = subprocess.run(
        [sys.executable, "-c", script.format(work=measure)], capture_output=True, text=True, check=True
    )
    assert process.stdout == "1\n", "two threads share one core"


def test_there_is_always_one_core_and_never_more_than_asked() -> None:
    assert machine.measure_cores(1) == 1
    assert 1 <= machine.measure_cores(2) <= 2


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say")
def test_free_memory_is_no_more_than_there_is() -> None:
    total = next(line for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal"))
    free = machine.read_free_memory()
    assert free is not None
    assert 0 < free < int(total.split()[1]) << 10
