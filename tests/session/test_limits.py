"""Caps on money and time: a run ends cleanly at its limit, and the same command goes on."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from itertools import repeat

import pytest

from pytest_codereason.engine.limits.time_limit import TimeLimit
from pytest_codereason.engine.retries import Patience
from pytest_codereason.errors import TimeSpent
from tests.servers import Disruption, Server, context_exceeded, malformed, overloaded, solve
from tests.session.background import args, count_outcomes
from tests.session.conftest import Project, usage_error

#: A request costs 10 cents at most.
DEAR = ("--model-arg=price_in=0", "--model-arg=price_out=1000", "--model-arg=max_tokens=100")
#: Every reply has 10 tokens, so it costs one cent.
ONE_CENT = Disruption(edit=lambda body: body.update(usage={"prompt_tokens": 5, "completion_tokens": 10}))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


@pytest.mark.slow
def test_a_cap_is_used_up_to_its_edge_with_many_requests_in_flight(project: Project) -> None:
    project.suite(count=50)
    with Server(latency_s=0.002, script=repeat(ONE_CENT)) as server:
        result = project.run(*args(server, *DEAR, "--eval-max-cost=0.5"))
        sent = len(server.requests)
        assert server.peak > 1
    assert 0.40 < sent * 0.01 <= 0.50  # the next one might have cost 10 cents
    rows = project.records()
    assert sum(row["cost"] or 0 for row in rows) == pytest.approx(sent * 0.01), "what was paid for is recorded"
    assert Counter(row["outcome"] for row in rows) == {"correct": sent, "error": 1}
    assert result.ret == 1
    total = f"{sent * 0.01:.2f} (at most $10.00 were expected) for {sent} answers"
    paid = f"cost of openai:scripted: ${total}: {5 * sent} prompt tokens; {10 * sent} reply tokens"
    assert paid in " ".join(result.stdout.str().split())
    assert f"Cost of openai:scripted: ${total}: {5 * sent} " in (project.path / "reports/latest/summary.md").read_text()
    account = json.loads((project.path / "reports/latest/summary.json").read_text())["accounts"]["openai:scripted"]
    assert account == {
        "answers": sent,
        "reused": 0,
        "shared": 0,
        "cost": pytest.approx(sent * 0.01),
        "expected": pytest.approx(10.0),
        "prompt": 5 * sent,
        "cached": None,
        "completion": 10 * sent,
        "reasoning": None,
    }
    result.stdout.fnmatch_lines(["*--eval-max-cost 0.5: the next question may cost $0.1000, more than the $0.*"])
    result.stdout.fnmatch_lines(["incomplete; to continue, run again: pytest *"])


def test_what_every_model_was_paid_for_is_recorded_before_a_cap_ends_the_run(project: Project) -> None:
    """The turn of the first model comes first, but both are asked at once."""
    project.suite(count=50)
    table = '[tool.codereason.models.other]\nspec = "openai:scripted"\ntemperature = 0.5\n'
    (project.path / "pyproject.toml").write_text(table)
    with Server(latency_s=0.002, script=repeat(ONE_CENT)) as server:
        project.run(*args(server, "--model=other", *DEAR, "--eval-max-cost=0.6"))
        sent = len(server.requests)
    rows = project.records()
    assert sum(row["cost"] or 0 for row in rows) == pytest.approx(sent * 0.01)
    correct = Counter(row["model"] for row in rows if row["outcome"] == "correct")
    assert correct.total() == sent
    assert min(correct["openai:scripted"], correct["other"]) > 0
    assert Counter(row["outcome"] for row in rows)["error"] == 1, "the others were not asked"


def test_shards_divide_a_cap(project: Project) -> None:
    project.suite(count=8)
    with Server(script=repeat(ONE_CENT)) as server:
        shard = ("--eval-max-cost=0.2", "--eval-shard=2/2", "--eval-concurrency=1")
        result = project.run(*args(server, *DEAR, *shard))
        # Half of it, and the last question might have cost 10 cents: the next one may cost more than is left.
        assert len(server.requests) == 1
    said = "codereason: --eval-max-cost 0.2 is for all 2 shards: shard 2 may spend $0.1 of it"
    result.stdout.fnmatch_lines([said])


#: Every reply has 100,000 tokens and costs one dollar, whatever the request says.
ONE_DOLLAR = Disruption(edit=lambda body: body.update(usage={"prompt_tokens": 5, "completion_tokens": 100_000}))
#: A reply without a limit of tokens is expected to cost 16 cents.
UNLIMITED = ("--model-arg=price_in=0", "--model-arg=price_out=10", "--model-arg=max_tokens=0")


def test_a_reply_without_a_limit_reserves_what_the_longest_before_it_has_cost(project: Project) -> None:
    project.suite(count=10)
    with Server(latency_s=0.05, script=repeat(ONE_DOLLAR)) as server:
        result = project.run(*args(server, *UNLIMITED, "--eval-max-cost=2.5", "--eval-concurrency=4"))
        assert len(server.requests) == 2
        assert not any("max_tokens" in request.body for request in server.requests), "the model may reason"
    assert project.run_json()["spent"] == pytest.approx(2.0)
    printed = " ".join(result.stdout.str().split())
    assert "codereason: --eval-max-cost 2.5 may be passed: openai:scripted gives 20 replies without a limit" in printed
    assert "the next question may cost $1.0000, more than the $0.5000 that are left" in printed


def test_a_longer_reply_raises_what_requests_in_flight_have_reserved(project: Project) -> None:
    """After a short reply, two requests are in flight. The first long reply leaves no money for a third beside them."""
    project.suite(count=10)
    with Server(latency_s=0.05, script=[None, *repeat(ONE_DOLLAR, 20)]) as server:
        project.run(*args(server, *UNLIMITED, "--eval-max-cost=2.7", "--eval-concurrency=2"))
        assert len(server.requests) == 3


@pytest.mark.slow
def test_a_run_that_has_met_its_cap_goes_on_with_the_next_command(project: Project) -> None:
    project.suite(count=10)
    with Server(script=repeat(ONE_CENT)) as server:
        assert [project.run(*args(server, *DEAR, "--eval-max-cost=0.2")).ret for _ in range(2)] == [1, 0]
        assert len(server.requests) == 20
    assert project.run_json()["reused"] == 11


@pytest.mark.parametrize(("lost", "many"), [(malformed(), 5), (overloaded(), 12), (context_exceeded(), 6)])
@pytest.mark.slow
def test_a_reply_that_got_lost_may_have_been_paid_for(
    project: Project, lost: Disruption, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 50 cents, a lost reply takes 10. A refused request costs nothing: all six questions are asked, some twice."""
    defaults = Patience.__init__.__kwdefaults__  # read once, when the class was made
    assert defaults is not None
    monkeypatch.setitem(defaults, "first_wait_s", 0.0)
    project.suite(count=3)
    with Server(script=[*repeat(lost, 6)]) as server:
        result = project.run(*args(server, *DEAR, "--eval-max-cost=0.5", "--eval-concurrency=6"))
        assert len(server.requests) == many
    spent, told = project.run_json()["spent"], "besides, at most $0.50 for a writer's texts" in result.stdout.str()
    assert (spent > 0.4, told) == (many == 5, many == 5)


