"""What a search finds, what it does not take for a finding, and where it ends."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import chain, repeat

import pytest

from pytest_codereason.engine.building import fact_checking
from tests.fuzzing.blind import Blindness, IgnoresElif, blind
from tests.fuzzing.conftest import READS, SURVIVES, Fuzzed
from tests.servers import Disruption, Server, error, no_quota, overloaded

LIMITED = "@settings(max_examples=20)\n" + READS.partition("\n")[2].partition("\n")[2]


def text(result: pytest.RunResult) -> str:
    return "\n".join([*result.outlines, *result.errlines])


@pytest.mark.parametrize("test", [READS, SURVIVES], ids=["reads", "survives"])
@pytest.mark.parametrize(
    "wrong", [pytest.param(0.0, id="perfect"), pytest.param(0.2, id="flaky", marks=pytest.mark.slow)]
)
def test_no_counterexample_where_there_is_none(fuzzed: Fuzzed, test: str, wrong: float) -> None:
    result, requests = fuzzed.ask(test, blind(wrong=wrong), "--eval-fuzz-requests=20")
    assert result.ret == 0
    assert requests == 20
    result.stdout.fnmatch_lines(
        [
            f"*no counterexample in * questions, 20 requests{'*' * (test == SURVIVES)} (stopped at the limit of 20 *",
            "answers: reports/*-fuzz/fuzz.jsonl",
        ]
    )
    assert ("changed program" in "\n".join(result.outlines)) is (test == SURVIVES)
    assert not (fuzzed.path / "reports/found").exists()


@pytest.mark.slow
def test_a_search_in_which_no_original_is_answered_right_is_inconclusive(fuzzed: Fuzzed) -> None:
    limited = "@settings(max_examples=10)\n" + SURVIVES.partition("\n")[2].partition("\n")[2]
    result, requests = fuzzed.ask(limited, lambda *_: "I would rather not say", "-rs")
    assert 0 < requests <= 10
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["*inconclusive in * requests: none of * originals was answered right*", "*1 inconclusive in *"]
    )
    assert "passed" not in text(result)
    result, _ = fuzzed.ask(limited, lambda *_: "I would rather not say", "--eval-strict")
    assert result.ret == 1


@pytest.mark.slow
def test_a_writer_of_nonsense_falls_for_nothing_and_reads_nothing(fuzzed: Fuzzed) -> None:
    def answer(*_: object) -> str:
        return "I would rather not say ` \x1b[31m {{ }}"

    result, _ = fuzzed.ask(SURVIVES, answer, "--eval-fuzz-requests=20")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*none of 20 originals was answered right*"])
    result, _ = fuzzed.ask(READS, answer)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*answers wrong: expected *, got I would rather not say*"])
    assert len(fuzzed.read_counterexample()["PROGRAM"].source.splitlines()) == 2
    assert "\x1b[31m {{" not in text(result), "control characters are shown, not obeyed"


@pytest.mark.slow
def test_a_window_wider_than_the_budget_leaves_requests_to_ask_again(fuzzed: Fuzzed) -> None:
    narrow = ("--eval-fuzz-requests=30", "--eval-fuzz-shrink=10", "--eval-concurrency=100")
    result, _ = fuzzed.ask(READS, lambda *_: "I would rather not say", *narrow)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*answers wrong: expected *"])


@pytest.mark.slow
def test_a_round_is_asked_at_once_and_no_question_twice(fuzzed: Fuzzed) -> None:
    fuzzed.test(READS)
    with Server(blind(), latency_s=0.2) as server:
        assert fuzzed.run(server, "--eval-fuzz-requests=40").ret == 0
        conversations = Counter(json.dumps(request.messages) for request in server.requests)
    assert server.peak > 8
    assert set(conversations.values()) == {1}
    assert len(conversations) == 40, "each pass draws what the one before drew"


def test_all_examples_are_tried_and_that_is_the_end(fuzzed: Fuzzed) -> None:
    result, requests = fuzzed.ask(LIMITED)
    assert result.ret == 0
    assert requests <= 20
    result.stdout.fnmatch_lines([f"*no counterexample in {requests} questions, {requests} requests"])


@pytest.mark.slow
def test_the_seed_decides_what_is_drawn(fuzzed: Fuzzed) -> None:
    conversations = []
    for seed in ("1", "1", "2"):
        fuzzed.test(LIMITED)
        with Server(blind()) as server:
            fuzzed.run(server, f"--eval-seed={seed}")
            conversations.append({json.dumps(request.messages) for request in server.requests})
    assert conversations[0] == conversations[1] != conversations[2]


@pytest.mark.slow
def test_shrinking_stops_at_its_limit_and_says_so(fuzzed: Fuzzed) -> None:
    fuzzed.test(READS)
    with Server(blind(IgnoresElif)) as server:
        result = fuzzed.run(server, "--eval-fuzz-shrink=10")
    match = re.search(
        r"found with (\d+) requests, shrunk with (\d+) more, stopped at the limit of 10 requests", text(result)
    )
    assert match
    assert int(match[2]) <= 10
    assert int(match[1]) + int(match[2]) == len(server.requests)


@pytest.mark.slow
def test_a_counterexample_of_a_flaky_model_is_asked_about_again(fuzzed: Fuzzed) -> None:
    result, _ = fuzzed.ask(READS, blind(IgnoresElif, wrong=0.2), "--eval-fuzz-requests=400")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*(*, 6 times out of 6)"])
    assert "elif" in fuzzed.read_counterexample()["PROGRAM"].source
    assert "Flaky" not in text(result)


@pytest.mark.slow
def test_money_ends_a_search(fuzzed: Fuzzed) -> None:
    price = ("--model-arg=price_in=1000", "--model-arg=price_out=1000")
    result, requests = fuzzed.ask(READS, None, "--eval-max-cost=5", *price)
    assert result.ret == 0
    assert 0 < requests < 60
    result.stdout.fnmatch_lines(["*no counterexample in * (stopped at --eval-max-cost 5)"])
    result, _ = fuzzed.ask(READS, None, "--eval-max-cost=5")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*cannot be asked: --eval-max-cost needs its price*"])


@pytest.mark.parametrize("disruption", [no_quota(), error(401, "Incorrect API key provided")], ids=["quota", "key"])
@pytest.mark.slow
def test_trouble_is_an_error_and_no_counterexample(fuzzed: Fuzzed, disruption: Disruption) -> None:
    fuzzed.test(READS)
    with Server(blind(), script=chain(repeat(None, 10), repeat(disruption))) as server:
        result = fuzzed.run(server, "-rE")
    assert result.ret == 1
    result.assert_outcomes(errors=1)
    assert "Traceback" not in text(result)
    assert "hypothesis" not in text(result).partition("= ERRORS =")[2]
    assert not (fuzzed.path / "reports/found").exists()


def test_a_dead_endpoint_is_said_in_a_line(fuzzed: Fuzzed) -> None:
    fuzzed.test(READS)
    result = fuzzed.project.run("--model=openai:scripted", "--model-url=http://127.0.0.1:9/v1")
    assert result.ret == 1
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["openai:scripted cannot be asked: *"])
    assert "Traceback" not in text(result)


@pytest.mark.slow
def test_a_server_that_stutters_is_asked_again(fuzzed: Fuzzed) -> None:
    fuzzed.test(LIMITED)
    with Server(blind(Blindness), script=[overloaded()]) as server:
        assert fuzzed.run(server).ret == 0


def test_programs_that_cannot_be_asked_about_are_counted(fuzzed: Fuzzed) -> None:
    result, requests = fuzzed.ask(
        """
BODIES = ["raise ValueError('no')", "return n", "import os; os._exit(3)"]

@settings(max_examples=60)
@given(body=st.sampled_from(BODIES))
def test_reads(body, codereason):
    program = Program.from_source(language="python", source="def f(n):\\n    " + body + "\\n", call="f(1)")
    assert codereason.ask(program).correct
"""
    )
    assert result.ret == 0
    assert requests == 1
    result.stdout.fnmatch_lines(["*no counterexample in 1 question, 1 request; passed over 2 (*)"])
    for reason in ("raises ValueError: no", "ends without a result"):
        result.stdout.fnmatch_lines([f"*{reason}*"])


@pytest.mark.slow
def test_a_program_that_does_not_end_is_passed_over(fuzzed: Fuzzed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_checking, "LIMITS", replace(fact_checking.LIMITS, cpu_s=1))
    result, requests = fuzzed.ask(
        """
@given(st.just("def f(n):\\n    while True: pass\\n"))
def test_reads(codereason, source):
    assert codereason.ask(Program.from_source(language="python", source=source, call="f(1)")).correct
"""
    )
    assert (result.ret, requests) == (0, 0)
    result.stdout.fnmatch_lines(["*passed over 1 (1 the program is stopped at the limit on cpu)"])
