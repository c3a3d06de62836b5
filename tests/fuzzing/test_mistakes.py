"""What tests of users do that a search must bear, or refuse."""

from __future__ import annotations

import json

from tests.fuzzing.conftest import Fuzzed

ASKED = """
P = Program.from_source(language="python", source="def f(n):\\n    return n + 1\\n", call="f(1)")
"""


def test_what_hypothesis_offers_can_be_called_after_an_answer(fuzzed: Fuzzed) -> None:
    result, requests = fuzzed.ask(
        """
from hypothesis import event, note, target

@settings(max_examples=12)
@given(n=st.integers())
def test_reads(n, codereason):
    program = Program.from_source(language="python", source="def f(n):\\n    return n\\n", call=f"f({n})")
    answer = codereason.ask(program)
    note(answer.expected)
    event("answered")
    target(float(len(answer.expected)))
    assume(not answer.correct)
""",
        None,
        "-Werror",
    )
    assert (result.ret, requests > 1) == (0, True)


def test_tests_of_coroutines_do_not_pass_unrun(fuzzed: Fuzzed) -> None:
    result, requests = fuzzed.ask(
        """
async def test_plain(codereason):
    assert False

@given(n=st.integers())
async def test_given(n, codereason):
    assert False
"""
    )
    result.assert_outcomes(failed=2)
    assert requests == 0


def test_methods_of_every_kind_are_searched(fuzzed: Fuzzed) -> None:
    kinds = "".join(
        f"    {decorator}\n    @settings(max_examples=2)\n    @given(n=st.just(1))\n"
        f"    def test_{number}({first}n, codereason):\n        assert codereason.ask(P).correct\n"
        for number, (decorator, first) in enumerate([("", "self, "), ("@staticmethod", ""), ("@classmethod", "cls, ")])
    )
    result, _ = fuzzed.ask(f"{ASKED}\nclass TestOf:\n{kinds}")
    result.assert_outcomes(passed=3)


def test_a_plain_test_that_fails_keeps_its_records(fuzzed: Fuzzed) -> None:
    test = ASKED + "def test_plain(codereason):\n    assert not codereason.ask(P).correct\n"
    result, _ = fuzzed.ask(test, None, "--eval-report=out")
    result.assert_outcomes(failed=1)
    [record] = map(json.loads, (fuzzed.path / "out/fuzz.jsonl").read_text().splitlines())
    assert record["test"] == "test_fuzz.py::test_plain"
