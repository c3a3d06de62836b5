"""What a run costs is known before it: requests and replies exactly, prompts from a sample over all axes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_codereason.core import Price, Request
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.engine.limits.budget import estimate_tokens
from pytest_codereason.engine.limits.prompt_lengths import count_kinds
from pytest_codereason.engine.limits.run_size import (
    MEASURED,
    Cell,
    EqualRequests,
    RunSize,
    _find_way,
    _Measure,
    _size_question,
    add_sizes,
    estimate_size,
    is_free,
)
from pytest_codereason.engine.rehearsing import ask_in_full
from pytest_codereason.questions.suites import reading as suite_files
from pytest_codereason.questions.suites.suite import Suite
from tests.engine.readers import Reader

MATRIX = """
task = "output-prediction"
languages = ["python"]

[source]
name = "semtrace"
count = 8
seed = 3

[matrix]
digits = [2, 3, 4, 5, 6]
shots = [0, 1, 2]
prompting = ["direct", "cot"]
{more}

[sampling]
max_tokens = 10

[sampling.cot]
max_tokens = 3000
samples = 2
"""


def load(folder: Path, text: str) -> Suite:
    path = folder / "s.suite.toml"
    path.write_text(text)
    return suite_files.load(path)


def count(suite: Suite) -> Mapping[tuple[str, str], int]:
    return count_kinds(("s", spec.id) for spec in suite.specs())["s"]


def measure_all(suite: Suite, model: Reader) -> Counter[str]:
    """Builds every question."""
    total = Counter[str]()
    for spec in suite.specs():
        instance = draft(suite, spec)
        for ask in ask_in_full(suite.task, instance)[0]:
            sampling = suite.sampling_for(instance).with_room(ask.room)
            prompt, reply = estimate_tokens(model, Request(ask=ask, sampling=sampling, instance=instance))
            times = suite.samples_for(spec)
            total += Counter({"requests": times, "prompt": prompt * times, "reply": reply * times})
    return total


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", 'defence = ["none", "refactor"]', "query = ['both', 'before', 'after']"])
def test_no_axis_is_seen_at_one_value_only(tmp_path: Path, more: str) -> None:
    suite, model = load(tmp_path, MATRIX.format(more=more)), Reader(None)
    size, every = estimate_size([(suite, count(suite))], model), measure_all(suite, model)
    assert (size.questions, size.requests, size.reply) == (len(suite), every["requests"], every["reply"])
    assert size.prompt == pytest.approx(every["prompt"], rel=0.05)
    if not more:
        assert len(count(suite)) == 30
        assert (size.requests, size.reply) == (8 * 15 * (1 + 2), 8 * 15 * (10 + 2 * 3000))


@pytest.mark.slow
def test_many_conditions_are_sampled_over_all_axes(tmp_path: Path) -> None:
    more = "query = ['both', 'before', 'after']\nlayout = ['plain', 'keys', 'numbers']"
    suite, model = load(tmp_path, MATRIX.format(more=more)), Reader(None, counts=True)
    size = estimate_size([(suite, count(suite))], model)
    assert len(model.read) == MEASURED < len(count(suite))
    every = measure_all(suite, model)
    assert (size.requests, size.reply) == (every["requests"], every["reply"])
    assert size.prompt == pytest.approx(every["prompt"], rel=0.1)


def test_no_program_stands_for_all(tmp_path: Path) -> None:
    row = {"language": "python", "function": "f", "input": "", "output": "1"}
    codes = ["def f():\n" + "    pass\n" * (900 * (n > 0)) + "    return 1" for n in range(20)]
    rows = [{**row, "id": f"p{n}", "code": code} for n, code in enumerate(codes)]
    (tmp_path / "mine.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    text = 'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "jsonl"\npath = "mine.jsonl"\n'
    suite, model = load(tmp_path, text), Reader(None)
    size = estimate_size([(suite, count(suite))], model)
    assert size.prompt == measure_all(suite, model)["prompt"] > 18 * 3000


def test_what_is_asked_twice_counts_at_its_dearest(tmp_path: Path) -> None:
    suite = load(tmp_path, MATRIX.format(more=""))
    size = estimate_size([(suite, count(suite))], Reader(None), repeat=10)
    assert size.requests == 8 * 15 * 3 + 10 * 2
    assert size.reply == 8 * 15 * (10 + 2 * 3000) + 10 * 2 * 3000


def test_a_reply_without_a_limit_is_said(tmp_path: Path) -> None:
    suite, model = load(tmp_path, MATRIX.format(more="").replace("= 3000", "= 0")), Reader(None)
    model.price = Price(1, 10)
    size = estimate_size([(suite, count(suite))], model)
    assert size.reply == 8 * 15 * (10 + 2 * 16_384)
    assert f"about {size.reply:,} reply tokens (240 have no limit; each counts as 16,384), cost about $" in size.summary


def test_the_words_say_what_is_estimated() -> None:
    size = RunSize(questions=1, requests=2, certain=1, prompt=3000, reply=40, cost=0.5)
    assert size.summary == "1 to 2 requests, at most about 3,000 prompt tokens, at most 40 reply tokens, " + (
        "cost at most about $0.50"
    )
    assert "at most about 40 reply tokens (the limit depends on the program)" in RunSize(reply=40, varies=True).summary


def test_what_is_asked_twice_counts_at_its_dearest_where_prompts_cost(tmp_path: Path) -> None:
    suite, sizes = load(tmp_path, MATRIX.format(more="")), []
    for price in (Price(100, 0), Price(0, 100)):
        model = Reader(None)
        model.price = price
        once, more = (estimate_size([(suite, count(suite))], model, repeat=repeat) for repeat in (None, 8))
        sizes.append(more.prompt - once.prompt)
    assert sizes[0] > 1.5 * sizes[1] > 0


def test_a_task_that_asks_once_is_certain_to_ask_every_sample(tmp_path: Path) -> None:
    suite = load(tmp_path, MATRIX.format(more=""))
    size = estimate_size([(suite, count(suite))], Reader(None))
    assert size.certain == size.requests == 8 * 15 * (1 + 2)


def test_a_question_that_could_not_be_measured_counts_as_one_request_a_sample(tmp_path: Path) -> None:
    suite = load(tmp_path, MATRIX.format(more=""))
    cot = next(cell for cell in suite.cells if ("prompting", "cot") in cell)
    size = _size_question(suite, ("python", cot), [], Reader(None))
    assert (size.requests, size.certain, size.reply) == (2, 2, 2 * 3000)
    assert (size.prompt, size.longest) == (0, 0)


def test_sizes_add_up() -> None:
    one = RunSize(questions=1, requests=2, certain=3, unlimited=4, prompt=5, longest=6, reply=7, cost=0.5)
    two = RunSize(questions=10, requests=20, certain=30, prompt=50, longest=4, varies=True, reply=70, cost=0.25)
    both = RunSize(
        questions=11, requests=22, certain=33, unlimited=4, prompt=55, longest=6, varies=True, reply=77, cost=0.75
    )
    assert add_sizes([one, two]) == both == add_sizes([two, one])
    assert add_sizes([]) == RunSize()
    assert add_sizes([one, RunSize(cost=None), two]).cost is None
    assert both.describe() == {"requests": 22, "prompt": 55, "reply": 77, "cost": 0.75}


@pytest.mark.parametrize(
    ("size", "reply", "cost"),
    [
        (RunSize(requests=3, certain=3, reply=40, cost=0.0), "at most 40 reply tokens", ""),
        (RunSize(requests=3, certain=3, reply=40, cost=None), "at most 40 reply tokens", ", cost unknown (give "),
        (
            RunSize(requests=3, certain=3, unlimited=3, reply=40, cost=1),
            "about 40 reply tokens (no reply has a limit; ",
            "",
        ),
        (
            RunSize(requests=3, certain=3, unlimited=2, reply=40, cost=1),
            "about 40 reply tokens (2 have no limit; ",
            ", cost about $1.00",
        ),
    ],
)
def test_what_is_unknown_is_said(size: RunSize, reply: str, cost: str) -> None:
    assert size.summary.startswith(f"3 requests, about 0 prompt tokens, {reply}")
    assert cost in size.summary if cost else "cost unknown" not in size.summary


def test_free_models_are_those_whose_price_is_known_to_be_nothing() -> None:
    model, told = Reader(None), []
    for price in (None, Price(0, 0), Price(0, 1)):
        model.price = price
        told.append(is_free(model))
    assert told == [False, True, False]


def test_a_question_is_sized_by_those_that_are_likest(tmp_path: Path) -> None:
    """First by its condition, else by its language, else by all; the rooms of replies by its way of asking."""
    suite, model = load(tmp_path, MATRIX.format(more="")), Reader(None)
    model.price = Price(1e6, 1e6)
    cells = [cell for cell in suite.cells if ("prompting", "direct") in cell]
    way = _find_way(suite, cells[0])

    def measured(language: str, cell: Cell, prompt: int, *rooms: int) -> _Measure:
        return _Measure((language, cell), way, rooms, 1, tuple(prompt for _ in rooms))

    measures = [
        measured("python", cells[0], 100, 5),
        measured("python", cells[1], 300, 20),
        measured("php", cells[0], 500, 5, 5),
    ]
    sizes = [
        _size_question(suite, (language, cell), measures, model)
        for language, cell in (("python", cells[0]), ("python", cells[2]), ("java", cells[0]))
    ]
    assert [(size.prompt, size.longest) for size in sizes] == [(100, 100), (200, 300), (1400 / 3, 500)]
    for size in sizes:
        assert (size.requests, size.certain, size.unlimited) == (2, 1, 0)
        assert (size.reply, size.varies) == (20 + 10, True), "the limit of 10 tokens, or the room that is needed"
        assert size.cost == pytest.approx(round(size.prompt) + size.reply)
    (alike,) = {_size_question(suite, ("python", cells[0]), measures[:1], model).varies}
    assert not alike


def test_equal_requests_are_counted_by_their_samples(tmp_path: Path) -> None:
    suite, equal, model = load(tmp_path, MATRIX.format(more="")), EqualRequests(), Reader(None)
    spec = next(spec for spec in suite.specs() if ("prompting", "cot") in spec.axes)
    instance = draft(suite, spec)
    many = []
    for label in ("a", "b", "a"):
        equal.add(suite, instance, label, model)
        many.append(equal.many)
    assert many == [0, 0, 2]


def test_what_could_not_be_measured_is_no_part_of_a_sum_of_prompts() -> None:
    known = RunSize(questions=3, requests=3, certain=3, prompt=900, reply=100, cost=0.5)
    later = RunSize(questions=2, requests=2, certain=2, unknown=2, reply=100, cost=0.5)
    assert add_sizes([known, later]).summary == (
        "5 requests, about 900 prompt tokens and 2 prompts of unknown length, at most 200 reply tokens, "
        "cost about $1.00, and 2 prompts"
    )
    assert add_sizes([later, later]).summary == (
        "4 requests, prompts of unknown length, at most 200 reply tokens, cost about $1.00, and the prompts"
    )


def test_a_cost_without_the_prompts_says_so() -> None:
    unknown = RunSize(questions=3, requests=3, certain=3, reply=1_500, cost=0.5)
    assert unknown.summary == (
        "3 requests, prompts of unknown length, at most 1,500 reply tokens, cost about $0.50, and the prompts"
    )
    assert (
        "about 900 prompt tokens"
        in RunSize(questions=3, requests=3, certain=3, prompt=900, reply=1_500, cost=0.5).summary
    )
