"""Runs against a real HTTP server: disruptions, resume, shared stores, limits. Every answer is paid for once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest

from tests.servers import (
    Disruption,
    Quota,
    Server,
    context_exceeded,
    error,
    finished,
    malformed,
    no_choices,
    no_quota,
    no_usage,
    overloaded,
    rate_limited,
    reset,
    solve,
)
from tests.session.background import Waiter, args, background, count_outcomes, count_rows
from tests.session.conftest import Project

#: In one process, and in two, which takes its time.
ALONE_AND_WORKERS = [
    pytest.param((), id="alone"),
    pytest.param(("-n", "2"), id="workers", marks=pytest.mark.slow),
]


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


def count_prompts(server: Server) -> Counter[str]:
    """How often each prompt came in."""
    return Counter(json.dumps(request.messages) for request in server.requests)


def test_the_second_time_misses_are_told_apart_from_hits_by_last_failed(project: Project) -> None:
    project.suite(count=10)
    with Server(solve(accuracy=0.5)) as server:
        project.run(*args(server))
        wrong = count_outcomes(project)["wrong"]
        assert 0 < wrong < 20
        project.run(*args(server, "--lf"))
        assert count_outcomes(project) == {"wrong": wrong}
        assert project.run_json()["selection"] == f"{wrong} of 20 questions"


@pytest.mark.slow
def test_passing_trouble_leaves_no_trace(project: Project) -> None:
    project.suite(count=10)
    troubles = [overloaded(), malformed(), no_choices(), reset(), rate_limited("0.1"), error(500, "oops")]
    with Server(script=[answer for trouble in troubles for answer in (trouble, None, trouble)]) as server:
        result = project.run(*args(server))
        assert result.ret == 0, result.stdout.str()
        assert count_outcomes(project) == {"correct": 20}
        assert len(server.requests) == 20 + 2 * len(troubles)


def test_what_the_model_does_is_an_outcome_of_its_own(project: Project) -> None:
    project.suite(count=4)
    script = [
        context_exceeded(),
        finished("content_filter", None),
        finished("length", "[1, 2"),
        finished("stop", "no idea"),
    ]
    with Server(script=script) as server:
        result = project.run(*args(server, "--eval-concurrency=1"))
    assert result.ret == 0
    assert count_outcomes(project) == {"too-long": 1, "refused": 1, "truncated": 1, "invalid": 1, "correct": 4}


@pytest.mark.parametrize(
    ("disruption", "complaint"),
    [
        (no_quota(), "quota"),
        (error(401, "Incorrect API key provided: sk-secret", code="invalid_api_key"), "401"),
        (error(403, "forbidden"), "403"),
        (error(404, "The model does not exist", code="model_not_found"), "404"),
    ],
    ids=["quota", "401", "403", "404"],
)
def test_what_waiting_does_not_heal_stops_the_run_at_once(project: Project, disruption: object, complaint: str) -> None:
    project.suite(count=100)
    with Server(script=repeat(disruption)) as server:  # type: ignore[arg-type]
        result = project.run(*args(server, "--eval-concurrency=4"))
        assert len(server.requests) <= 8
    assert result.ret == 1
    text = result.stdout.str()
    assert complaint in text
    assert "sk-secret" not in text
    assert "incomplete" in text
    assert set(count_outcomes(project)) == {"error"}


def test_trouble_is_never_a_miss(project: Project) -> None:
    project.suite(count=3)
    with Server(script=repeat(error(422, "bad field"))) as server:
        result = project.run(*args(server))
    assert result.ret == 1
    assert count_outcomes(project)["wrong"] == 0
    result.stdout.no_fnmatch_line("*missed*")


def test_unknown_usage_is_not_zero(project: Project) -> None:
    project.suite(count=1)
    with Server(script=repeat(no_usage())) as server:
        project.run(*args(server, "--model-arg=price_in=1", "--model-arg=price_out=1"))
    (row, _) = project.records()
    assert row["usage"]["prompt"] is None
    assert row["cost"] is None


@pytest.mark.parametrize("completion", [-(10**9), 2**70])
def test_a_false_usage_defeats_no_spending_limit(project: Project, completion: int) -> None:
    project.suite(count=50)
    price = ("--model-arg=price_in=0", "--model-arg=price_out=1000", "--model-arg=max_tokens=100")
    usage = {"prompt_tokens": 0, "completion_tokens": completion}
    with Server(script=repeat(Disruption(edit=lambda body: body.update(usage=usage)))) as server:
        result = project.run(*args(server, *price, "--eval-max-cost=2"))
        assert 10 < len(server.requests) <= 20  # of 0.1 dollars each
    assert result.ret == 1


@pytest.mark.parametrize("name", ["gpt\x1b[31m", "gpt\x9b2J", "gpt\u202e", "gpt\nPASSED"])
@pytest.mark.slow
def test_names_and_messages_of_a_server_are_shown_visibly(project: Project, name: str) -> None:
    project.suite(count=1)
    with Server(models=[name]) as server:
        listed = project.run(*args(server))
    refusal = error(401, f"no {name}")
    with Server(script=repeat(refusal)) as server:
        refused = project.run(*args(server))
    assert (listed.ret, refused.ret) == (4, 1)
    for result in (listed, refused):
        text = result.stdout.str() + result.stderr.str()
        assert name not in text
        assert repr(name)[1:-1] in text or repr(name).replace("\\n", " ")[1:-1] in text


@pytest.mark.slow
def test_concurrency_is_kept_and_shared_out(project: Project) -> None:
    project.suite(count=15)
    for more in ((), ("-n", "2")):
        with Server(latency_s=0.02) as server:
            project.run(*args(server, "--eval-concurrency=6", *more))
            assert 1 < server.peak <= 6


def test_every_sample_is_asked_for_itself(project: Project) -> None:
    project.suite(count=2, more="\n[sampling]\nsamples = 3\ntemperature = 0.5\n")
    with Server() as server:
        project.run(*args(server))
        assert set(count_prompts(server).values()) == {3}


def test_settings_reach_the_endpoint_and_the_key_of_the_answer(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    with Server() as server:
        for temperature in ("0", "0.7", "0.7"):
            project.run(*args(server, f"--model-arg=temperature={temperature}", "--eval-reuse=1h"))
        assert [request.body["temperature"] for request in server.requests] == [0, 0.7]


#: In the suite of the runs that are disturbed.
QUESTIONS = 30


@pytest.fixture
def undisturbed(project: Project) -> list[tuple[str, str, str]]:
    """Id, answer and outcome of every question of a run that nothing disturbed."""
    project.suite(count=QUESTIONS // 2)
    with Server(solve(accuracy=0.7)) as server:
        project.run(*args(server, "--eval-report=undisturbed"))
    return verdicts(project, "undisturbed")


def verdicts(project: Project, folder: str) -> list[tuple[str, str, str]]:
    return sorted((row["id"], row["answer"], row["outcome"]) for row in project.records(folder))


@pytest.mark.parametrize("workers", ALONE_AND_WORKERS)
@pytest.mark.slow
def test_a_killed_run_pays_for_nothing_twice(
    project: Project, undisturbed: list[tuple[str, str, str]], workers: tuple[str, ...]
) -> None:
    before = count_rows("answers")
    with Server(solve(accuracy=0.7), latency_s=0.1) as server:
        command = args(server, "--eval-report=out", "--eval-concurrency=4", *workers)
        process = background(project, *command)
        Waiter().until(lambda: count_rows("answers") - before >= 10)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        stored_answers = count_rows("answers") - before
        assert stored_answers < QUESTIONS
        assert project.run(*command).ret == 0
        # The server may hear of the last requests after their sender's death.
        assert QUESTIONS <= len(server.requests) <= QUESTIONS + 4, "what was in flight alone is asked again"
        assert verdicts(project, "out") == undisturbed


@pytest.mark.slow
def test_a_stopped_run_keeps_what_is_in_flight_and_says_how_to_go_on(
    project: Project, undisturbed: list[tuple[str, str, str]]
) -> None:
    before = count_rows("answers")
    with Server(solve(accuracy=0.7), latency_s=0.2) as server:
        command = args(server, "--eval-report=out", "--eval-concurrency=4")
        process = background(project, *command)
        Waiter().until(lambda: count_rows("answers") - before >= 8)
        process.send_signal(signal.SIGINT)  # running/test_stopping.py sends SIGTERM
        output = process.communicate(timeout=60)[0].decode()
        assert process.returncode == 2, output
        assert "to continue, run again: pytest" in output
        assert count_rows("answers") - before == len(server.requests), "what was in flight has landed"
        first = len(server.requests)
        assert project.run(*command).ret == 0
        assert len(server.requests) - first == QUESTIONS - first
        assert verdicts(project, "out") == undisturbed


@pytest.mark.slow
def test_two_runs_at_once_pay_for_nothing_twice(project: Project, undisturbed: list[tuple[str, str, str]]) -> None:
    with Server(solve(accuracy=0.7), latency_s=0.4) as server:  # slow enough for the second to begin in time
        more = "--eval-concurrency=3"
        runs = [background(project, *args(server, more, f"--eval-report={name}")) for name in ("a", "b")]
        for process in runs:
            output = process.communicate(timeout=120)[0].decode()
            assert process.returncode == 0, output
        assert set(count_prompts(server).values()) == {1}
        assert verdicts(project, "a") == verdicts(project, "b") == undisturbed


@pytest.mark.slow
def test_a_dead_worker_is_replaced_and_its_question_asked_once_more(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # these tests may run in a worker themselves
    project.suite(count=10)
    project.pytester.makeconftest(
        """
        import os, pathlib, pytest
        def pytest_runtest_logstart(nodeid):
            mark = pathlib.Path(__file__).with_name("died")
            worker = os.environ.get("PYTEST_XDIST_WORKER")
            if worker and "python/0003" in nodeid and not mark.exists():
                mark.touch()
                os._exit(11)
            if worker and "php/0003" in nodeid:
                os._exit(11)
        """
    )
    with Server() as server:
        result = project.run_fresh(*args(server, "-n", "2"))
    assert result.ret == 1
    assert count_outcomes(project) == {"correct": 19, "error": 1}
    result.stdout.fnmatch_lines(["*1 unanswered*the worker*"])


@pytest.mark.slow
def test_a_crashing_test_of_somebody_else_is_a_failure(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    project.suite(count=1)
    project.pytester.makepyfile(test_crash="import os\ndef test_crash(): os._exit(1)")
    with Server() as server:
        result = project.run_fresh(*args(server, "-n", "2", "--max-worker-restart=0"))
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*crashed while running*test_crash*"])


@pytest.mark.slow
@pytest.mark.parametrize("workers", ALONE_AND_WORKERS)
def test_a_lone_surrogate_is_stored_and_scored(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=1)
    with Server(lambda messages, body: "x \ud800 \x1b[31m [1, 2]") as server:
        result = (project.run_fresh if workers else project.run)(*args(server, "-v", *workers))
    assert result.ret == 0
    assert "\x1b" not in result.stdout.str()
    assert {row["response"] for row in project.records()} == {"x \ud800 \x1b[31m [1, 2]"}


@pytest.mark.parametrize("workers", ALONE_AND_WORKERS)
def test_a_stop_at_the_first_miss_is_a_failure_and_no_interruption(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=4)
    with Server(solve(accuracy=0.0)) as server:
        run = project.run_fresh if workers else project.run
        assert run(*args(server, "-x", *workers)).ret == 1


def test_a_store_that_cannot_be_written_is_said_before_the_first_request(project: Project) -> None:
    project.suite()
    (project.path / "taken").write_text("")
    with Server() as server:
        result = project.run(*args(server, "--eval-store=taken"))
        assert not server.requests
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: the answer store*--eval-store"])


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for 260 kB."""
    path = tmp_path / "tiny"
    path.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=260k", "tmpfs", str(path)], check=False, capture_output=True, text=True
    )
    if mount.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mount.stderr.strip()}")
    yield path
    subprocess.run(["umount", str(path)], check=True)


