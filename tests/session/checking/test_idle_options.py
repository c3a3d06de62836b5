"""Options that would have no effect, or that replace each other: an error if typed, a note if from the ini file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.plugin import list_typed
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.checking.idle_options import (
    check_omitted,
    check_sampling_effect,
    check_search_options,
    check_seed,
)
from tests.engine.tellers import Teller
from tests.examples import mostly_slow
from tests.session.collected import read_typed
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
    mostly_slow(
        [
            ("max_cost=5", "--eval-max-cost has no effect: baseline:truth costs nothing"),
            ("concurrency=5", "--eval-concurrency has no effect: no request is sent to baseline:truth"),
            ("reuse=1h", "--eval-reuse has no effect: no answer of baseline:truth is stored"),
            ("junit_misses=properties", "--eval-junit-misses has no effect without --junitxml=FILE"),
            ("baseline=old", "--eval-baseline has no effect: no gate names the baseline"),
        ],
        5,
    ),
)
def test_an_option_without_effect_is_an_error_where_it_is_typed(project: Project, option: str, why: str) -> None:
    project.suite()
    assert project.run(TRUTH, "--eval-report=old").ret == 0
    assert usage_error(project, TRUTH, f"--eval-{option.replace('_', '-')}") == why
    project.pytester.makeini(f"[pytest]\ncodereason_{option.replace('=', ' = ')}\n")
    result = project.run(TRUTH)
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"codereason: {why}"])


def test_an_option_that_decides_something_is_not_idle(project: Project) -> None:
    project.suite(count=1)
    assert project.run(TRUTH, "--eval-report=old").ret == 0
    options = ("--eval-baseline=old", "--eval-junit-misses=properties", "--junitxml=j.xml", "--eval-claim=suite")
    result = project.run(TRUTH, "--eval-gate=small.exact >= baseline - 50%", *options)
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
    result.stdout.no_fnmatch_line("*has no effect*")


def test_a_seed_changes_what_is_drawn_and_nothing_else(project: Project) -> None:
    """``drawn`` has programs by its seed, ``placed`` names at random places, ``keyed`` random keys."""
    row = {
        "language": "python",
        "id": "a",
        "code": "def f(n):\n    m = n\n    return m\n",
        "call": "f(1)",
        "output": "1",
    }
    (project.path / "own.jsonl").write_text(json.dumps(row))
    own = 'task = "output-prediction"\n[source]\nname = "jsonl"\npath = "own.jsonl"\n'
    (project.path / "plain.suite.toml").write_text(own)
    (project.path / "placed.suite.toml").write_text(f'{own}[matrix]\nperturbation = ["misleading-names"]\n')
    copied = own.replace("output-prediction", "function-retrieval")
    (project.path / "keyed.suite.toml").write_text(f'{copied}[matrix]\nlayout = ["keys"]\n')
    project.suite("drawn", count=1)
    names = ("drawn", "placed", "keyed", "plain")
    drawn, placed, keyed, plain = (load(project.path / f"{name}.suite.toml") for name in names)
    typed, options, models = ["--eval-seed"], read_typed(project, "--eval-seed=3"), [make_model("a")]
    for suites in ([drawn], [plain, drawn], [placed], [keyed]):
        check_seed(typed, options, models, suites, searches=False)
    told = "--eval-seed has no effect: nothing in plain, plain is drawn by a seed"
    with pytest.raises(UsageError, match=told):
        check_seed(typed, options, models, [plain, plain], searches=False)
    guess = make_model("guess")
    guess.draws_by_seed = True
    check_seed([], options, models, [plain], searches=False)
    check_seed(typed, options, models, [plain], searches=True)
    check_seed(typed, options, [*models, guess], [plain], searches=False)
    for more in ("--eval-repeat=1", "--eval-stop-when-decided"):
        check_seed(typed, read_typed(project, more), models, [plain], searches=False)


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


def test_options_that_nobody_gave_are_not_told(project: Project) -> None:
    path = project.suite(count=1)
    path.write_text("prefill = false\n" + path.read_text())
    for command in ([TRUTH], ["--model=openai:x", "--model-arg=top_p=1", "--eval-dry-run"]):
        result = project.run(*command)
        assert result.ret == 0, result.stderr.str()
        result.stdout.no_fnmatch_line("*has no effect*")


@pytest.mark.parametrize("flag", ["--eval-fuzz-requests", "--eval-fuzz-shrink"])
def test_options_of_fuzz_tests_need_one(flag: str) -> None:
    check_search_options([flag], searches=True)
    check_search_options(["--eval-seed"], searches=False)
    with pytest.raises(UsageError, match=f"{flag} has no effect: this run has no fuzz test"):
        check_search_options([flag], searches=False)


def make_suite(project: Project, name: str, temperatures: list[float]) -> Suite:
    more = f"temperature = {temperatures}\n" if temperatures else ""
    return load(Path(project.suite(name, count=1, more=more)))


def make_model(label: str, **settings: Any) -> Teller:
    model = Teller(label=label)
    model.omits, model.sampling = frozenset(settings.pop("omit", ())), settings
    return model


@pytest.mark.parametrize("temperatures", [[0.5], [0.0, 1.0]])
def test_a_setting_that_suites_vary_has_an_effect_in_the_others_alone(
    project: Project, temperatures: list[float]
) -> None:
    varies, open_ = make_suite(project, "varies", temperatures), make_suite(project, "open", [])
    told = "--model-arg temperature has no effect in varies: the suite sets temperature as an axis"
    models = {"a": make_model("a")}
    shared = {"temperature": 0.2}
    assert check_sampling_effect({"varies": varies, "open": open_}, models, shared) == [told]
    assert check_sampling_effect({"open": open_}, models, shared) == []
    with pytest.raises(UsageError, match=f"{told}; remove one of the two"):
        check_sampling_effect({"varies": varies}, models, shared)
    own = {"a": make_model("a", temperature=0.2)}
    assert check_sampling_effect({"varies": varies, "open": open_}, own, {}) == [
        told.replace("--model-arg temperature", "temperature of a")
    ]


def test_values_that_no_request_holds_cannot_be_compared(project: Project) -> None:
    models = {"a": make_model("a", omit=["temperature"])}
    assert check_omitted({"s": make_suite(project, "one", [0.5])}, models, {}) == []
    with pytest.raises(UsageError, match="s compares values of temperature, but a has omit=temperature"):
        check_omitted({"s": make_suite(project, "two", [0.0, 1.0])}, models, {})


def test_a_setting_that_one_of_two_models_leaves_out_is_a_note() -> None:
    deaf, hears = make_model("deaf", omit=["temperature"]), make_model("hears")
    told = "--model-arg temperature has no effect on deaf: omit=temperature leaves it out"
    shared = {"temperature": 0.2}
    assert check_omitted({}, {"deaf": deaf, "hears": hears}, shared) == [told]
    assert check_omitted({}, {"hears": hears}, shared) == []
    with pytest.raises(UsageError, match="omit=temperature leaves it out of every request"):
        check_omitted({}, {"deaf": deaf}, shared)
    with pytest.raises(UsageError, match="temperature of own has no effect: omit=temperature"):
        check_omitted({}, {"own": make_model("own", omit=["temperature"], temperature=1.0)}, {})
