"""Every fault of a long run, injected: what the model did counts, and what the machine did is asked again.

These faults need signals, other processes or a small disk, and are tested elsewhere:

- Ctrl-C, SIGTERM: ``test_a_stopped_run_keeps_what_is_in_flight`` in test_endpoint.py, test_workers.py, test_stopping.py
- a worker or the controller killed: ``test_a_dead_worker_is_replaced``, ``test_a_killed_run`` in test_endpoint.py
- a full disk, two sessions with one store: ``test_a_full_disk``, ``test_two_runs_at_once`` in test_endpoint.py
- all workers wait for ``Retry-After``: test_workers.py; all faults in one long run: test_soak.py
"""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine import sending
from pytest_codereason.engine.retries import Patience
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.sandbox import keeper_process
from tests.servers import (
    Body,
    Disruption,
    Server,
    context_exceeded,
    error,
    fields,
    finished,
    malformed,
    no_choices,
    no_quota,
    no_usage,
    overloaded,
    rate_limited,
    reset,
    silence,
)
from tests.session.background import args, count_rows
from tests.session.conftest import Project

#: Questions of the suite. Half of them are in PHP.
QUESTIONS = 6


@pytest.fixture(autouse=True)
def _environment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key, a suite, and patience that is soon spent."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    patience = partial(Patience, attempts=3, first_wait_s=0.01, longest_wait_s=0.2, total_s=1.0)
    monkeypatch.setattr(sending, "Patience", patience)
    project.suite(count=QUESTIONS // 2)


class Striking:
    """Strikes requests about PHP until it is healed."""

    def __init__(self, fault: Disruption) -> None:
        self._fault = fault
        self.healed = False

    def __iter__(self) -> Iterator[Disruption | None]:
        while True:
            yield None if self.healed else self._fault


def about_php(body: Body) -> bool:
    return "php" in json.dumps(body["messages"]).lower()


def strike(fault: Disruption) -> Striking:
    return Striking(Disruption(**{**vars(fault), "when": about_php}))


def outcomes(project: Project) -> Counter[tuple[str, str]]:
    return Counter((row["language"], row["outcome"]) for row in project.records())


def read_summary(project: Project) -> Any:
    """The figures of the one model."""
    summary = json.loads((project.path / "reports/latest/summary.json").read_text())
    return summary["suites"]["small"]["models"]["openai:scripted"]


def check_partial(project: Project, result: pytest.RunResult) -> None:
    """The run says that it is incomplete, and no figure counts a question without an answer."""
    counted, folder = outcomes(project), project.path / "reports/latest"
    errors = sum(many for (_, outcome), many in counted.items() if outcome == "error")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["PARTIAL  the run is incomplete", "incomplete; to continue, run again: pytest *"])
    if errors:
        result.stdout.fnmatch_lines([f"*{errors} unanswered, excluded from every score*"])
    result.stdout.no_fnmatch_line("*missed*")
    figures = read_summary(project)
    assert figures["counts"]["error"] == errors
    assert figures["counts"]["scored"] == figures["metrics"]["exact"]["n"] == counted.total() - errors
    assert not project.run_json()["complete"]
    assert all("incomplete" in (folder / name).read_text() for name in ("summary.md", "report.html"))


PASSING = {
    "429 with Retry-After": rate_limited("0.05"),
    "429": rate_limited(None),
    "500": overloaded(500),
    "503": overloaded(503),
    "reset": reset(60),
    "malformed JSON": malformed(),
    "empty choices": no_choices(),
    "an error in a choice": Disruption(edit=lambda body: body["choices"][0].update(error={"code": 502})),
    "an error beside choices": Disruption(edit=lambda body: body.update(error={"message": "the provider died"})),
    "silence": silence(),
}
LASTING = {
    "quota exhausted": no_quota(),
    "401": error(401, "Incorrect API key", code="invalid_api_key"),
    "403": error(403, "forbidden"),
    "404": error(404, "The model does not exist", code="model_not_found"),
}