@pytest.mark.parametrize("what", ["report", "store"])
@pytest.mark.slow
def test_a_full_disk_is_said_and_the_rest_is_kept(project: Project, tiny_disk: Path, what: str) -> None:
    project.suite(count=60)
    with Server() as server:
        result = project.run(*args(server, f"--eval-{what}={tiny_disk}/{what}"))
    text = "\n".join([*result.outlines, *result.errlines])
    assert result.ret == 1
    assert "Traceback" not in text
    assert f"{tiny_disk}/{what}" in text


@pytest.mark.slow
@pytest.mark.parametrize("workers", ALONE_AND_WORKERS)
def test_a_report_folder_that_fills_up_loses_no_answer(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=QUESTIONS)
    records = project.path / "out/records.jsonl"
    quota = Quota(4)
    with Server(latency_s=0.01, script=quota) as server:
        run = args(server, "--eval-report=out", *workers)
        project.run(*args(server, "--eval-report=out", "--eval-concurrency=1"))
        quota.refill()
        server.requests.clear()
        records.unlink()
        records.symlink_to("/dev/full")
        result = project.run_fresh(*run)
        assert result.ret == 1
        result.stdout.fnmatch_lines(
            ["the run folder *out cannot be written: *No space left*; every answer is stored: free some space and *"]
        )
        assert "Traceback" not in result.stdout.str() + result.stderr.str()
        assert count_rows("answers") >= 4
        records.unlink()
        assert project.run(*run).ret == 0
        assert max(count_prompts(server).values()) == 1
    assert count_outcomes(project, "out").total() == 2 * QUESTIONS
