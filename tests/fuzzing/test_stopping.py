"""A search that is stopped by hand, and one that stops the session."""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter

import pytest

from tests.fuzzing.blind import IgnoresElif, blind
from tests.fuzzing.conftest import READS, Fuzzed, shipped
from tests.servers import Server
from tests.session.background import Waiter, background


@pytest.mark.slow
def test_ctrl_c_ends_a_search_and_the_next_run_goes_on(fuzzed: Fuzzed) -> None:
    fuzzed.test(READS)
    with Server(blind(), latency_s=0.2) as server:
        command = "--model=openai:scripted", f"--model-url={server.url}", "--eval-fuzz-requests=60"
        process = background(fuzzed.project, *command)
        Waiter().until(lambda: len(server.requests) >= 20)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=60)[0].decode()
        assert process.returncode == 2, output
        assert "hypothesis" not in output.partition("plugins:")[2].partition("\n")[2], output
        assert "interrupted: the answers so far are kept" in output
        assert not (fuzzed.path / "reports/found").exists()
        result = fuzzed.project.run(*command)
        assert result.ret == 0
        result.stdout.fnmatch_lines(["*test_reads: no counterexample in *; * answers from the store"])
        conversations = Counter(json.dumps(request.messages) for request in server.requests)
    assert sum(conversations.values()) - len(conversations) <= server.peak, "only what was in flight is asked again"


@pytest.mark.slow
def test_x_ends_the_session_at_the_first_counterexample(fuzzed: Fuzzed) -> None:
    fuzzed.test(READS + READS.replace("test_reads", "test_later"))
    with Server(blind(IgnoresElif)) as server:
        result = fuzzed.run(server, "-x", "--eval-fuzz-shrink=10")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_reads: a counterexample in *", "*stopping after 1 failures*"])


@pytest.mark.slow
def test_init_writes_the_fuzz_files_and_they_are_run_where_named(fuzzed: Fuzzed) -> None:
    process = fuzzed.project.pytester.run(sys.executable, "-m", "pytest_codereason.cli", "init", "suites")
    assert process.ret == 0, process.outlines
    for name in ("fuzz_reading.py", "fuzz_misleading.py"):
        assert (fuzzed.path / "suites" / name).read_text() == shipped(name).read_text()
    result = fuzzed.project.run(
        "suites/fuzz_reading.py", "-k", "test_output and not four", "--model=baseline:truth", "--eval-fuzz-requests=20"
    )
    result.assert_outcomes(passed=1, deselected=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_flaky_model_has_no_counterexample(fuzzed: Fuzzed, seed: int) -> None:
    result, _ = fuzzed.ask(READS, blind(wrong=0.2), f"--eval-seed={seed}")
    assert result.ret == 0
    assert not (fuzzed.path / "reports/found").exists()
