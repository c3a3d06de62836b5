"""What tests of users do that a search must bear, or refuse."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.fuzzing.conftest import Fuzzed
from tests.session.conftest import Project

ASKED = """
P = Program.from_source(language="python", source="def f(n):\\n    return n + 1\\n", call="f(1)")
"""


@pytest.mark.slow
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


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "test",
    [
        "@given(n=st.integers())\ndef test_nothing(n, codereason):\n    pass\n",
        "def test_nothing(codereason):\n    pass\n",
    ],
    ids=["a search", "a plain test"],
)
def test_a_test_that_asks_nothing_is_inconclusive(fuzzed: Fuzzed, test: str, strict: bool) -> None:
    result, requests = fuzzed.ask(test, None, *(["--eval-strict"] if strict else []))
    assert requests == 0
    result.stdout.fnmatch_lines(["*test_fuzz.py::test_nothing: inconclusive*nothing was asked*"])
    assert result.ret == (1 if strict else 0)
    assert ("1 failed" if strict else "1 inconclusive") in result.outlines[-1]


@pytest.mark.parametrize(
    ("axis", "complaint"),
    [
        ('promting="cot"', "'promting' cannot be set (did you mean 'prompting'?): output-prediction takes prompting,"),
        ('prompting="cott"', "'prompting' cannot be 'cott' (did you mean 'cot'?): it takes direct, cot"),
    ],
)
def test_an_axis_that_cannot_be_is_said_with_what_was_meant(fuzzed: Fuzzed, axis: str, complaint: str) -> None:
    result, requests = fuzzed.ask(ASKED + f"def test_plain(codereason):\n    codereason.ask(P, {axis})\n")
    assert requests == 0
    assert complaint in " ".join(result.stdout.str().split())


HIDDEN = "raise ModuleNotFoundError(\"No module named 'hypothesis'\", name='hypothesis')\n"


@pytest.fixture
def without_hypothesis(project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hypothesis is not installed, for processes that begin from now on."""
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare/hypothesis.py").write_text(HIDDEN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "bare"), prepend=os.pathsep)


@pytest.mark.slow
@pytest.mark.usefixtures("without_hypothesis")
@pytest.mark.parametrize("imports", ["from hypothesis import given", "from pytest_codereason import strategies"])
def test_without_hypothesis_a_fuzz_file_says_what_to_install(project: Project, imports: str) -> None:
    (project.path / "fuzz.py").write_text(f"{imports}\ndef test_reads(codereason):\n    pass\n")
    result = project.run_fresh("-pno:hypothesispytest", "fuzz.py", "--model=baseline:truth")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["fuzz.py needs Hypothesis: pip install 'pytest-codereason[[]fuzz]'"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.usefixtures("without_hypothesis")
def test_a_test_of_another_project_fails_as_pytest_says_it(project: Project) -> None:
    (project.path / "test_theirs.py").write_text("from hypothesis import given\n")
    result = project.run_fresh("-pno:hypothesispytest", "test_theirs.py")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*No module named 'hypothesis'"])
    assert "needs Hypothesis" not in result.stdout.str()


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