@pytest.mark.slow
def test_cached_tokens_and_reasoning_have_prices_of_their_own(project: Project) -> None:
    project.suite(count=1, languages=("python",))
    (project.path / "pyproject.toml").write_text(
        "[tool.codereason.models.mine]\nspec = 'openai:scripted'\nprice_in = 1\nprice_out = 10\n"
        "price_cached = 0.1\nprice_reasoning = 20\n"
    )
    usage = {
        "prompt_tokens": 1_000_000,
        "completion_tokens": 100_000,
        "total_tokens": 1_300_000,  # with 200,000 tokens of reasoning that completion_tokens leaves out
        "prompt_tokens_details": {"cached_tokens": 400_000},
    }
    with Server(script=[Disruption(edit=lambda body: body.update(usage=usage))]) as server:
        project.run("--model=mine", f"--model-url={server.url}")
    (row,) = project.records()
    assert row["usage"] == {"prompt": 1_000_000, "completion": 300_000, "reasoning": 200_000, "cached": 400_000}
    assert row["cost"] == pytest.approx(0.6 * 1 + 0.4 * 0.1 + 0.1 * 10 + 0.2 * 20)


@pytest.mark.slow
def test_time_ends_a_run_and_the_same_command_goes_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.suite(count=20)
    with Server(solve(), latency_s=0.05) as server:
        limited = args(server, "--eval-max-time=2m", "--eval-concurrency=2", "--eval-gate=small.exact >= 0")
        with monkeypatch.context() as patch:
            patch.setattr(TimeLimit, "left", lambda limit: 0.3)  # from the first question on
            result = project.run(*limited)
        sent = len(server.requests)
        assert 0 < sent < 40
        assert result.ret == 10, "a gate over a part is not measured"
        assert count_outcomes(project) == {"correct": sent, "error": 1}, "requests in flight are answered, and recorded"
        result.stdout.fnmatch_lines(["*--eval-max-time: the 2 minutes of this run are over*"])
        result.stdout.fnmatch_lines(["incomplete; to continue, run again: pytest *--eval-max-time=2m*"])
        server.latency_s = 0.0
        assert project.run(*limited).ret == 0
        assert len(server.requests) == 40, "no answer is paid for twice"


def test_an_answer_that_is_not_there_soon_after_the_end_is_not_waited_for() -> None:
    async def wait() -> None:
        limit = TimeLimit(seconds=5400, end=time.monotonic() - 1, grace_s=1.05)
        assert limit.left() == 0
        assert await limit.wait_for(asyncio.sleep(0, "in time")) == "in time"
        with pytest.raises(TimeSpent, match="the 90 minutes of this run are over, and no answer came in the 1"):
            await limit.wait_for(asyncio.sleep(30))

    asyncio.run(wait())


@pytest.mark.slow
def test_workers_end_at_the_time_of_the_command(project: Project) -> None:
    project.suite(count=100)
    with Server(solve(), latency_s=1.0) as server:
        result = project.run_fresh(*args(server, "--eval-max-time=6s", "--eval-concurrency=2", "-n", "2"))
        assert len(server.requests) < 30  # none, where the machine is very busy
        assert count_outcomes(project)["correct"] == len(server.requests)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*--eval-max-time: the 6 seconds of this run are over*"])


def test_a_part_of_a_price_is_refused(project: Project) -> None:
    project.suite(count=1)
    error = usage_error(project, "--model=openai:gpt-x", "--model-arg=price_cached=1", "--eval-dry-run")
    assert error == "openai:gpt-x: give both --model-arg price_in and price_out (US dollars per million tokens)"
