"""What goes wrong in a batch, or on the way to its provider, costs nothing twice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pytest_codereason.engine.posting.courier import Pace
from tests.batch_servers import BatchServer, Plan
from tests.examples import mostly_slow
from tests.servers import (
    Disruption,
    context_exceeded,
    error,
    finished,
    malformed,
    no_usage,
    rate_limited,
    reset,
)
from tests.session.background import args, count_outcomes, count_rows
from tests.session.batched import BATCH, FORMS, PRICED, ask_one_by_one, read
from tests.session.conftest import Project

pytestmark = pytest.mark.usefixtures("quick_batches")


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


#: Those that each form has in its own words.
TOLD = ("missing lines", "lines of the error file", "expired without files", "an error with status 200")


@pytest.mark.parametrize(
    ("name", "form"), [(name, form) for name in TROUBLED for form in FORMS if form == "openai" or name in TOLD]
)
@pytest.mark.slow
def test_requests_that_fail_go_into_the_next_batch(project: Project, name: str, form: str) -> None:
    project.suite(count=4)
    with BatchServer(plans=[TROUBLED[name]], form=form) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert len(server.batches) == 2
        if name != "a part of an answer":
            assert set(server.charged.values()) == {1}
    assert read(project) == ask_one_by_one(project, form=form)


@pytest.mark.slow
def test_a_request_that_fails_three_times_is_unanswered(project: Project) -> None:
    project.suite(count=2)
    with BatchServer(plans=[Plan(drop=1)] * 3) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        assert len(server.batches) == 3
    assert count_outcomes(project) == {"correct": 3, "error": 1}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_a_prompt_that_is_too_long_and_one_that_is_refused_are_answers(project: Project, form: str) -> None:
    project.suite(count=2)
    lines = {0: context_exceeded(), 1: finished("content_filter"), 2: finished("length"), 3: no_usage()}
    with BatchServer(plans=[Plan(disrupt=lambda n, _: lines.get(n))], form=form) as server:
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


#: Those that end in each form's own way.
MET = ("a lost reply to the creation", "HTML on creation", "looks that fail", "results that fail")


@pytest.mark.parametrize(
    ("name", "form"), [(name, form) for name in TROUBLES for form in FORMS if form == "openai" or name in MET]
)
@pytest.mark.slow
def test_trouble_on_the_way_costs_nothing_twice(
    project: Project, name: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = Pace.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "first_look", 0.01)
    project.suite(count=3)
    with BatchServer(troubles=TROUBLES[name], form=form) as server:
        if not TROUBLES[name].keys() & {step for *_, step, _ in server.form.list_routes()}:
            pytest.skip(f"no such step in the form of {form}")
        result = project.run(*args(server, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert len(server.batches) == 1
        assert server.charged.total() == 6
    assert count_outcomes(project) == {"correct": 6}


@pytest.mark.parametrize("form", ["openai", "gemini"])
@pytest.mark.slow
def test_a_batch_that_fails_stops_the_run(project: Project, form: str) -> None:
    project.suite(count=2)
    failure = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached", "line": None}
    with BatchServer(plans=[Plan(end="failed", failure=failure)], form=form) as server:
        result = project.run(*args(server, BATCH))
        assert result.ret == 1
        printed = " ".join(result.stdout.str().split())
        code = "token_limit_exceeded: " if form == "openai" else ""
        assert f"failed: {code}Enqueued token limit reached; --eval-concurrency=N keeps" in printed
        assert project.run(*args(server, BATCH)).ret == 0
        assert server.charged.total() == 4


@pytest.mark.parametrize("form", mostly_slow(FORMS, 4))
@pytest.mark.parametrize(("lines", "size"), [(3, 10**6), (50, 1000)])
def test_a_batch_that_a_provider_does_not_take_is_not_paid(project: Project, lines: int, size: int, form: str) -> None:
    project.suite(count=4)
    with BatchServer(most_lines=lines, most_bytes=size, form=form) as server:
        assert project.run(*args(server, BATCH)).ret == 1
        assert not server.batches
    assert count_rows("batches") == count_rows("batched") == 0
