"""Translations: what tells the answer beforehand is no translation. Programs run in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_codereason.authoring.translation import TranslationText
from pytest_codereason.core import Facts, Program, Rejected, TextRequest
from pytest_codereason.engine.executing import Executor
from pytest_codereason.engine.running import run_to_end

SOURCE = "def f(text, n):\n    return [text.upper()] * n\n"
PROGRAM = Program.from_source(
    language="python", source=SOURCE, call='f("ab", 3)', facts=Facts(input='"ab", 3', output=["AB", "AB", "AB"])
)
BOOL = Program.from_source(
    language="python", source="def f(n):\n    return n > 5\n", call="f(9)", facts=Facts(input="9", output=True)
)
HEAD = "function f(text, n) {\n"
REST = "  return Array(n > 0 ? n : 0).fill(text.toUpperCase());\n}\n"


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    opened = Executor("auto")
    yield opened
    opened.close()


def check(executor: Executor, text: str, program: Program = PROGRAM, language: str = "javascript") -> None:
    run_to_end(TranslationText().check(text, TextRequest("translation", program, language), executor.run))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", HEAD + REST),
        ("php", "<?php\nfunction f($text, $n) {\n    return $n > 0 ? array_fill(0, $n, strtoupper($text)) : [];\n}\n"),
    ],
)
def test_a_translation_is_taken(executor: Executor, language: str, text: str) -> None:
    check(executor, text, language=language)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + "  const all = ['A' + 'B'];\n  return [...all, ...all, ...all];\n}\n", "returns a constant"),
        (HEAD + "  return n === 3 ? Array(n).fill('AB') : [text];\n}\n", "differs on other arguments"),
        (
            HEAD + "  // gives ['AB', 'AB', 'AB']\n" + REST,
            "tells the answer in a comment",
        ),
        (
            HEAD + '  if (text === "ab" && n === 3) return ["AB", "AB", "AB"];\n' + REST,
            "tells the answer",
        ),
    ],
)
def test_what_was_worked_out_beforehand_is_refused(executor: Executor, text: str, reason: str) -> None:
    with pytest.raises(Rejected) as caught:
        check(executor, text)
    assert caught.value.reason == reason
    assert "AB" not in caught.value.words


def test_a_constant_of_one_word_is_seen_by_other_arguments(executor: Executor) -> None:
    with pytest.raises(Rejected, match="returns a constant"):
        check(executor, "function f(n) {\n  return true;\n}\n", BOOL)
    check(executor, "function f(n) {\n  return n > 5;\n}\n", BOOL)
    with pytest.raises(Rejected, match="in a comment"):
        check(executor, "function f(n) {\n  return n > 5; // true here\n}\n", BOOL)
