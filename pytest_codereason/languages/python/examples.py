"""Worked examples in Python, by name: see ``programs/sources/_examples.py``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.language.dialects import WorkedExample

WORKED_EXAMPLES: Mapping[str, WorkedExample] = {
    "long-words": WorkedExample(
        """\
def f(words, least):
    kept = []
    for word in words:
        if len(word) >= least:
            kept.append(word.upper())
    return kept
""",
        "f",
        "['oak', 'birch', 'maple'], 5",
    ),
    "digit-sum": WorkedExample(
        """\
def f(number):
    total = 0
    while number > 0:
        total += number % 10
        number //= 100
    return total
""",
        "f",
        "40917",
    ),
}
