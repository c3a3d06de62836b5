"""``--eval-batch``: half the price, and nothing is paid twice or lost, whatever ends a run."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Mapping

import pytest

from pytest_codereason.cli import main
from pytest_codereason.engine.posting.courier import Pace
from pytest_codereason.engine.retries import Patience
from tests.batch_servers import BatchServer, Plan
from tests.servers import (
    Disruption,
    Server,
    context_exceeded,
    error,
    finished,
    malformed,
    no_usage,
    rate_limited,
    reset,
)
from tests.session.background import Waiter, args, background, count_outcomes, count_rows
from tests.session.batched import ADAPTIVE, ask_one_by_one, read
from tests.session.conftest import Project, usage_error

#: A reply of 200 tokens costs 20 cents by the list, and ten in a batch.
PRICED = ("--model-arg=price_in=0", "--model-arg=price_out=1000")
BATCH = "--eval-batch"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, waits in ((Patience, {"first_wait_s": 0.0}), (Pace, {"sure": 0.5, "gather": 0.2, "others": 0.05})):
        defaults = kind.__init__.__kwdefaults__  # read once, when the class was made
        assert defaults is not None
        for name, seconds in waits.items():
            monkeypatch.setitem(defaults, name, seconds)


@pytest.mark.slow
def test_a_run_by_batches_is_the_same_at_half_the_price(project: Project) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(looks=40, double=3)]) as server:
        result = project.run(*args(server, *PRICED, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert server.steps.count("create") == 1
        assert not server.requests, "nothing is asked one by one"
        (batch,) = server.batches
    assert read(project) == ask_one_by_one(project)
    rows, others = project.records(), project.records("direct")
    assert {row["latency_s"] for row in rows} == {None}
    assert sum(row["cost"] for row in rows) == pytest.approx(
        sum(row["usage"]["completion"] for row in rows) * 0.5 * 1000 / 1e6
    )
    assert project.run_json()["spent"] == pytest.approx(sum(row["cost"] for row in rows))
    assert {row["cost"] for row in others} == {None}
    result.stdout.fnmatch_lines(
        [
            "codereason: openai:scripted · in batches",
            "*at most 1,600 reply tokens, cost at most about $0.80",
            "codereason: openai:scripted answers in batches, within 24 hours, at 0.5 of its price",
            f"batch {batch}: 8 requests sent",
            f"batch {batch}: completed, 8 of 8 answered",
        ]
    )
    assert count_rows("batches") == count_rows("batched") == 0


#: Some lines of the first batch fail; all are answered in the next.
TROUBLED = {
    "missing lines": Plan(drop=3),
    "lines of the error file": Plan(unanswered=3),
    "expired with files": Plan(end="expired"),
    "expired without files": Plan(end="expired", files=False),
    "a rate limit in a line": Plan(disrupt=lambda n, _: rate_limited() if n % 2 else None),
    "a server error in a line": Plan(disrupt=lambda n, _: error(500, "broken") if n == 2 else None),
    "an error with status 200": Plan(
        disrupt=lambda n, _: Disruption(body={"error": {"message": "busy", "code": 503}}) if n < 3 else None
    ),
    "a part of an answer": Plan(disrupt=lambda n, _: finished("error") if n < 2 else None),
}


@pytest.mark.parametrize("name", TROUBLED)
@pytest.mark.slow
def test_requests_that_fail_go_into_the_next_batch(project: Project, name: str) -> None:
    project.suite(count=4)
    with BatchServer(plans=[TROUBLED[name]]) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert len(server.batches) == 2
        if name != "a part of an answer":
            assert set(server.charged.values()) == {1}
    assert read(project) == ask_one_by_one(project)


@pytest.mark.slow
def test_a_request_that_fails_three_times_is_unanswered(project: Project) -> None:
    project.suite(count=2)
    with BatchServer(plans=[Plan(drop=1)] * 3) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        assert len(server.batches) == 3
    assert count_outcomes(project) == {"correct": 3, "error": 1}


@pytest.mark.slow
def test_a_prompt_that_is_too_long_and_one_that_is_refused_are_answers(project: Project) -> None:
    project.suite(count=2)
    lines = {0: context_exceeded(), 1: finished("content_filter"), 2: finished("length"), 3: no_usage()}
    with BatchServer(plans=[Plan(disrupt=lambda n, _: lines.get(n))]) as server:
        project.run(*args(server, *PRICED, BATCH))
        assert len(server.batches) == 1
    assert count_outcomes(project) == {"too-long": 1, "refused": 1, "truncated": 1, "correct": 1}
    assert project.run_json()["spent"] > 0.1, "nobody knows what the last cost, so it counts as its most"


#: What goes wrong between us and the provider, step by step.
TROUBLES: Mapping[str, Mapping[str, list[Disruption | None]]] = {
    "429 on upload": {"upload": [rate_limited("0.01"), rate_limited(None)]},
    "HTML on upload": {"upload": [Disruption(body=b"<html>")]},
    "a lost reply to an upload": {"upload": [reset()]},
    "429 on creation": {"create": [rate_limited("0.01")]},
    "a lost reply to the creation": {"create": [reset()]},
    "HTML on creation": {"create": [Disruption(body=b"<html>")]},
    "an error with status 200 on creation": {"create": [Disruption(body={"error": {"message": "busy"}})]},
    "a bad gateway on creation": {"create": [error(502, "bad gateway")]},
    "looks that fail": {"look": [error(503, "busy"), Disruption(body=b"<html>"), reset(), malformed()]},
    "results that fail": {"content": [error(503, "busy"), Disruption(body=b"<html>"), reset()]},
}


@pytest.mark.parametrize("name", TROUBLES)
@pytest.mark.slow
def test_trouble_on_the_way_costs_nothing_twice(project: Project, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = Pace.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "first_look", 0.01)
    project.suite(count=3)
    with BatchServer(troubles=TROUBLES[name]) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert len(server.batches) == 1
        assert server.charged.total() == 6
    assert count_outcomes(project) == {"correct": 6}


@pytest.mark.parametrize("step", ["before upload", "upload", "before create", "create", "look", "content"])
@pytest.mark.slow
def test_a_run_that_is_killed_at_any_step_goes_on(project: Project, step: str) -> None:
    project.suite(count=3)
    with BatchServer() as server:
        server.hold.add(step)
        process = background(project, *args(server, BATCH))
        Waiter().until(lambda: bool(server.held))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert count_rows("batches") == 1
        server.hold.clear()
        result = project.run(*args(server, *PRICED, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert len(server.batches) == 1
        assert set(server.charged.values()) == {1}
        assert count_rows("batches") == count_rows("batched") == 0
    assert read(project) == ask_one_by_one(project)
    assert project.run_json()["spent"] == pytest.approx(sum(row["cost"] for row in project.records()))


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends(project: Project) -> None:
    """Each session dies at another step of another batch, while lines fail and batches expire."""
    project.suite(count=6)
    plans = [Plan(double=2), Plan(drop=1), Plan(end="expired")]
    with BatchServer(plans=plans) as server:
        for step in ("create", "content", "look", "upload", "create", "content"):
            server.hold.add(step)
            process = background(project, *args(server, BATCH, "--eval-concurrency=5"))
            Waiter().until(lambda: bool(server.held))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            server.hold.clear()
            server.held.clear()
        result = project.run(*args(server, BATCH, "--eval-concurrency=5"))
        assert result.ret == 0, result.stdout.str()
        assert Counter(server.charged.values()) == {1: 12}
    assert read(project) == ask_one_by_one(project)


@pytest.mark.parametrize("dialect", ["mistral", "together"])
@pytest.mark.parametrize("step", ["", "create", "look"])
@pytest.mark.slow
def test_other_dialects(project: Project, dialect: str, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes through, also after it was killed: a batch is found by its file where it carries no name."""
    monkeypatch.setenv(f"{dialect.upper()}_API_KEY", "x")
    project.suite(count=3)
    with BatchServer(dialect=dialect, plans=[Plan(unanswered=1), Plan(end="expired")]) as server:
        command = [f"--model={dialect}:scripted", f"--model-url={server.url}", BATCH]
        if step:
            server.hold.add(step)
            process = background(project, *command)
            Waiter().until(lambda: bool(server.held))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            server.hold.clear()
        result = project.run(*command)
        assert result.ret == 0, result.stdout.str()
        assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [6, 1, 1]
        assert set(server.charged.values()) == {1}


