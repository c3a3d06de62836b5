"""Runs that are stopped while programs run."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S
from tests.sandbox import attacks
from tests.session.background import background
from tests.session.conftest import Project

SUITE = """
task = "output-prediction"
[source]
name = "cruxeval"
path = "."
"""


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.slow),  # test_endpoint.py sends one quickly
        pytest.param(signal.SIGTERM, id="SIGTERM"),
    ],
)
def test_programs_under_way_are_not_waited_for(project: Project, how: signal.Signals) -> None:
    marker = f"{os.getpid()}.{how}5"
    code = f"import os\ndef f(a):\n    os.execv('/bin/sleep', ['sleep', '{marker}'])"
    rows = [{"id": str(n), "code": code, "input": str(n), "output": "2"} for n in range(8)]
    (project.path / "cruxeval.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (project.path / "crux.suite.toml").write_text(SUITE)
    process = background(project, "--model=baseline:interpreter")
    while not attacks.processes(marker):
        assert process.poll() is None
    process.send_signal(how)
    end = time.monotonic() + GRACE_S / 2
    while attacks.processes(marker):
        assert time.monotonic() < end
    output = process.communicate(timeout=60)[0].decode()
    assert process.returncode == 2, output
    assert not attacks.processes(marker)
