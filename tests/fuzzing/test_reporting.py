"""What a user sees of a search, and how it goes with the rest of pytest."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

from tests.fuzzing.blind import blind
from tests.fuzzing.conftest import Fuzzed, shipped
from tests.fuzzing.words import LARGE, large
from tests.servers import Server

FALLS = """
class Case:
    perturbation = "comments(strength=1)"
    original = Program.from_source(language="python", source="def f(n):\\n    return n\\n", call="f(7)")
    def changed(self, asks):
        return self.original.replace_source("def f(n):\\n    # It returns 8.\\n    return n\\n")

@given(st.just(Case()))
def test_survives(codereason, case):
    codereason.survives(case)
"""


def text(result: pytest.RunResult) -> str:
    return "\n".join([*result.outlines, *result.errlines])


@pytest.mark.slow
def test_a_counterexample_is_one_report(fuzzed: Fuzzed) -> None:
    result, requests = fuzzed.ask(LARGE, large())
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "openai:scripted answers wrong: expected 12, got 1200",
            "program:",
            "    def f(n):",
            "        return n",
            "    f(12)",
            "expected 12, got 1200 (wrong, 6 times out of 6)",
            "seed 0 · found with * requests, shrunk with * more",
            "again: pytest reports/found/test_found_reads_*.py --model=openai:scripted",
            "* fuzzing *",
            f"test_fuzz.py::test_reads: a counterexample in * questions, {requests} requests; pytest reports/found/*",
            "FAILED test_fuzz.py::test_reads - Failed: openai:scripted answers wrong: *",
        ],
        consecutive=False,
    )
    for noise in ("Traceback", "reproduce_failure", "hypothesis/", "git apply", "entries are hidden", "Flaky"):
        assert noise not in text(result)


def test_a_change_is_shown_as_a_diff(fuzzed: Fuzzed) -> None:
    result, _ = fuzzed.ask(FALLS, large())
    result.stdout.fnmatch_lines(
        [
            "openai:scripted answers right, but wrong after comments(strength=1): expected 7, got 700",
            "original:",
            "expected 7, got 7 (right, 3 times out of 3)",
            "changed by comments(strength=1):",
            "expected 7, got 700 (wrong, 6 times out of 6)",
            "    +    # It returns 8.",
        ]
    )
    result.stdout.no_fnmatch_line("the question:")  # program and call say it all
    assert fuzzed.read_counterexample()["CHANGED"].source.count("It returns 8") == 1


@pytest.mark.parametrize("test", [LARGE, FALLS], ids=["ask", "survives"])
@pytest.mark.slow
def test_what_is_written_fails_until_the_model_is_right(fuzzed: Fuzzed, test: str) -> None:
    fuzzed.ask(test, large())
    path = str(fuzzed.read_counterexample()["path"])
    with Server(large()) as server:
        result = fuzzed.run(server, path)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["*expected *, got *"] if test == LARGE else ["the change:", "    +*"])
    with Server(blind()) as server:
        assert fuzzed.run(server, path).ret == 0


KEPT = """
from pytest_codereason.fuzzing import Pair
BEFORE, AFTER = (
    Program.from_source(language="python", source=f"def f(n):\\n    return n{comment}\\n", call="f(1)")
    for comment in ("", "  # It returns 8.")
)

def test_found(codereason):
    codereason.survives(Pair(BEFORE, AFTER, "comments"))
"""


@pytest.mark.slow
def test_a_kept_counterexample_says_nothing_of_a_model_that_is_wrong_about_the_original(fuzzed: Fuzzed) -> None:
    wrong = [lambda *_: "[ANSWER]assert f(1) == -7[/ANSWER]", lambda *_: "I like cheese."]
    ends = [
        "the original was not answered right, so",
        "the original was not answered right (1 has no readable answer)*",
    ]
    for answer, end in zip(wrong, ends, strict=True):
        result, _ = fuzzed.ask(KEPT, answer)
        assert result.ret == 0
        result.stdout.fnmatch_lines([f"test_fuzz.py::test_found: inconclusive: {end}*", "*1 inconclusive*"])
        result, _ = fuzzed.ask(KEPT, answer, "--eval-strict")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines([f"test_fuzz.py::test_found: inconclusive: {end}*"])


@pytest.mark.slow
def test_answers_from_the_store_are_said(fuzzed: Fuzzed) -> None:
    fuzzed.test(KEPT)
    with Server(blind()) as server:
        first, second = fuzzed.run(server), fuzzed.run(server, "--eval-reuse=7d")
        assert (first.ret, second.ret, len(server.requests)) == (0, 0, 2)
    first.stdout.no_fnmatch_line("*from the store*")
    second.stdout.fnmatch_lines(["test_fuzz.py::test_found: judged with 2 answers from the store"])


def test_records_that_cannot_be_written_are_a_warning(fuzzed: Fuzzed) -> None:
    (fuzzed.path / "file").write_text("")
    result, requests = fuzzed.ask(KEPT, None, f"--eval-report={fuzzed.path / 'file' / 'run'}")
    assert (result.ret, requests) == (0, 2)
    result.stdout.fnmatch_lines(["*the records cannot be written: *file*"])


@pytest.mark.slow
def test_a_mistake_in_one_test_lets_the_others_be_asked_anew(fuzzed: Fuzzed) -> None:
    mistakes = """