@pytest.mark.slow
def test_two_sessions_wait_for_one_batch(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=3)
    monkeypatch.setenv("OPENAI_API_KEY", "of the first")
    with BatchServer(plans=[Plan(held=True)]) as server:
        process = background(project, *args(server, BATCH, "--eval-report=first"))
        Waiter().until(lambda: "look" in server.steps)
        monkeypatch.setenv("OPENAI_API_KEY", "of the second")
        other = background(project, *args(server, BATCH, "--eval-report=second"))
        Waiter().until(lambda: server.lookers["Bearer of the second"] > 100)  # all its questions are built by then
        server.finish()
        assert [each.wait(60) for each in (process, other)] == [0, 0]
        assert len(server.batches) == 1
    for folder in ("first", "second"):
        assert count_outcomes(project, folder) == {"correct": 6}


@pytest.mark.slow
def test_ctrl_c_leaves_the_batch_and_says_so(project: Project) -> None:
    project.suite(count=3)
    with BatchServer(plans=[Plan(held=True)]) as server:
        process = background(project, *args(server, *PRICED, BATCH))
        Waiter().until(lambda: "look" in server.steps)
        process.send_signal(signal.SIGINT)
        printed = process.communicate()[0].decode()
        assert process.returncode == 2, printed
        assert "1 batch with 6 requests are under way: the same command fetches the answers" in printed
        assert project.run_json()["spent"] == 0, "whoever fetches the answers counts their cost"
        refused = usage_error_beside_reports(project, *args(server, *PRICED))
        assert "1 batch with 6 requests of this run are under way, and would be paid twice" in refused
        server.finish()
        assert project.run(*args(server, *PRICED, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}


def usage_error_beside_reports(project: Project, *arguments: str) -> str:
    result = project.run(*arguments)
    assert result.ret == 4, result.stdout.str()
    return " ".join([*result.outlines, *result.errlines])


@pytest.mark.slow
def test_a_run_ends_at_its_time_and_the_batch_goes_on(project: Project) -> None:
    project.suite(count=3)
    with BatchServer(plans=[Plan(held=True)]) as server:
        result = project.run(*args(server, BATCH, "--eval-max-time=3s"))
        assert result.ret == 1
        result.stdout.fnmatch_lines(["1 batch with 6 requests are under way: *"])
        server.finish()
        assert project.run(*args(server, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}


@pytest.mark.slow
def test_a_key_that_is_changed_stops_the_run_and_the_next_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=3)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    url = ("--model-arg=key_env=OPENAI_API_KEY",)
    with BatchServer(plans=[Plan(held=True)], key="sk-secret") as server:
        process = background(project, *args(server, BATCH, *url))
        Waiter().until(lambda: "look" in server.steps)
        server.key = "sk-another"
        printed = process.communicate()[0].decode()
        assert process.returncode == 1
        assert "check the key in OPENAI_API_KEY" in printed
        server.finish()
        monkeypatch.setenv("OPENAI_API_KEY", "sk-another")
        assert project.run(*args(server, BATCH, *url)).ret == 0
        assert set(server.charged.values()) == {1}


@pytest.mark.slow
def test_a_batch_that_fails_stops_the_run(project: Project) -> None:
    project.suite(count=2)
    failure = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "line": None}
    with BatchServer(plans=[Plan(end="failed", failure=failure)]) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        printed = " ".join(result.stdout.str().split())
        assert "failed: token_limit_exceeded: Enqueued token limit reached; --eval-concurrency=N keeps" in printed
        assert project.run(*args(server, BATCH)).ret == 0
        assert server.charged.total() == 4


