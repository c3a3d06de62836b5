"""Programs among distractors, and the suites that say so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Ask, Instance
from pytest_codereason.engine.building.drafts import draft
from pytest_codereason.errors import Skip, UsageError
from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite

SUITE = """
task = "{task}"
languages = ["python"]
[source]
name = "semtrace"
count = 3
[context]
pool = "pool"
[matrix]
"""


@pytest.fixture
def suite(tmp_path: Path) -> Callable[..., Suite]:
    def make_suite(matrix: str = "distractors = [0, 4]\nposition = 5", *, task: str = "output-prediction") -> Suite:
        functions = [Distractor(f"g{i}", f"def g{i}():\n    return {'1' * 40}") for i in range(20)]
        freeze(Pool("pool", "python", [*functions, Distractor("f", "def f():\n    pass")]), tmp_path / "pool")
        path = tmp_path / "recall.suite.toml"
        path.write_text(SUITE.format(task=task).replace('"pool"', f'"{tmp_path / "pool"}"') + matrix + "\n")
        return load(path)

    return make_suite


def build_instances(
    suite: Suite, count: Callable[[str], int | None] = lambda _: None, /, **axes: Any
) -> list[Instance]:
    specs = [spec for spec in suite.specs() if axes.items() <= dict(spec.axes).items()]
    return [draft(suite, spec, count) for spec in specs]


def test_without_distractors_there_is_one_question_without_a_position(suite: Callable[..., Suite]) -> None:
    ids = [spec.id for spec in suite().specs() if spec.program == "0001"]
    assert ids == [
        "python/0001[distractors:0]",
        *(f"python/0001[distractors:4,position:{p}]" for p in (0, 25, 50, 75, 100)),
    ]
    assert build_instances(suite(), distractors=0)[0].context is None


def test_all_positions_of_a_program_show_the_same_in_the_same_order(suite: Callable[..., Suite]) -> None:
    instances = [i for i in build_instances(suite(), distractors=4) if i.family == "0001"]
    contexts = [i.context for i in instances if i.context]
    assert len({c.distractors for c in contexts}) == 1
    assert [c.place for c in contexts] == [0, 1, 2, 3, 4]
    for one in instances:
        blocks = one.code.strip("\n").split("\n\n")
        assert blocks[one.context.place if one.context else 0] == one.program.source.strip("\n")


def test_programs_have_distractors_of_their_own_and_more_begin_with_fewer(suite: Callable[..., Suite]) -> None:
    several = suite("distractors = [4, 8]")
    fewer, more = build_instances(several, distractors=4), build_instances(several, distractors=8)
    for a, b in zip(fewer, more, strict=True):
        assert a.context is not None
        assert b.context is not None
        assert b.context.distractors[:4] == a.context.distractors
        assert not any("def f(" in text for text in b.context.distractors)
    assert len({i.context.distractors for i in fewer if i.context}) == 3


@pytest.mark.parametrize("task", ["output-prediction", "function-retrieval"])
def test_the_prompt_shows_all_of_it_once(suite: Callable[..., Suite], task: str) -> None:
    one = build_instances(suite(task=task), distractors=4)[2]
    ask = next(suite(task=task).task.steps(one))
    assert isinstance(ask, Ask)
    assert one.context is not None
    for text in (*one.context.distractors, one.program.source):
        assert ask.messages[-1].content.count(text.split("\n")[0]) == 1


def test_a_length_in_tokens_is_filled_by_the_models_own_count(suite: Callable[..., Suite]) -> None:
    by_tokens = suite("tokens = [200, 400]")
    for limit in (200, 400):
        for one in build_instances(by_tokens, len, tokens=limit):
            assert one.context is not None
            length = len(one.program.source) + sum(len(d) + 1 for d in one.context.distractors)
            assert limit - 60 < length <= limit or not one.context.distractors
    estimated = build_instances(by_tokens, tokens=200)[0].context
    assert estimated is not None
    assert len(estimated.distractors) > 4


def test_more_than_the_pool_holds_is_skipped_and_says_so(suite: Callable[..., Suite]) -> None:
    with pytest.raises(Skip, match="holds 20 python functions, not 40"):
        build_instances(suite("distractors = [40]"))
    with pytest.raises(Skip, match="do not fill 99,999 tokens"):
        build_instances(suite("tokens = [99999]"))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ("distractors = [4]\ntokens = [100]", r"recall\.suite\.toml:11: .*not both"),
        ("distractors = [-1]", "'distractors' cannot be -1: it takes whole numbers"),
        ("distractors = [4]\nposition = [101]", "'position' cannot be 101: it takes a list of percentages"),
        ("distractors = [4]\nposition = 200", "'position' cannot be 200"),
        ("removed = ['1of3']", r"drawn|draws for each program"),
    ],
)
def test_mistakes_name_file_line_and_what_is_allowed(suite: Callable[..., Suite], matrix: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        suite(matrix)


def test_the_plan_changes_with_the_pool(suite: Callable[..., Suite], tmp_path: Path) -> None:
    first = suite()
    plan = first.plan
    assert plan == suite().plan
    freeze(Pool("pool", "python", [Distractor("g", "def g(): pass")]), tmp_path / "pool")
    assert load(tmp_path / "recall.suite.toml").plan != plan


def test_the_last_token_may_be_used_and_no_more(suite: Callable[..., Suite]) -> None:
    """By the model's own count: a program, and behind each function the line break before the next."""
    first = build_instances(suite("distractors = [3]"), len)[0]
    assert first.context is not None
    wide = len(first.program.source) + sum(len(each) + 1 for each in first.context.distractors)
    for tokens, many in ((wide - 1, 2), (wide, 3), (wide + 1, 3)):
        one = build_instances(suite(f"tokens = [{tokens}]"), len)[0]
        assert one.context is not None
        assert len(one.context.distractors) == many


def test_four_characters_count_as_a_token_where_the_model_does_not_count(suite: Callable[..., Suite]) -> None:
    first = build_instances(suite("distractors = [3]"))[0]
    assert first.context is not None
    texts = first.context.distractors
    tokens = -(-len(first.program.source) // 4) + sum(-(-len(each) // 4) + 1 for each in texts)
    for limit, many in ((tokens - 1, 2), (tokens, 3)):
        one = build_instances(suite(f"tokens = [{limit}]"))[0]
        assert one.context is not None
        assert len(one.context.distractors) == many
