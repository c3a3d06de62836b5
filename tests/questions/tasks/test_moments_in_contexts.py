"""Moments of programs that stand among functions of 16,000 tokens: the right reply is right, whatever was changed."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from pytest_codereason.core import Ask, Instance
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.text.tokens import estimate_length
from pytest_codereason.engine.building.builder import Builder
from pytest_codereason.errors import Skip
from pytest_codereason.programs.contexts.corpora import freeze
from pytest_codereason.programs.contexts.pool import Distractor, Pool
from pytest_codereason.questions.moments.inverse.aims import AIMS
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.questions.tasks.moment import KINDS, Moment
from pytest_codereason.sandbox import Sandbox
from tests.questions import stepping
from tests.questions.moments.telling_programs import (
    BRACKETS,
    CALL,
    FEE,
    IN_JAVA,
    IN_JAVASCRIPT,
    IN_PHP,
    IN_TYPESCRIPT,
    JAVA_CALL,
    PHP_CALL,
    SOURCE,
)

TOKENS = 16_000
#: Functions that surround a program: the first line, one of many, and the last ones.
OTHERS = {
    "python": ("def other_{}(m):", "    m = m * {} - 7", "    return m"),
    "javascript": ("function other_{}(m) {{", "    m = m * {} - 7;", "    return m;\n}}"),
    "typescript": ("function other_{}(m: number): number {{", "    m = m * {} - 7;", "    return m;\n}}"),
    "php": ("function other_{}($m) {{", "    $m = $m * {} - 7;", "    return $m;\n}}"),
    "java": ("static int other_{}(int m) {{", "    m = m * {} - 7;", "    return m;\n}}"),
}
LINES, MANY = 40, 120
DIRECT = {
    "python": (SOURCE, CALL),
    "javascript": (IN_JAVASCRIPT, CALL),
    "typescript": (IN_TYPESCRIPT, CALL),
    "php": (IN_PHP, PHP_CALL),
    "java": (IN_JAVA, JAVA_CALL),
}
#: The last argument with which no exception comes: a program that raises one cannot be changed.
RETURNS = {"python": 0, "javascript": 0, "typescript": 0, "php": 7, "java": 0}
INVERSE = {"reach": (BRACKETS, "pair('[[]]')"), "avoid": (FEE, "fee(30)"), "rounds": (BRACKETS, "pair('[[]]')")}
PERTURBATIONS = ("none", "rename", "dead-code", "misleading-comments")
#: Every kind after every change was tried by hand, by ``CODEREASON_ALL=1``.
EVERY = bool(os.environ.get("CODEREASON_ALL"))
#: What is drawn depends on the program's name, and a side may be drawn that the program lacks.
NAMES = tuple(f"named-{number}" for number in range(8))


def list_asked() -> Iterator[tuple[str, str, str]]:
    """Each kind in Python and in another language, after one of the changes in turn; Java starts slowly."""
    changes, kinds = cycle(PERTURBATIONS), [about for about in KINDS if about != "raise"]
    asked = {"python": [*kinds, *AIMS], "javascript": kinds[::2], "php": kinds[1::2], "java": ["alias"]}
    asked |= {"typescript": ["value", "next", "writer"]}
    for spoken, abouts in asked.items():
        for about in kinds if EVERY and spoken != "python" else abouts:
            yield from ((spoken, about, change) for change in (PERTURBATIONS if EVERY else [next(changes)]))
    yield from ((spoken, "raise", "none") for spoken in DIRECT)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Functions that fill the context, in each language."""
    folder = tmp_path_factory.mktemp("pool")
    for spoken, (head, line, end) in OTHERS.items():
        texts = ["\n".join([head, *[line] * LINES, end]).format(*range(n, n + 99)) for n in range(1000, 1000 + MANY)]
        freeze(Pool("pool", spoken, [Distractor(f"other_{n}", text) for n, text in enumerate(texts, 1000)]), folder)
    return folder


def write_suite(folder: Path, pool: Path, spoken: str, about: str, perturbation: str) -> Suite:
    source, call = INVERSE.get(about) or DIRECT[spoken]
    if about not in (*INVERSE, "raise"):
        call = re.sub(r"\d+\)$", f"{RETURNS[spoken]})", call)
    rows = [{"id": name, "language": spoken, "code": source, "call": call} for name in NAMES]
    (folder / "programs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    path = folder / "long.suite.toml"
    path.write_text(
        f'task = "moment"\nlanguages = ["{spoken}"]\n[source]\nname = "jsonl"\npath = "programs.jsonl"\n'
        f'[context]\npool = "{pool}"\n[matrix]\nabout = ["{about}"]\nperturbation = ["{perturbation}"]\n'
        f"tokens = [{TOKENS}]\nposition = [60]\n",
        encoding="utf-8",
    )
    return load(path)


def find_question(suite: Suite, sandbox: Sandbox) -> tuple[Instance, Ask]:
    """The question about the first of the programs that has a moment."""

    async def run(run: Run) -> Execution:
        return sandbox.run(run)

    for spec in suite.specs():
        instance = asyncio.run(Builder(run).build(suite, spec)).instance
        try:
            return instance, stepping.ask(Moment(), instance, sandbox)
        except Skip as skip:
            reason = str(skip)
    raise AssertionError(reason)


@pytest.mark.slow
@pytest.mark.parametrize(("spoken", "about", "perturbation"), [*list_asked()])
def test_the_truth_is_right_in_a_long_context(
    spoken: str, about: str, perturbation: str, pool: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    sandbox = stepping.RememberingSandbox(sandbox)
    instance, question = find_question(write_suite(tmp_path, pool, spoken, about, perturbation), sandbox)
    shown = question.messages[-1].content
    assert estimate_length(shown) > 0.9 * TOKENS
    assert (instance.original is None) == (perturbation == "none")
    verdict = stepping.judge(Moment(), instance, sandbox, question.truth)[1]
    assert (verdict.outcome, verdict.metrics["exact"]) == ("correct", 1), verdict.reason
    for number in re.findall(r"\b[Ll]ines? (\d+)", shown.rpartition("\n\n")[2]):
        (text,) = re.findall(rf"^ *{number} (.+)$", shown, re.MULTILINE)
        assert text.strip() in instance.program.source, "the line is one of the program"