#: The others differ from these in the server's words only.
QUICK = ("reset", "an error in a choice", "quota exhausted")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in (*PASSING, *LASTING)]
)
def test_a_failure_of_the_endpoint_leaves_every_figure_and_is_asked_again(project: Project, name: str) -> None:
    striking = strike({**PASSING, **LASTING}[name])
    with Server(script=striking) as server:
        command = args(server, "--eval-concurrency=1", "--model-arg=idle_timeout=0.5")
        check_partial(project, project.run(*command))
        assert set(outcomes(project)) <= {("python", "correct"), ("python", "error"), ("php", "error")}
        first = len(server.requests)
        answers = count_rows("answers")
        if name in LASTING:
            assert first - answers == 1, "nothing more is sent"
        else:
            assert outcomes(project) == {("python", "correct"): QUESTIONS // 2, ("php", "error"): QUESTIONS // 2}
            assert QUESTIONS // 2 < first - answers <= 10 * QUESTIONS, "retries, and an end of them"
        striking.healed = True
        assert project.run(*command).ret == 0
        assert len(server.requests) - first == QUESTIONS - answers, "answers are paid for once"
    assert outcomes(project) == {("python", "correct"): QUESTIONS // 2, ("php", "correct"): QUESTIONS // 2}


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (fields(content=None, refusal="I cannot help with that."), "refused"),
        (fields(content=[{"type": "refusal", "refusal": "I cannot help with that."}]), "refused"),
        (finished("content_filter", None), "refused"),
        (finished("length", "[1, 2"), "truncated"),
        (context_exceeded(), "too-long"),
        (finished("stop", "no idea"), "invalid"),
        (fields(content=[{"type": "thinking", "thinking": "[88, 69]"}]), "invalid"),
        (fields(content=[{"type": "image_url", "image_url": {"url": "data:,"}}]), "invalid"),
    ],
    ids=["refusal", "part", "content filter", "length", "context too long", "no answer", "thinking", "image"],
)
def test_what_the_model_does_counts_in_a_column_of_its_own(project: Project, fault: Disruption, outcome: str) -> None:
    with Server(script=strike(fault)) as server:
        result = project.run(*args(server))
        assert len(server.requests) == QUESTIONS, "it is asked once"
    assert result.ret == 0
    assert outcomes(project) == {("python", "correct"): QUESTIONS // 2, ("php", outcome): QUESTIONS // 2}
    figures = read_summary(project)
    assert (figures["counts"][outcome], figures["counts"]["scored"]) == (QUESTIONS // 2, QUESTIONS)
    assert (figures["metrics"]["exact"]["value"], figures["metrics"]["exact"]["n"]) == (0.5, QUESTIONS)
    result.stdout.fnmatch_lines([f"*{outcome} {QUESTIONS // 2}*"])


def test_usage_that_is_missing_is_unknown(project: Project) -> None:
    price = ("--model-arg=price_in=1000", "--model-arg=price_out=1000")
    with Server(script=strike(no_usage())) as server:
        assert project.run(*args(server, *price)).ret == 0
    for row in project.records():
        known = row["language"] == "python"
        assert (row["cost"] is not None) == known
        assert all((count is not None) == known for count in (row["usage"]["prompt"], row["usage"]["completion"]))


@pytest.mark.parametrize("option", ["report", "store"])
def test_a_folder_that_cannot_be_written_is_said_before_the_first_request(project: Project, option: str) -> None:
    (project.path / "taken").write_text("")
    with Server() as server:
        result = project.run(*args(server, f"--eval-{option}=taken/folder"))
        assert not server.requests
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *taken*"])


def test_a_damaged_row_is_asked_again(project: Project) -> None:
    striking = strike(no_quota())
    with Server(script=striking) as server:
        command = args(server, "--eval-concurrency=1")
        check_partial(project, project.run(*command))
        first, answers, striking.healed = len(server.requests), count_rows("answers"), True
        path = Path(os.environ["CODEREASON_CACHE"]) / "store/answers.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("UPDATE answers SET body = replace(body, '[', '[9') WHERE rowid = 1")
        assert project.run(*command).ret == 0
        assert len(server.requests) - first == QUESTIONS - answers + 1
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("SELECT count(*) FROM damaged").fetchone() == (1,)
    assert {outcome for _, outcome in outcomes(project)} == {"correct"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        "ALTER TABLE answers RENAME COLUMN body TO content",
        "ALTER TABLE leases RENAME COLUMN owner TO holder",
        "ALTER TABLE runs RENAME COLUMN opened TO started",
        "ALTER TABLE texts RENAME COLUMN body TO content",
        "ALTER TABLE stops RENAME COLUMN reason TO word",
        "ALTER TABLE asked RENAME COLUMN run TO r",
        "ALTER TABLE processes RENAME COLUMN beat TO b",
        "ALTER TABLE sent RENAME COLUMN requests TO r",
        "ALTER TABLE ledgers RENAME COLUMN spent TO s",
        "ALTER TABLE pauses RENAME COLUMN until TO u",
    ],
)
@pytest.mark.parametrize("workers", [(), ("-n1",)])
def test_a_store_that_is_damaged_ends_in_sentences(project: Project, damage: str, workers: tuple[str, ...]) -> None:
    folder = Path(os.environ["CODEREASON_CACHE"]) / "store"
    Store(folder).close()
    with closing(sqlite3.connect(folder / "answers.sqlite")) as db:
        db.execute(damage)
    with Server() as server:
        price = ("--model-arg=price_in=1", "--model-arg=price_out=1", "--eval-max-cost=1")
        result = project.run(*args(server, *price, *workers))
    said = result.stdout.str() + result.stderr.str()
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert result.ret == 0 or "answers.sqlite" in said


class AtFirstQuestion:
    """A plugin that does something when the first question is due."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        self._act()


def test_a_sandbox_that_does_not_start_is_never_a_wrong_answer(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.suite(count=QUESTIONS // 2, languages=("python",), more='perturbation = ["none", "comments"]\n')

    def end_sandbox() -> None:
        monkeypatch.setattr(keeper_process, "PYTHON", "/nowhere/python")
        for keeper in [value for value in gc.get_objects() if isinstance(value, keeper_process.Keeper)]:
            keeper.process.kill()

    with Server() as server:
        result = project.pytester.runpytest_inprocess(*args(server), plugins=[AtFirstQuestion(end_sandbox)])
        check_partial(project, result)
        assert outcomes(project) == {("python", "correct"): QUESTIONS // 2, ("python", "error"): QUESTIONS // 2}
        assert len(server.requests) == QUESTIONS // 2, "a program that was not run is not asked about"


@pytest.mark.slow
def test_a_grammar_that_is_missing_is_said_before_the_first_request(project: Project) -> None:
    project.pytester.makeconftest("import sys\nsys.modules['tree_sitter_php'] = None")
    project.suite(count=QUESTIONS // 2, languages=("php",), more='perturbation = ["comments"]\n')
    with Server() as server:
        result = project.run_fresh(*args(server))
        assert not server.requests
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: *tree_sitter_php*"])


def test_a_clock_that_is_set_changes_no_duration(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time
    plugin = AtFirstQuestion(lambda: monkeypatch.setattr(time, "time", lambda: now() - 86_400))
    assert project.pytester.runpytest_inprocess("--model=baseline:truth", plugins=[plugin]).ret == 0
    assert 0 < project.run_json()["wall_s"] < 3600
