"""The arguments that a reply gives: conflicting ones follow the rule, and each language reads its own."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.arguments import ArgumentsCandidate, read_call_arguments
from pytest_codereason.registry import language

FENCE = "```"


def read(reply: str, name: str = "python", *, prefill: str = "") -> ArgumentsCandidate | None:
    function = "Problem.f" if name == "java" else "f"
    return read_call_arguments(
        reply, language=language(name), function=function, prefill=prefill, prefilled=bool(prefill)
    )


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("[ANSWER]f(1)[/ANSWER] or [ANSWER]f(2)[/ANSWER]", "2"),
        (f"[ANSWER]f(1)[/ANSWER]\n{FENCE}\nf(2)\n{FENCE}", "1"),
        (f"{FENCE}\nf(1)\n{FENCE}\n{FENCE}\nf(2)\n{FENCE}\nso f(3)", "2"),
        (f"{FENCE}\nno call\n{FENCE}\nso f(3)", "3"),
        ("f(1)\nf(2)", "2"),
        ("[ANSWER]1, 2[/ANSWER]", "1, 2"),
        ("[ANSWER][/ANSWER]\nf(3)", "3"),
        ("[ANSWER] assert f(1) == 2 [/ANSWER]", "1"),
        ("[ANSWER] assert f(1) == 2", "1"),
        ("[THOUGHT]\nI answer in [ANSWER] tags. f(3)?\n[/THOUGHT]\n[ANSWER] assert f(1) == 2 [/ANSWER]", "1"),
        ("[THOUGHT]\nNot [ANSWER]f(3) == 2[/ANSWER].\n[/THOUGHT]\n[ANSWER]\nassert f(1) == 2", "1"),
        ("[THOUGHT]\nSo [ANSWER]f(1) == 2[/ANSWER]\n[/THOUGHT]", "1"),
        ("[ANSWER]f(1) == 2[/ANSWER], in [ANSWER] and [/ANSWER] tags", "1"),
        ("[ANSWER]f(1) == 2[/ANSWER] or [ANSWER]2, 1[/ANSWER], in [ANSWER] and [/ANSWER] tags", "2, 1"),
        ("1, 2", "1, 2"),
    ],
)
def test_conflicting_answers_follow_the_rule(reply: str, text: str) -> None:
    candidate = read(reply)
    assert candidate is not None
    assert candidate.text == text
    assert candidate.arguments is not None


def test_a_continued_prefill_comes_first_if_it_holds_data() -> None:
    prefill = "```python\nassert f("
    for reply, text in (("1) == 3\nassert f(2) == 3", "1"), ("g(1)) == 3\nassert f(2) == 3", "2")):
        candidate = read(reply, prefill=prefill)
        assert candidate is not None
        assert candidate.text == text


@pytest.mark.parametrize(
    ("name", "text", "values", "names"),
    [
        ("python", "1, b=[2]", (1, [2]), ("", "b")),
        ("python", "range(3), nan", (range(3), None), ("", "")),
        ("python", "", (), ()),
        ("javascript", "1, {a: [2]}", (1, {"a": [2]}), ("", "")),
        ("php", "1, b: array(2)", (1, [2]), ("", "b:")),
        ("java", "1, List.of(2)", (1, [2]), ("", "")),
    ],
)
def test_every_language_reads_its_arguments(
    name: str, text: str, values: tuple[object, ...], names: tuple[str, ...]
) -> None:
    arguments = language(name).values.read_arguments(text)
    assert arguments.names == names
    assert all(left == right for left, right in zip(arguments.values, values, strict=True) if right is not None)


def test_a_reply_without_data_says_why() -> None:
    for text, reason in (("f(f(1))", "not a literal: call"), (f"f({'x' * 200_000})", "longer than 100,000")):
        candidate = read(f"[ANSWER]{text}[/ANSWER]")
        if candidate is not None:
            assert candidate.arguments is None
            assert reason in candidate.reason