def test_a_limit_divides_requests_among_batches(project: Project) -> None:
    project.suite(count=4)
    with BatchServer(most_lines=3) as server:
        assert project.run(*args(server, BATCH, "--eval-concurrency=3")).ret == 0
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes == [3, 3, 2]
        assert [step for step in server.steps if step in ("create", "content")] == ["create", "content"] * 3


@pytest.mark.parametrize(("lines", "size"), [(3, 10**6), (50, 1000)])
def test_a_batch_that_a_provider_does_not_take_is_not_paid(project: Project, lines: int, size: int) -> None:
    project.suite(count=4)
    with BatchServer(most_lines=lines, most_bytes=size) as server:
        assert project.run(*args(server, BATCH)).ret == 1
        assert not server.batches
    assert count_rows("batches") == count_rows("batched") == 0


@pytest.mark.slow
def test_a_cap_cuts_batches_and_what_is_left_is_spent_by_the_next(project: Project) -> None:
    """Each request may cost ten cents, and costs 3. Of 35 cents three are sent, of the 26 that are left two ..."""
    project.suite(count=5)
    cents = Disruption(edit=lambda body: body.update(usage={"prompt_tokens": 5, "completion_tokens": 60}))
    with BatchServer(plans=[Plan(disrupt=lambda n, _: cents)] * 20) as server:
        result = project.run(*args(server, *PRICED, BATCH, "--eval-max-cost=0.35"))
        assert result.ret == 1
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes[:3] == [3, 2, 2]
        sent = sum(sizes)
        assert 0.25 <= sent * 0.03 <= 0.35
        assert project.run_json()["spent"] == pytest.approx(sent * 0.03)
        assert "the next question may cost $0.1000, more than the $0." in " ".join(result.stdout.str().split())
        assert project.run(*args(server, *PRICED, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}
    assert Counter(row["reused"] for row in project.records()) == {True: sent, False: 10 - sent}


@pytest.mark.slow
def test_what_is_under_way_counts_for_the_cap_of_the_session_that_goes_on(project: Project) -> None:
    """Six requests of an earlier session may cost 60 cents, so a cap of 70 has room for one more."""
    project.suite(count=3)
    with BatchServer(plans=[Plan(held=True)]) as server:
        process = background(project, *args(server, *PRICED, BATCH))
        Waiter().until(lambda: "look" in server.steps)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        other = project.suite("other", count=2)
        other.write_text(other.read_text().replace("seed = 7", "seed = 8"))
        process = background(project, *args(server, *PRICED, BATCH, "--eval-max-cost=0.7"))
        Waiter().until(lambda: len(server.batches) == 2)
        (_, second) = server.batches.values()
        assert second["request_counts"]["total"] == 1
        server.finish()
        process.communicate()
        assert process.returncode == 0
        assert set(server.charged.values()) == {1}


TWICE = '''
from pytest_codereason.core import Ask, Message, Metric, Task, Verdict, ask_model


class Twice(Task):
    """Asks, and asks once more about the reply."""

    name = "twice"
    version = 1
    needs = frozenset()
    metrics = (Metric(name="exact", title="Right"),)
    template = """
=== user ===
{{ code }}
"""

    def steps(self, instance):
        messages, _ = instance.template.render([], {"code": instance.program.source})
        first = yield from ask_model(Ask(messages=messages, truth="1", guess=lambda random: "0"))
        again = (*messages, Message("assistant", first.text), Message("user", "Sure? " + instance.program.source))
        second = yield from ask_model(Ask(messages=again, truth="1", guess=lambda random: "0"))
        same = first.text == second.text
        return Verdict(outcome="correct" if same else "wrong", expected="1", metrics={"exact": float(same)})
'''


@pytest.mark.slow
def test_the_second_question_of_a_task_goes_into_a_second_batch(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "own_twice.py").write_text(TWICE)
    (project.path / "own.suite.toml").write_text(
        'task = "own_twice:Twice"\nlanguages = ["python"]\n[sampling]\ntemperature = 0.5\nsamples = 2\n'
        '[source]\nname = "semtrace"\ncount = 3\nseed = 7\n'
    )
    monkeypatch.syspath_prepend(project.path)
    with BatchServer(plans=[Plan(drop=1)]) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 0, result.stdout.str()
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes == [6, 6, 1], "the dropped request is asked beside the second questions"
    assert read(project) == ask_one_by_one(project)


@pytest.mark.slow
def test_each_round_of_an_adaptive_suite_is_a_batch_of_all_cells(project: Project) -> None:
    (project.path / "small.suite.toml").write_text(ADAPTIVE)
    with BatchServer() as server:
        result = project.run(*args(server, BATCH, "--eval-report=batched"))
        assert result.ret == 0, result.stdout.str()
        rounds = max(row["adaptive"]["round"] for row in project.records("batched"))
        assert len(server.batches) == rounds
        assert server.charged.total() == len(project.records("batched"))
    assert read(project, "batched") == ask_one_by_one(project)


@pytest.mark.slow
def test_status_lists_batches_and_cancels_them(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(held=True)]) as server:
        process = background(project, *args(server, BATCH))
        Waiter().until(lambda: "look" in server.steps)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        (batch,) = server.batches
        capsys.readouterr()
        assert main(["status"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"{batch} openai:scripted: 8 requests, sent " in shown
        assert main(["status", "--cancel", batch]) == 0
        assert f"{batch} is cancelled" in capsys.readouterr().out
        assert server.charged.total() == 4
        assert project.run(*args(server, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}
        assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [8, 4]
    assert main(["status"]) == 0
    assert "no batch is under way" in capsys.readouterr().out


@pytest.mark.slow
def test_a_batch_that_is_cancelled_while_a_run_waits_is_not_sent_again(project: Project) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(end="cancelled", looks=3)]) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        assert "was cancelled; run the same command again to ask what is left" in " ".join(result.stdout.str().split())
        assert len(server.batches) == 1
        assert project.run(*args(server, BATCH)).ret == 0
        assert server.charged.total() == 8


REFUSED = {
    "-n": (["-n2"], "--eval-batch and -n cannot go together: one process sends all batches"),
    "stop": (["--eval-stop-when-decided", "--eval-gate=small.exact > 0"], "--eval-batch and --eval-stop-when-decided"),
    "reuse": (["--eval-reuse=0"], "--eval-batch and --eval-reuse=0 cannot go together"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_go_together_is_refused(project: Project, name: str) -> None:
    project.suite()
    more, complaint = REFUSED[name]
    with BatchServer() as server:
        assert complaint in usage_error(project, *args(server, BATCH, *more))
        assert server.steps == []


def test_models_without_batches_are_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "x")
    project.suite()
    assert "deepseek:x takes no batches here" in usage_error(project, "--model=deepseek:x", BATCH)
    assert "--eval-batch has no effect" in usage_error(project, "--model=baseline:truth", BATCH)
    with Server() as server:
        complaint = usage_error(project, *args(server, BATCH))
        assert "openai:scripted: it has no batches at /batches (HTTP 404): leave --eval-batch out" in complaint
        assert not server.requests


@pytest.mark.parametrize("trouble", [error(403, "not allowed to read batches"), Disruption(body=b"<html>")])
def test_batches_that_cannot_be_listed_are_no_batches(project: Project, trouble: Disruption) -> None:
    project.suite()
    with BatchServer(troubles={"list": [trouble]}) as server:
        assert "--eval-batch: openai:scripted: " in usage_error(project, *args(server, BATCH))
        assert server.steps == ["list"]


def test_a_dry_run_counts_half_the_price_and_reaches_nobody(project: Project) -> None:
    project.suite(count=4)
    with BatchServer() as server:
        whole = project.run(*args(server, *PRICED, "--eval-dry-run"))
        half = project.run(*args(server, *PRICED, BATCH, "--eval-dry-run"))
        whole.stdout.fnmatch_lines(["  cost * $1.60"])
        half.stdout.fnmatch_lines(["  cost * $0.80"])
        assert server.steps == []


@pytest.mark.slow
def test_models_that_answer_for_nothing_are_asked_beside_the_batch(project: Project) -> None:
    project.suite(count=2)
    with BatchServer() as server:
        result = project.run(*args(server, BATCH, "--model=baseline:chance", "--eval-repeat=1/2"))
        assert result.ret == 0, result.stdout.str()
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes == [4, 2], "what is asked again goes into a second batch"
    assert Counter(row["model"] for row in project.records()) == {"openai:scripted": 6, "baseline:chance": 6}


def test_fuzz_tests_are_refused(project: Project) -> None:
    project.pytester.makepyfile("def test_it(codereason): pass")
    with BatchServer() as server:
        assert "a fuzz test asks question by question" in usage_error(project, *args(server, BATCH))
