"""A batch outlives the run that sent it, however that run ends: nothing is paid twice, and nothing is lost."""

from __future__ import annotations

import os
import signal
from collections import Counter
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.batch_forms import find_server_form
from tests.batch_servers import BatchServer, Plan
from tests.examples import take_every
from tests.session.background import Waiter, args, background, count_outcomes, count_rows
from tests.session.batched import BATCH, FORMS, PRICED, ask_one_by_one, read
from tests.session.conftest import Project

pytestmark = pytest.mark.usefixtures("quick_batches")


#: Forms for what depends little on their form.
SOME = FORMS[:: take_every(2)]
#: Forms for what no form knows of.
ONE = FORMS[:: take_every(4)]
#: What a run may die of, by the form of the batches. Before a step has taken effect the server knows nothing of it,
#: whatever the form.
DEATHS = [
    (form, step)
    for form in FORMS
    for step in find_server_form(form).deaths
    if form == FORMS[0] or take_every(2) == 1 or not step.startswith("before")
]
DEATHS += [("mistral", "create"), ("together", "look")]

#: What three programs give that are asked one by one, by the form.
DIRECT: dict[str, list[dict[str, Any]]] = {}


@pytest.mark.parametrize(("form", "step"), DEATHS)
@pytest.mark.slow
def test_a_run_that_is_killed_at_any_step_goes_on(project: Project, form: str, step: str) -> None:
    project.suite(count=3)
    with BatchServer(form=form) as server:
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
    direct = DIRECT[form] = DIRECT.get(form) or ask_one_by_one(project, form=form)
    assert read(project) == direct
    assert project.run_json()["spent"] == pytest.approx(sum(row["cost"] for row in project.records()))


@pytest.mark.parametrize("form", ONE)
@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends(project: Project, form: str) -> None:
    """Each session dies at another step of another batch, while lines fail and batches expire."""
    project.suite(count=6)
    plans = [Plan(double=2), Plan(drop=1), Plan(end="expired")]
    with BatchServer(plans=plans, form=form) as server:
        for step in ("create", "content", "look", "upload", "create", "content"):
            if step not in server.form.deaths:
                continue
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
    assert read(project) == ask_one_by_one(project, form=form)


@pytest.mark.parametrize("form", ONE)
@pytest.mark.slow
def test_two_sessions_wait_for_one_batch(project: Project, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=3)
    key = f"{form.upper()}_API_KEY"
    monkeypatch.setenv(key, "of the first")
    with BatchServer(plans=[Plan(held=True)], form=form) as server:
        process = background(project, *args(server, BATCH, "--eval-report=first"))
        Waiter().until(lambda: "look" in server.steps)
        monkeypatch.setenv(key, "of the second")
        other = background(project, *args(server, BATCH, "--eval-report=second"))
        Waiter().until(lambda: server.lookers["of the second"] > 100)  # all its questions are built by then
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
        assert "1 batch with 6 requests of this run is under way: the same command fetches the answers" in printed
        assert project.run_json()["spent"] == 0, "whoever fetches the answers counts their cost"
        refused = usage_error_beside_reports(project, *args(server, *PRICED))
        assert "1 batch with 6 requests of this run is under way, and would be paid twice" in refused
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
        result.stdout.fnmatch_lines(["1 batch with 6 requests of this run is under way: *"])
        server.finish()
        assert project.run(*args(server, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}


@pytest.mark.parametrize("form", SOME)
@pytest.mark.slow
def test_a_key_that_is_changed_stops_the_run_and_the_next_goes_on(
    project: Project, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=3)
    key = f"{form.upper()}_API_KEY"
    monkeypatch.setenv(key, "sk-secret")
    url = (f"--model-arg=key_env={key}",)
    with BatchServer(plans=[Plan(held=True)], key="sk-secret", form=form) as server:
        process = background(project, *args(server, BATCH, *url))
        Waiter().until(lambda: "look" in server.steps)
        server.key = "sk-another"
        printed = process.communicate()[0].decode()
        assert process.returncode == 1
        assert f"check the key in {key}" in printed
        server.finish()
        monkeypatch.setenv(key, "sk-another")
        assert project.run(*args(server, BATCH, *url)).ret == 0
        assert set(server.charged.values()) == {1}


@pytest.mark.parametrize("form", ["openai", "anthropic", "gemini"])
@pytest.mark.slow
def test_status_lists_batches_and_cancels_them(project: Project, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(held=True)], form=form) as server:
        process = background(project, *args(server, BATCH))
        Waiter().until(lambda: "look" in server.steps)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        (batch,) = server.batches
        capsys.readouterr()
        assert main(["status"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert f"{batch} {form}:scripted: 8 requests, sent " in shown
        assert main(["status", "--cancel", batch]) == 0
        assert f"{batch} is cancelled" in capsys.readouterr().out
        assert server.charged.total() == 4
        assert project.run(*args(server, BATCH)).ret == 0
        assert set(server.charged.values()) == {1}
        assert [batch["request_counts"]["total"] for batch in server.batches.values()] == [8, 4]
    assert main(["status"]) == 0
    assert "no batch is under way" in capsys.readouterr().out


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_a_batch_that_is_cancelled_while_a_run_waits_is_not_sent_again(project: Project, form: str) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(end="cancelled", looks=3)], form=form) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        assert "was cancelled; run the same command again to ask what is left" in " ".join(result.stdout.str().split())
        assert len(server.batches) == 1
        assert project.run(*args(server, BATCH)).ret == 0
        assert server.charged.total() == 8
