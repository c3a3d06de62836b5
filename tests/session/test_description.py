"""A run is described before it begins."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Model
from pytest_codereason.options import Options
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.session.checking.checks import Selection
from pytest_codereason.session.checking.models import Roster
from pytest_codereason.session.description import (
    compute_age,
    count_requests,
    describe_run,
    format_header,
    format_requests,
    identify_questions,
    name_model,
    resolve_suite,
)
from pytest_codereason.session.order import Command, Order
from tests.engine.tellers import Teller
from tests.session.collected import read_typed
from tests.session.conftest import Project


def make_models(*limits: int) -> dict[str, Model]:
    models: dict[str, Model] = {}
    for number, limit in enumerate(limits):
        models[f"m{number}"] = model = Teller(label=f"m{number}")
        model.concurrency, model.spec = limit, f"m{number}"
    return models


def make_order(
    project: Project, options: Options, models: dict[str, Model], *, arguments: tuple[str, ...] = (), selector: str = ""
) -> Order:
    command = Command(
        arguments=arguments,
        typed={},
        root=project.path,
        collects_only=False,
        files=frozenset(),
        selector=selector,
        junit_file=None,
    )
    return Order(command, options, Roster(models, {}))


def test_questions_are_identified_in_any_order_and_tests_do_not_count() -> None:
    ids = [f"s.suite.toml::python/{number:04}" for number in range(5)]
    digest = identify_questions(ids)
    assert len(digest) == 32
    assert identify_questions([*ids[::-1], "test_a.py::test_one"]) == digest
    assert len({digest, identify_questions(ids[1:]), identify_questions([])}) == 3
    assert identify_questions([]) == "0" * 32


@pytest.mark.parametrize(
    ("limits", "args", "words", "most"),
    [
        ((32,), (), "up to 32 requests at a time", 32),
        ((2048, 2048), (), "up to 2,048 requests at a time to each", 2048),
        ((32, 16), (), "up to 32, 16 requests at a time", 32),
        ((32, 16), ("--eval-concurrency=4",), "up to 4 requests at a time to each", 4),
    ],
)
def test_requests_at_a_time_are_told(
    project: Project, limits: tuple[int, ...], args: tuple[str, ...], words: str, most: int
) -> None:
    options, models = read_typed(project, *args), make_models(*limits)
    assert format_requests(options, models) == words
    assert count_requests(options, models) == most
    assert format_header(make_order(project, options, models)) == f"codereason: {', '.join(models)} · {words}"


def test_the_header_names_models_and_writers(project: Project) -> None:
    models = make_models(8)
    models["m0"].spec = "openai:x"
    assert name_model(models["m0"]) == "m0 (openai:x)"
    (writer,) = make_models(1).values()
    roster = Roster(models, {}, writers={"a": writer, "b": writer})
    told = format_header(replace(make_order(project, read_typed(project, "--eval-dry-run"), models), roster=roster))
    assert told == "codereason: m0 (openai:x) · nothing is sent · writer: m0"


def test_an_age_is_counted_from_a_moment() -> None:
    assert compute_age(math.inf) is None
    age = compute_age(time.time() - 60)
    assert age is not None
    assert 59.9 < age < 65


def test_run_json_counts_the_questions_of_each_condition(project: Project) -> None:
    path = project.suite(count=3, prompting=("direct", "cot"), more="digits = [2, 4]\n")
    assert project.run("--model=baseline:truth", "--eval-limit=5", "-q").ret == 0
    run = project.run_json()
    (about,) = run["suites"].values()
    conditions = Counter((cell["language"], cell["digits"], cell["prompting"]) for _, cell in about["cells"])
    assert len(conditions) == 8
    assert {many for many, _ in about["cells"]} == {3}
    assert [3, {"language": "php", "digits": 4}] in about["families"]
    assert (run["selection"], run["sampled"], about["instances"]) == (
        f"{about['selected']} of 24 questions",
        True,
        24,
    )
    assert about["file"] == "small.suite.toml"
    resolved = resolve_suite(load(Path(path)))
    assert resolved["programs"] == {"python": 3, "php": 3}
    assert about["resolved"]["programs"] == resolved["programs"]
    assert resolved["samples"] == {"default": 1}
    assert resolved["template"] == "default"


def describe(project: Project, *args: str, selector: str = "") -> dict[str, Any]:
    """What ``run.json`` holds when a run begins that asks every question of one suite."""
    suite = load(project.suite(count=3, more="digits = [2]\n"))
    order = make_order(project, read_typed(project, *args), make_models(8), arguments=args, selector=selector)
    kinds = {suite.name: Counter({("python", "digits:2"): len(suite)})}
    return describe_run(order, Selection({suite.name: suite}, kinds), "")


def test_a_run_that_begins_is_not_complete_and_has_reused_nothing(project: Project) -> None:
    run = describe(project)
    assert not run["complete"]
    assert (run["writer"], run["baseline"], run["reused"], run["texts_reused"]) == (None, None, 0, 0)
    assert describe(project, "--eval-baseline=old")["baseline"] == str(project.path / "old")
    resolved = run["suites"]["small"]["resolved"]
    assert list(resolved["sampling"]) == list(resolved["samples"]) == ["default"]
    assert list(resolved["prefilled"]) == ["direct"]
    assert resolved["sampling"]["default"]["max_tokens"]
    assert [run["models"]["m0"]["concurrency"], run["concurrency"]] == [8, 8]
    four = describe(project, "--eval-concurrency=4")
    assert [four["models"]["m0"]["concurrency"], four["concurrency"]] == [4, 4]
    assert list(resolved["templates"]) == ["direct"]
    assert len(resolved["templates"]["direct"]) == 64


def test_ways_of_prompting_are_named_with_what_they_fix(project: Project) -> None:
    def resolve(text: str) -> dict[str, Any]:
        path = project.path / "own.suite.toml"
        path.write_text(f'task = "output-prediction"\n{text}\n[source]\nname = "semtrace"\ncount = 2\n')
        return resolve_suite(load(path))

    plain = resolve("shots = 2")
    assert (plain["fixed"]["shots"], plain["prompted"]) == (2, {})
    assert [list(plain[name]) for name in ("sampling", "samples")] == [["default"]] * 2
    assert [list(plain[name]) for name in ("templates", "prefilled")] == [["direct"]] * 2
    both = resolve('shots = {direct = 2, cot = 1}\n[matrix]\nprompting = ["direct", "cot"]')
    assert both["prompted"] == {"direct": {"shots": 2}, "cot": {"shots": 1}}
    assert "shots" not in both["fixed"]
    assert list(both["templates"]) == list(both["prefilled"]) == ["direct", "cot"]


@pytest.mark.parametrize("selector", ["", "limit=3", "keyword='php'"])
def test_a_run_of_every_question_is_no_sample(project: Project, selector: str) -> None:
    run = describe(project, selector=selector)
    assert (run["sampled"], run["selection"]) == (False, None)


def test_a_part_says_which_one_it_is_and_an_id_that_it_was_chosen(project: Project) -> None:
    project.suite(count=3)
    assert project.run("--model=baseline:truth", "--eval-shard=2/2", "-q").ret == 0
    (about,) = project.run_json()["suites"].values()
    assert (about["shard"]["part"], about["shard"]["of"]) == (2, 2)
    assert project.run("--model=baseline:truth", "small.suite.toml::php/0001[prompting:direct]", "-q").ret == 0
    run = project.run_json()
    assert (run["selection"], run["sampled"]) == ("1 of 6 questions", False)
