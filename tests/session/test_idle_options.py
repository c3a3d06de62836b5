"""Options that would have no effect, or that replace each other: an error if typed, a note if from the ini file."""

from __future__ import annotations

import pytest

from pytest_codereason.plugin import list_typed
from tests.session.conftest import Project, usage_error

TRUTH = "--model=baseline:truth"


def test_options_are_read_as_typed() -> None:
    typed = ["s.toml", "--model", "a:b", "--eval-seed=1", "--eval-seed", "2", "--eval-strict", "--", "--eval-limit=3"]
    assert list_typed(typed) == {"--codereason-model": ["a:b"], "--eval-seed": ["1", "2"], "--eval-strict": []}


@pytest.mark.parametrize(
    "flag",
    [
        "--eval-writer-url",
        "--eval-writer",
        "--eval-report",
        "--eval-seed",
        "--eval-baseline",
        "--eval-limit",
        "--eval-max-cost",
        "--eval-reuse",
        "--eval-concurrency",
    ],
)
def test_an_option_with_one_value_is_given_once(project: Project, flag: str) -> None:
    project.suite()
    assert usage_error(project, TRUTH, f"{flag}=1", flag, "2") == f"{flag} is given twice, as 1 and as 2: keep one"


def test_the_command_line_replaces_the_ini_file(project: Project) -> None:
    project.suite(count=2)
    project.pytester.makeini("[pytest]\naddopts = --eval-limit=2\ncodereason_seed = 1\n")
    result = project.run(TRUTH, "--eval-limit=1", "--eval-seed=2", "--eval-seed=2")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["codereason: small 1 question (a part)"])


def test_an_address_that_replaces_that_of_the_ini_file_is_said(project: Project) -> None:
    project.suite()
    project.pytester.makeini("[pytest]\ncodereason_model_url = http://a/v1\n")
    result = project.run("--model=openai:x", "--model-url=http://b/v1", "--eval-dry-run")
    result.stdout.fnmatch_lines(["codereason: --model-url replaces codereason_model_url of the ini file"])


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("max_cost=5", "--eval-max-cost has no effect: baseline:truth costs nothing"),
        ("concurrency=5", "--eval-concurrency has no effect: no request is sent to baseline:truth"),
        ("reuse=1h", "--eval-reuse has no effect: no answer of baseline:truth is stored"),
        ("junit_misses=properties", "--eval-junit-misses has no effect without --junitxml=FILE"),
        ("baseline=old", "--eval-baseline has no effect: no gate names the baseline"),
    ],
)
def test_an_option_without_effect_is_an_error_where_it_is_typed(project: Project, option: str, why: str) -> None:
    project.suite()
    assert project.run(TRUTH, "--eval-report=old").ret == 0
    assert usage_error(project, TRUTH, f"--eval-{option.replace('_', '-')}") == why
    project.pytester.makeini(f"[pytest]\ncodereason_{option.replace('=', ' = ')}\n")
    result = project.run(TRUTH)
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"codereason: {why}"])


def test_answers_of_weights_known_by_digest_have_no_age(project: Project) -> None:
    project.suite()
    project.pytester.syspathinsert()
    (project.path / "own_pinned").mkdir()
    (project.path / "own_pinned/model.py").write_text(
        "from pytest_codereason.core import Completion, Model\n"
        "class Pinned(Model):\n"
        "    pinned, identity = True, {}\n"
        "    @classmethod\n"
        "    def create(cls, name, *, url, args): return cls()\n"
        "    async def answer(self, request): return Completion(text='')\n"
    )
    assert "answers of own_pinned.model:Pinned never expire, because its weights" in usage_error(
        project, "--model=own_pinned.model:Pinned", "--eval-reuse=1s"
    )


def test_a_prefill_that_no_suite_sends_is_an_error(project: Project) -> None:
    path = project.suite()
    path.write_text("prefill = false\n" + path.read_text())
    assert usage_error(project, "--model=openai:x", "--model-arg=prefill=continue", "--eval-dry-run") == (
        "--model-arg prefill has no effect: every suite of this run has prefill = false; remove it"
    )
