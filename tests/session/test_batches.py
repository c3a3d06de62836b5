"""``--eval-batch``: the same questions, answers and records at half the price."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.batch_servers import BatchServer, Plan
from tests.session.background import args, count_rows
from tests.session.batched import ADAPTIVE, BATCH, FORMS, PRICED, ask_one_by_one, read
from tests.session.conftest import Project

pytestmark = pytest.mark.usefixtures("quick_batches")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.slow
def test_a_run_by_batches_is_the_same_at_half_the_price(project: Project, form: str) -> None:
    project.suite(count=4)
    with BatchServer(plans=[Plan(looks=40, double=3)], form=form) as server:
        result = project.run(*args(server, *PRICED, BATCH))
        assert result.ret == 0, result.stdout.str()
        assert server.steps.count("create") == 1
        assert not server.requests, "nothing is asked one by one"
        (batch,) = server.batches
    assert read(project) == ask_one_by_one(project, form=form)
    rows, others = project.records(), project.records("direct")
    assert {row["latency_s"] for row in rows} == {None}
    assert sum(row["cost"] for row in rows) == pytest.approx(
        sum(row["usage"]["completion"] for row in rows) * 0.5 * 1000 / 1e6
    )
    assert project.run_json()["spent"] == pytest.approx(sum(row["cost"] for row in rows))
    assert {row["cost"] for row in others} == {None}
    result.stdout.fnmatch_lines(
        [
            f"codereason: {form}:scripted · in batches",
            "*at most 1,600 reply tokens, cost at most about $0.80",
            f"codereason: {form}:scripted answers in batches, within 24 hours, at 0.5 of its price",
            f"batch {batch}: 8 requests sent",
            f"batch {batch}: completed, 8 of 8 answered",
        ]
    )
    assert count_rows("batches") == count_rows("batched") == 0


def test_a_limit_divides_requests_among_batches(project: Project) -> None:
    project.suite(count=4)
    with BatchServer(most_lines=3) as server:
        assert project.run(*args(server, BATCH, "--eval-concurrency=3")).ret == 0
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes == [3, 3, 2]
        assert [step for step in server.steps if step in ("create", "content")] == ["create", "content"] * 3


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
def test_models_that_answer_for_nothing_are_asked_beside_the_batch(project: Project) -> None:
    project.suite(count=2)
    with BatchServer() as server:
        result = project.run(*args(server, BATCH, "--model=baseline:chance", "--eval-repeat=1/2"))
        assert result.ret == 0, result.stdout.str()
        sizes = [batch["request_counts"]["total"] for batch in server.batches.values()]
        assert sizes == [4, 2], "what is asked again goes into a second batch"
    assert Counter(row["model"] for row in project.records()) == {"openai:scripted": 6, "baseline:chance": 6}
