"""The file of ``--junitxml``: a case for each gate beside those of the questions."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.session.conftest import Project


@pytest.mark.parametrize("misses", ["failures", "properties"])
def test_gates_are_cases_and_misses_fail_unless_the_user_wants_properties(project: Project, misses: str) -> None:
    project.suite(count=2, languages=("python",))
    gates = ("--eval-gate=small.exact >= 0", "--eval-gate=small.exact >= 0.9")
    project.run(
        "--model=baseline:chance", *gates, "--junitxml=j.xml", f"--eval-junit-misses={misses}", "--eval-claim=suite"
    )
    (whole,) = ElementTree.parse(project.path / "j.xml").iter("testsuite")
    failures = "1" if misses == "properties" else "3"
    assert [whole.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["4", failures, "0", "0"]
    cases = {case.get("name"): case for case in ElementTree.parse(project.path / "j.xml").iter("testcase")}
    first, second = (case for name, case in cases.items() if case.get("classname") == "codereason.gates")
    assert (first.get("name"), second.get("name")) == (
        "small.exact >= 0 (baseline:chance)",
        "small.exact >= 0.9 (baseline:chance)",
    )
    assert first.find("failure") is None
    failure = second.find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("FAIL: small.exact = 0.000")
    told = {each.get("name"): each.get("value") or "" for each in second.iter("property")}
    assert told["verdict"] == "FAIL"
    assert told["sentence"].startswith("small.exact = 0.000")
    questions = [case for case in cases.values() if case.get("classname") != "codereason.gates"]
    assert len(questions) == 2
    for case in questions:
        missed = [each.get("value") or "" for each in case.iter("property") if each.get("name") == "miss"]
        assert (case.find("failure") is None) is (misses == "properties") is bool(missed)
        assert all(value.startswith("expected ") for value in missed)
