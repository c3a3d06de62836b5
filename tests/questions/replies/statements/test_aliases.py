"""Variables that hold the value of a call."""

from __future__ import annotations

import pytest

from pytest_codereason.questions.replies.statements.aliases import list_mentions


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("result = f(3)\nassert result == 42", ["result"]),
        ("int r = Main.f(3);\nassertEquals(42, r);", ["r"]),
        ("List<Integer> r = f(3);\nuse(r);", ["r"]),
        ("$r = f(3);\nassert($r === 42);", ["$r"]),
        ("const r: number = await f(3);\nexpect(r).toBe(1)", ["r"]),
        ("x = f(3)\nx = x + 1\nassert x == 43", []),
        ("x = f(3)\nassert x == 1\nx += 1\nassert x == 2", ["x"]),
        ("x = f(3)[0]\nassert x == 1", []),
        ("x = 1 + f(3)\nassert x == 1", []),
        ("f(3)\nassert x == 1", []),
        ("x = f(3)\nassert xx == 1 and x() == 1 and 'x' == a.x", []),
    ],
)
def test_mentions(text: str, mentioned: list[str]) -> None:
    start = text.index("f(3)") - (5 if "Main." in text else 0)
    mentions = list_mentions(text, [(start, text.index("f(3)") + 4)])
    assert [text[first:last] for first, last in mentions] == mentioned
