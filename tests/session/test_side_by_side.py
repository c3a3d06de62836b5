"""Several models of one run are asked at once, and each sees what it would see alone."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.servers import Server, solve
from tests.session.conftest import Project

MODELS = ("--model=openai:one", "--model=openai:two")


@pytest.fixture(autouse=True)
def _key(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["alone", "workers"])
def test_no_answer_comes_before_both_models_are_asked(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=6)
    in_flight = 2 * max(1, len(workers))
    with Server(models=("one", "two"), together=in_flight) as server:
        command = (
            *MODELS,
            f"--model-url={server.url}",
            f"--eval-concurrency={in_flight // 2}",
            *("-ptimeout", "--timeout=60"),
            *workers,
        )
        result = (project.run_fresh if workers else project.run)(*command)
        assert result.ret == 0, result.stdout.str()
        assert server.peak == in_flight
    rows = project.records()
    assert Counter(row["model"] for row in rows) == {"openai:one": 12, "openai:two": 12}
    if not workers:
        assert [row["model"] for row in rows] == ["openai:one"] * 12 + ["openai:two"] * 12


def test_a_run_that_ends_at_a_miss_pays_for_no_model_that_would_have_come_later(project: Project) -> None:
    project.suite(count=6)
    with Server(solve(accuracy=0.0), models=("one", "two")) as server:
        result = project.run(*MODELS, f"--model-url={server.url}", "-x")
        assert result.ret == 1
        assert {request.body["model"] for request in server.requests} == {"one"}


def test_a_model_that_is_gone_ends_no_other(project: Project) -> None:
    project.suite(count=3)

    def answer(messages: object, body: dict[str, object]) -> str:
        return solve()(messages, body)  # type: ignore[arg-type]

    with Server(answer, models=("one", "two"), lists_models=False) as server:
        server_models = ("--model=openai:one", "--model=openai:gone")
        result = project.run(*server_models, f"--model-url={server.url}")
        assert result.ret == 1
    outcomes = {(row["model"], row["outcome"]) for row in project.records()}
    assert outcomes == {("openai:one", "correct"), ("openai:gone", "error")}


@pytest.mark.slow
def test_what_one_model_is_asked_does_not_depend_on_the_other(project: Project) -> None:
    project.suite(count=8, prompting=("direct", "cot"))

    def prompts(*models: str) -> list[str]:
        with Server(solve(accuracy=0.5), models=("one", "two")) as server:
            project.run(*models, f"--model-url={server.url}", "--eval-reuse=0s", f"--eval-store=store{len(models)}")
            return sorted(json.dumps(request.body) for request in server.requests if request.body["model"] == "one")

    assert prompts(MODELS[0]) == prompts(*MODELS)
