"""Arguments that a reply states without a call."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.registry import language


def read(reply: str, name: str = "python") -> str | None:
    """The text of the arguments, ``None`` where the reply gives none."""
    candidate = read_call_arguments(reply, language=language(name), function="Main.f" if name == "java" else "f")
    return candidate.text if candidate is not None and candidate.arguments else None


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Input: 7", "7"),
        ("Working backwards, 50 - 8 is 42.\n\nThe input is 7, because 7 * 6 is 42.", "7"),
        ("So the input to the function must be `'ab'`.", "'ab'"),
        ("The argument should be [7].", "[7]"),
        ("**Answer:** `7`", "7"),
        ("**Final answer:** 7", "7"),
        ("The missing arguments are `[7], 'b'`.", "[7], 'b'"),
        ("The arguments are [7], 'b', since 'b' is looked up.", "[7], 'b'"),
        ("?? = 7", "7"),
        ("`??` → `{'a': 7}`", "{'a': 7}"),
        ("Replace ?? by 7 and the assertion holds.", "7"),
        ("Antwort: 7", "7"),
        ("Eingabe: 7", "7"),
        ("La respuesta es 7.", "7"),
        ("输入是 7。", "7"),
        ("答え：7", "7"),
        ("정답: 7", "7"),
        ("We solve it. $\\boxed{7}$", "7"),
        ('```json\n{"argument": 7, "explanation": "half of 14"}\n```', "7"),
        ('{"inputs": "[7], 2"}', "[7], 2"),
        ("The input is 6. No, the input is 7.", "7"),
        ("f(6) is 36, which is too small. The input is 7.", "7"),
        ("The input that gives 42 is 7.", "7"),
        ("The only argument for which f returns 42 is `[7]`.", "[7]"),
        ("I would pass 7 as the argument.", "7"),
        ("Use `'ab'` as the input.", "'ab'"),
        ("[ANSWER]The input is 7.[/ANSWER]", "7"),
        ("[ANSWER]Input: 7[/ANSWER] Here the output is 42.", "7"),
        ("Input: 7\nOutput: 42", "7"),
        ("The function f(n) squares n. The input is 7.", "7"),
    ],
)
def test_a_statement_gives_the_arguments(reply: str, text: str) -> None:
    assert read(reply) == text


@pytest.mark.parametrize(
    "reply",
    [
        "So the output is 42.",
        "It returns 42.",
        "The result: 42",
        "Output: 42",
        "f returns 42 then.",
        "输出是 42。",
        "So the answer cannot be 7.",
        "The input is 7 or 8.",
        "The input is not 7.",
        "The input could be 7.",
        "The input must be at least 7.",
        "If the input is 7, there is an error.",
        "The input is doubled and the answer is returned: 42.",
        "The input that gives 42 is not 7.",
        "The input that gives 42 is 7 or 8.",
        "So the answer: result = 42",
        "[ANSWER]The output is 42.[/ANSWER]",
        "Don't use 7 as the argument.",
        "The input is a list of 3 numbers.",
        "The first argument is 3.",
        "For example, the input is 7.",
        "Therefore 42.",
        "The input has 7 elements.",
        'The output: {"a": 42}',
        "f(7) is 36, which is too small.",
        "`f(7)` gives 49, but that is too large.",
        "f(7) does not return 42.",
        "f(7) isn't 42.",
    ],
)
def test_other_words_give_none(reply: str) -> None:
    assert read(reply) is None


@pytest.mark.parametrize(
    "reply", ["f(7) is 42, which is right.", "f(7) returns 42, so 6 is too small.", "f(7) == 42, not 41"]
)
def test_a_call_that_is_explained_counts(reply: str) -> None:
    assert read(f"{reply}\n") == "7"


@pytest.mark.parametrize("name", ["java", "javascript", "php"])
def test_all_languages_state_arguments(name: str) -> None:
    assert read('The arguments are `7, "b"`.', name) == '7, "b"'


@pytest.mark.slow
def test_a_long_reply_is_read_soon() -> None:
    assert read("the input is " * 50_000 + "[" * 50_000) is None
    assert read("Input: (" * 30_000) is None