def test_sideways(codereason):
    codereason.ask(BEFORE, prompting="sideways")

def test_misspelt(codereason):
    codereason.survives(Pair(BEFORE, AFTER, "comments"), task="output-predicton")

def test_alone(codereason):
    codereason.survives(BEFORE)
"""
    fuzzed.test(KEPT + mistakes)
    with Server(blind()) as server:
        results = [fuzzed.run(server) for _ in range(2)]
        assert len(server.requests) == 4
    for result in results:
        result.assert_outcomes(passed=1, errors=3)
        result.stdout.fnmatch_lines(
            [
                "the test cannot ask this: 'prompting' cannot be 'sideways'*",
                "the test cannot ask this: *did you mean 'output-prediction'*",
                "the test cannot ask this: survives() takes a program with its change*",
            ]
        )


@pytest.mark.slow
def test_every_answer_is_a_record(fuzzed: Fuzzed) -> None:
    _, requests = fuzzed.ask(LARGE, large(), "--eval-report=out")
    records = [json.loads(line) for line in (fuzzed.path / "out/fuzz.jsonl").read_text().splitlines()]
    assert len(records) == requests
    assert {record["outcome"] for record in records} == {"correct", "wrong"}
    assert {record["test"] for record in records} == {"test_fuzz.py::test_reads"}
    assert list((fuzzed.path / "out").glob("test_found_*.py"))


@pytest.mark.slow
def test_workers_report_as_one_process_does(fuzzed: Fuzzed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    fuzzed.test(LARGE + FALLS)
    with Server(large()) as server:
        result = fuzzed.project.run_fresh(
            "-n2", "--junitxml=out.xml", "--model=openai:scripted", f"--model-url={server.url}"
        )
    assert result.ret == 1
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["* fuzzing *", "test_fuzz.py::*: a counterexample in *"])
    failures = [failure.text or "" for failure in ET.parse(fuzzed.path / "out.xml").iter("failure")]
    assert len(failures) == 2
    assert all("seed 0" in failure for failure in failures)
    assert len({path.parent for path in fuzzed.path.glob("reports/*/fuzz.jsonl")}) == 1


@pytest.mark.slow
def test_other_ways_to_write_a_test(fuzzed: Fuzzed) -> None:
    result, _ = fuzzed.ask(
        """
NUMBERS = st.integers(0, 5)

def asked(number):
    return Program.from_source(language="python", source="def f(n):\\n    return n\\n", call=f"f({number})")

class TestClass:
    @pytest.mark.parametrize("more", [1, 2])
    @example(number=3)
    @settings(max_examples=5)
    @given(number=NUMBERS)
    def test_method(self, number, more, codereason):
        assert codereason.ask(asked(number + more)).correct

@settings(max_examples=5)
@given(data=st.data())
def test_draws_after_an_answer(data, codereason):
    assert codereason.ask(asked(data.draw(NUMBERS))).correct
    assert codereason.ask(asked(data.draw(NUMBERS))).correct

@settings(max_examples=5)
@given(number=NUMBERS)
def test_assumes_after_an_answer(number, codereason):
    assume(codereason.ask(asked(number)).correct and number % 2)

def test_plain(codereason):
    assert codereason.ask(asked(1)).answer == "1"

def test_plain_that_cannot_be_asked(codereason):
    codereason.ask(Program.from_source(language="python", source="def f(n):\\n    return m\\n", call="f(1)"))

@settings(max_examples=5)
@given(number=NUMBERS)
def test_wrong_by_itself(number, codereason):
    codereason.ask(asked(number))
    assert number < 0

@settings(max_examples=5)
@given(number=NUMBERS)
def test_unknown(number, codereason):
    codereason.ask(asked(number), prompting="sideways")
""".replace("NUMBERS =", "import pytest\nNUMBERS =", 1)
    )
    result.assert_outcomes(passed=5, failed=1, skipped=1, errors=1)
    result.stdout.fnmatch_lines(
        ["the test cannot ask this: 'prompting' cannot be 'sideways'*", "*assert number < 0", "E * assert 0 < 0"]
    )


@pytest.mark.slow
def test_without_a_model_it_is_skipped_and_with_two_each_is_asked(fuzzed: Fuzzed) -> None:
    fuzzed.test(LARGE)
    result = fuzzed.project.run("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*no model: give --model=PROVIDER:NAME"])
    result = fuzzed.project.run("--model=baseline:truth", "--model=baseline:interpreter", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_reads[[]baseline:truth[]] PASSED*"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fuzz_reading.py", "fuzz_misleading.py"])
def test_the_shipped_suites_find_nothing_against_the_truth(fuzzed: Fuzzed, name: str) -> None:
    (fuzzed.path / name).write_text(shipped(name).read_text())
    result = fuzzed.project.run(name, "--model=baseline:truth", "--eval-fuzz-requests=4")
    assert result.ret == 0, text(result)
    assert "failed" not in text(result)
