"""Runs that are stopped while programs run."""

from __future__ import annotations

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_codereason.engine.limits.time_limit import GRACE_S
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.session.running.stopping import stop_on_sigterm, stop_workers
from tests.sandbox import attacks
from tests.session.background import background
from tests.session.conftest import Project

SUITE = """
task = "output-prediction"
[source]
name = "cruxeval"
path = "."
"""


@pytest.mark.slow
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
    end = time.monotonic() + GRACE_S  # they would be ended then, if they were waited for
    while attacks.processes(marker):
        assert time.monotonic() < end
    output = process.communicate(timeout=60)[0].decode()
    assert process.returncode == 2, output
    assert not attacks.processes(marker)


def test_sigterm_ends_a_run_as_ctrl_c_does_and_the_second_at_once() -> None:
    assert stop_on_sigterm() is signal.SIG_DFL
    assert stop_on_sigterm() is None, "somebody handles it"
    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with ThreadPoolExecutor(1) as other:
        assert other.submit(stop_on_sigterm).result() is None, "only the main thread may take signals"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_workers_send_no_further_request_and_have_some_time_to_end(pytester: pytest.Pytester, tmp_path: Path) -> None:
    config, store, before = pytester.parseconfig("-p", "no:xdist"), tmp_path / "store", signal.getsignal(signal.SIGINT)
    stop_workers(config, store, "s")
    assert not store.exists(), "there is no worker"
    distributed = SimpleNamespace(nodemanager=SimpleNamespace(EXIT_TIMEOUT=10))
    config.pluginmanager.register(distributed, "dsession")
    stop_workers(config, store, "s")
    with closing(Store(store)) as opened:
        assert opened.notices.find_stop("s") == "the run is ending"
        assert not opened.notices.find_stop("another")
    assert distributed.nodemanager.EXIT_TIMEOUT == GRACE_S + 4
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL, "a second Ctrl-C ends this process at once"
    config._ensure_unconfigure()
    assert signal.getsignal(signal.SIGINT) is before
    (tmp_path / "file").touch()
    with ThreadPoolExecutor(1) as other:
        other.submit(stop_workers, config, tmp_path / "file" / "store", "s").result()
    assert signal.getsignal(signal.SIGINT) is before
