"""Worked examples in TypeScript, by name: see ``programs/sources/_examples.py``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.language.dialects import WorkedExample

WORKED_EXAMPLES: Mapping[str, WorkedExample] = {
    "long-words": WorkedExample(
        """\
function f(words: string[], least: number): string[] {
    const kept: string[] = [];
    for (const word of words) {
        if (word.length >= least) {
            kept.push(word.toUpperCase());
        }
    }
    return kept;
}
""",
        "f",
        "['oak', 'birch', 'maple'], 5",
    ),
    "digit-sum": WorkedExample(
        """\
function f(number: number): number {
    let total = 0;
    while (number > 0) {
        total += number % 10;
        number = Math.floor(number / 100);
    }
    return total;
}
""",
        "f",
        "40917",
    ),
}
