"""Function retrieval: keys, prompts, and what a reply is worth."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.changes.stages.layout import LayoutStage, draw_keys
from pytest_codereason.core import Ask, Completion, Context, Finish, Instance, Program, Verdict
from pytest_codereason.questions.tasks.function_retrieval import FunctionRetrieval, _count_common
from pytest_codereason.questions.templates.loading import load

TARGET = "def f(x):\n    y = x + 1\n\n    return [y]"
OTHERS = ("def g(a):\n    return a\n", "def h(b):\n    if b:\n        return 1\n    return 2\n", "def i():\n    pass")


def instance(place: int | None = 1, *, query: str = "both", source: str = TARGET) -> Instance:
    plain = Instance(
        id="python/0000",
        family="0000",
        suite="recall-lexical",
        program=Program.from_source(language="python", source=source, call="f(1)"),
        axes={"query": query, "layout": "keys"},
        matrix={},
        template=load("function-retrieval", "direct"),
        seed=7,
        context=None if place is None else Context(distractors=OTHERS, place=place),
    )
    return LayoutStage().apply(plain, lambda _: None)


def first_step(of: Instance) -> Ask:
    step = next(FunctionRetrieval().steps(of))
    assert isinstance(step, Ask)
    return step


def verdict(text: str, *, of: Instance | None = None, prefilled: bool = True, finish: Finish = "stop") -> Verdict:
    steps = FunctionRetrieval().steps(of or instance())
    next(steps)
    with pytest.raises(StopIteration) as stop:
        steps.send(Completion(text=text, prefilled=prefilled, finish=finish))
    result: Verdict = stop.value.value
    return result


def lines(of: Instance) -> dict[str, str]:
    """The lines that are shown, by their key."""
    prompt = first_step(of).messages[-1].content
    block = prompt.split("```python\n")[1].split("\n```")[0]
    matches = [re.fullmatch(r"([0-9a-f]{6})(?: (.*))?", line) for line in block.split("\n")]
    assert all(matches)
    return {m[1]: m[2] or "" for m in matches if m}


@given(st.integers(0, 3))
def test_every_line_has_a_key_of_its_own_that_stays_when_the_target_moves(place: int) -> None:
    lines_by_key = lines(instance(place))
    assert len(lines_by_key) == len("\n".join(OTHERS).split("\n")) + len(OTHERS) - 2 + len(TARGET.split("\n")) + 1
    assert lines_by_key == lines(instance(0))
    assert list(lines_by_key) != list(lines(instance((place + 1) % 4)))


def test_the_request_names_first_and_last_line() -> None:
    of = instance(2)
    prompt = first_step(of).messages[-1].content
    start, end = re.findall(r"key ([0-9a-f]{6})", prompt)[:2]
    lines_by_key = lines(of)
    keys = list(lines_by_key)
    target_lines = [lines_by_key[key] for key in keys[keys.index(start) : keys.index(end) + 1]]
    assert "\n".join(target_lines) == TARGET


@pytest.mark.parametrize(("query", "count"), [("both", 2), ("before", 1), ("after", 1)])
def test_the_request_stands_where_the_suite_says(query: str, count: int) -> None:
    prompt = first_step(instance(query=query)).messages[-1].content
    assert prompt.count("Copy that function") == count
    assert prompt.startswith("```") == (query == "after")


@pytest.mark.parametrize("place", [None, 0, 3])
def test_the_truth_is_right_whether_or_not_the_prefill_is_continued(place: int | None) -> None:
    of = instance(place)
    truth = first_step(of).truth
    assert verdict(truth, of=of).outcome == "correct"
    assert verdict(f"Here it is:\n```python{truth}", of=of, prefilled=False).outcome == "correct"


def test_a_guess_is_one_of_the_functions_shown() -> None:
    of = instance(1)
    ask = first_step(of)
    draws = (0.0, 0.25, 0.5, 0.99)
    outcomes = [verdict(ask.guess(partial(float, draw)), of=of).outcome for draw in draws]
    assert outcomes.count("correct") == 1


def test_keys_copied_along_do_not_count() -> None:
    of = instance()
    copied = "\n".join(f"{key} {line}".rstrip() for key, line in lines(of).items() if line in TARGET.split("\n"))
    prompt = first_step(of).messages[-1].content
    start, end = re.findall(r"key ([0-9a-f]{6})", prompt)[:2]
    whole = copied[copied.index(start) :]
    assert end in whole
    assert verdict(f"\n{whole}\n```", of=of).outcome == "correct"


@pytest.mark.parametrize(
    ("reply", "outcome", "share"),
    [
        (f"\n{TARGET}\n\ndef g(a):\n    return a\n```", "wrong", 1.0),
        ("\ndef f(x):\n    return [y]\n```", "wrong", 0.5),
        ("\ndef f(x):\n    y = x + 2\n\n    return [y]\n```", "wrong", 0.75),
        (TARGET.replace("\n", "   \n") + "\n", "correct", 1.0),
        ("\n```", "invalid", 0.0),
        ("", "invalid", 0.0),
        ("<think>the function is def f</think>\n" + TARGET, "correct", 1.0),
    ],
)
def test_what_a_reply_is_worth(reply: str, outcome: str, share: float) -> None:
    result = verdict(reply)
    assert (result.outcome, result.metrics["partial"]) == (outcome, share)
    assert result.metrics["exact"] == (outcome == "correct")


def test_a_reply_cut_off_is_truncated_unless_it_was_whole() -> None:
    assert verdict("\ndef f(x):\n    y", finish="length").outcome == "truncated"
    assert verdict(f"\n{TARGET}", finish="length").outcome == "correct"
    assert verdict("\ndef f(x):\n```\nand", finish="length").outcome == "wrong"


def test_the_last_block_of_a_free_reply_counts() -> None:
    reply = f"First\n```python\ndef g(): pass\n```\nno, this:\n```python\n{TARGET}\n```\n"
    assert verdict(reply, prefilled=False).outcome == "correct"
    assert verdict(reply + "```python\ndef", prefilled=False).outcome == "correct"
    assert verdict(TARGET, prefilled=False).outcome == "correct"


FENCED = 'def f(x):\n    """Doubles.\n\n    ```\n    f(1)\n    ```\n    """\n    return 2 * x'


@pytest.mark.parametrize("prefilled", [True, False])
def test_fences_within_the_function_end_no_block(prefilled: bool) -> None:
    of = instance(source=FENCED)
    truth = first_step(of).truth
    assert verdict(truth, of=of, prefilled=True).outcome == "correct"
    assert not first_step(of).prefill_stop, "the server would stop within the function"
    opening, closing = ("\n", "\n```\nDone.") if prefilled else ("Here:\n```python\n", "\n```\nDone.")
    keys = list(lines(of))
    keyed = "\n".join(f"{key} {line}" for key, line in zip(keys, FENCED.split("\n"), strict=False))
    for copy in (FENCED, keyed):
        assert verdict(f"{opening}{copy}{closing}", of=of, prefilled=prefilled).outcome == "correct"
    part = verdict(f"{opening}{FENCED[:-15]}{closing}", of=of, prefilled=prefilled)
    assert part.outcome == "wrong"
    assert part.metrics["partial"] > 0.7


@pytest.mark.parametrize("finish", ["refused", "too-long"])
def test_what_is_not_answered_keeps_its_own_outcome(finish: Finish) -> None:
    assert verdict("", finish=finish).outcome == finish


@given(st.integers(), st.integers(1, 200))
def test_keys_are_distinct_and_a_longer_draw_begins_with_a_shorter(seed: int, count: int) -> None:
    keys = draw_keys(seed, count)
    assert len(set(keys)) == count
    assert all(re.fullmatch("[0-9a-f]{6}", key) for key in keys)
    assert keys == draw_keys(seed, count + 5)[:count]


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_what_removing_lines_can_reach(left: list[str], right: list[str]) -> None:
    def naive(a: list[str], b: list[str]) -> int:
        if not a or not b:
            return 0
        return 1 + naive(a[1:], b[1:]) if a[0] == b[0] else max(naive(a[1:], b), naive(a, b[1:]))

    assert _count_common(left, right) == naive(left, right)
