"""Worked examples of our own, the same in four languages: for data sets whose programs must not be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pytest_codereason.core import Program
from pytest_codereason.registry import language


class Example(NamedTuple):
    """A small function ``f`` in each language, the arguments of its call, and its value as Python has it."""

    sources: Mapping[str, str]
    inputs: Mapping[str, str]
    output: object
    #: names nothing of the program, so that it holds under other names too; ``{true}`` and ``{false}`` are as the
    #: language writes them
    reasoning: str


def program(example: Example, name: str) -> Program:
    """The example in one language, with the facts ``input``, ``output`` and ``reasoning``."""
    lang = language(name)
    function = "Problem.f" if name == "java" else "f"
    words = {"true": lang.values.write(True), "false": lang.values.write(False)}
    facts = {
        "input": example.inputs[name],
        # As the language itself would give it back: a list of PHP is an array, of Java one of longs.
        "output": lang.values.read(lang.values.write(example.output)).value,
        "reasoning": example.reasoning.format(**words),
    }
    call = f"{function}({example.inputs[name]})"
    return Program(language=name, source=example.sources[name], call=call, facts=facts, origin="pytest-codereason")


LONG_WORDS = Example(
    sources={
        "python": """\
def f(words, least):
    kept = []
    for word in words:
        if len(word) >= least:
            kept.append(word.upper())
    return kept
""",
        "javascript": """\
function f(words, least) {
    const kept = [];
    for (const word of words) {
        if (word.length >= least) {
            kept.push(word.toUpperCase());
        }
    }
    return kept;
}
""",
        "php": """\
<?php
function f($words, $least) {
    $kept = [];
    foreach ($words as $word) {
        if (strlen($word) >= $least) {
            $kept[] = strtoupper($word);
        }
    }
    return $kept;
}
""",
        "java": """\
import java.util.*;

class Problem {
    public static List<String> f(List<String> words, int least) {
        List<String> kept = new ArrayList<>();
        for (String word : words) {
            if (word.length() >= least) {
                kept.add(word.toUpperCase());
            }
        }
        return kept;
    }
}
""",
    },
    inputs={
        "python": "['oak', 'birch', 'maple'], 5",
        "javascript": "['oak', 'birch', 'maple'], 5",
        "php": "['oak', 'birch', 'maple'], 5",
        "java": 'List.of("oak", "birch", "maple"), 5',
    },
    output=["BIRCH", "MAPLE"],
    reasoning="""\
The call gives three strings and the shortest length 5.
"oak" has 3 letters, 3 >= 5 is {false}: it is left out.
"birch" has 5 letters, 5 >= 5 is {true}: "BIRCH" is added.
"maple" has 5 letters, 5 >= 5 is {true}: "MAPLE" is added.
So "BIRCH" and "MAPLE" are returned.""",
)

DIGIT_SUM = Example(
    sources={
        "python": """\
def f(number):
    total = 0
    while number > 0:
        total += number % 10
        number //= 100
    return total
""",
        "javascript": """\
function f(number) {
    let total = 0;
    while (number > 0) {
        total += number % 10;
        number = Math.floor(number / 100);
    }
    return total;
}
""",
        "php": """\
<?php
function f($number) {
    $total = 0;
    while ($number > 0) {
        $total += $number % 10;
        $number = intdiv($number, 100);
    }
    return $total;
}
""",
        "java": """\
class Problem {
    public static int f(int number) {
        int total = 0;
        while (number > 0) {
            total += number % 10;
            number /= 100;
        }
        return total;
    }
}
""",
    },
    inputs=dict.fromkeys(("python", "javascript", "php", "java"), "40917"),
    output=20,
    reasoning="""\
The call gives 40917, and the sum begins with 0.
40917 leaves 7 when divided by 10: the sum is 7. 40917 divided by 100 is 409.
409 leaves 9: the sum is 16. 409 divided by 100 is 4.
4 leaves 4: the sum is 20. 4 divided by 100 is 0, which ends the loop.
The sum returned is 20.""",
)

EXAMPLES = (LONG_WORDS, DIGIT_SUM)
