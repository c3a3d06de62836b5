"""No text in a comment is run, whatever a writer puts into a hint: interpreters themselves are asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import pytest

from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Refused
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.languages.fuzzing import TOKENS


class Counter(NamedTuple):
    """A program that counts its own steps; a comment that swallows or adds one is noticed."""

    opening: str
    step: str
    closing: str
    call: str
    forge: str  #: spoils the count where it is run


COUNTERS = {
    "python": Counter("count = 0\n", "count += 1\n", "", "count", "count = -9999"),
    "javascript": Counter("let count = 0;\n", "count += 1;\n", "", "count", "count = -9999;"),
    "php": Counter("<?php\n$count = 0;\n", "$count += 1;\n", "", "$count", "$count = -9999;"),
    "java": Counter(
        "class Problem {\n    static int f() {\n        int count = 0;\n",
        "count += 1;\n",
        "        return count;\n    }\n}\n",
        "Problem.f()",
        "count = -9999;",
    ),
}


def draw_texts(name: str, count: int) -> Iterator[str]:
    """Texts of a writer: tokens that end or hide something, and code after them; as they are, and as a literal."""
    random, write = Random(name), language(name).values.write
    pieces = [*TOKENS, *[COUNTERS[name].forge] * 20, "\v", "\x1c", "\x85", "\u2029", "\n\n", "# -*- coding: utf-7 -*-"]
    for _ in range(count):
        text = "".join(random.choices(pieces, k=random.randint(1, 8)))
        yield random.choice([text, write(text), f"The answer is {write(text)}."])


@pytest.mark.parametrize("name", COUNTERS)
def test_no_text_breaks_out_of_a_comment(name: str, sandbox: Sandbox) -> None:
    counter, comment = COUNTERS[name], language(name).dialect.comment
    comments = []
    for text in draw_texts(name, 2_000):
        with suppress(Refused):
            comments.append(comment(text))
    assert len(comments) > 500
    source = counter.opening + "".join(f"{each}\n{counter.step}" for each in comments) + counter.closing
    execution = sandbox.run(Run.from_source(language=name, source=source, call=counter.call))
    assert execution.value == len(comments), execution.words


@pytest.mark.parametrize("name", COUNTERS)
def test_a_text_that_is_run_spoils_the_count(name: str, sandbox: Sandbox) -> None:
    counter = COUNTERS[name]
    source = f"{counter.opening}{counter.step}{counter.forge}\n{counter.step}{counter.closing}"
    assert sandbox.run(Run.from_source(language=name, source=source, call=counter.call)).value == -9998
