"""The collection of a session: what it notes, what it refuses, and what it hands to the controller."""

from __future__ import annotations

import pytest

from tests.session.conftest import Project

ASKED = ("--model=baseline:truth", "-q")


def test_the_models_are_told_above_and_the_questions_below_the_collection(project: Project) -> None:
    project.suite(count=1)
    lines = project.run("--model=baseline:truth").outlines
    assert any(line.startswith("codereason: baseline:truth · ") for line in lines)
    assert "codereason: small 2 questions" in lines


def test_a_file_that_looks_like_a_suite_is_told(project: Project) -> None:
    project.suite(count=1)
    text = (project.path / "small.suite.toml").read_text()
    (project.path / "other.toml").write_text(text)
    lines = project.run("--model=baseline:truth", ".").outlines
    assert any(line.startswith("codereason: not asked: other.toml: ") for line in lines)


def test_a_keyword_that_selects_nothing_is_explained(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=baseline:truth", "-k", "pyhton")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert any(line.startswith("codereason: -k") and "python" in line for line in result.outlines)


def test_a_keyword_that_selects_questions_needs_no_word(project: Project) -> None:
    project.suite(count=1)
    result = project.run("--model=baseline:truth", "-k", "php")
    result.assert_outcomes(passed=1, deselected=1)
    assert not any(line.startswith("codereason: -k") for line in result.outlines)


def test_a_file_that_is_broken_or_empty_is_not_said_to_have_no_fuzz_test(project: Project) -> None:
    project.pytester.makepyfile(test_broken="def test_own(:", test_empty="")
    options = ("--model=baseline:truth", "--eval-fuzz-requests=3")
    assert project.run(*options, "test_broken.py").ret == pytest.ExitCode.INTERRUPTED
    assert project.run(*options, "test_empty.py").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_an_option_of_searches_needs_one(project: Project) -> None:
    project.suite(count=1)
    result = project.run(*ASKED, "--eval-fuzz-requests=3")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "this run has no fuzz test" in result.stderr.str()


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "1"), marks=pytest.mark.slow)])
def test_a_marker_of_no_question_ends_the_run(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=1)
    result = (
        project.run_fresh(*ASKED, "-m", "digits(n=9)", *workers)
        if workers
        else project.run(*ASKED, "-m", "digits(n=9)")
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "digit" in result.stdout.str() + result.stderr.str()


def test_a_question_named_twice_is_asked_once(project: Project) -> None:
    project.suite(count=1)
    project.pytester.makepyfile("def test_own(): pass")
    result = project.run("--model=baseline:truth", "--keep-duplicates", ".", ".")
    assert result.ret == 0
    result.assert_outcomes(passed=4, deselected=2)
    assert len(project.records()) == 2


@pytest.mark.slow
def test_programs_come_in_a_random_order_where_a_run_may_stop(project: Project) -> None:
    project.suite(count=30, languages=("python",))
    gate = ("--eval-gate=small.exact >= 99.9%", "--eval-stop-when-decided", "--eval-claim=suite")
    for more in ((), gate):
        project.run("--model=baseline:truth", "-q", *more)
        ids = [row["id"] for row in project.records()]
        assert (ids == sorted(ids)) is (not more)
        assert len(set(ids)) == 30
    project.run("--model=baseline:truth", "-q", *gate, "--eval-seed=7")
    assert [row["family"] for row in project.records()] != [name[7:11] for name in ids], "the seed decides"
