"""Translations: what tells the answer beforehand is no translation. Programs run in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_codereason.core import Completion, Facts, Program, Rejected, TextRequest
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.running import run_to_end
from pytest_codereason.questions.authoring.translation import TranslationText

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + "  const all = ['A' + 'B'];\n  return [...all, ...all, ...all];\n}\n", "returns a constant"),
        (HEAD + "  if (text !== 'ab') for (;;);\n" + REST, "differs on other arguments"),
        (HEAD + "  if (text !== 'ab') throw text;\n" + REST, "differs on other arguments"),
        (HEAD + "  return n === 3 ? Array(n).fill('AB') : [text];\n}\n", "differs on other arguments"),
        (
            HEAD + "  // gives ['AB', 'AB', 'AB']\n" + REST,
            "has a comment",
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


@pytest.mark.slow
def test_a_constant_of_one_word_is_seen_by_other_arguments(executor: Executor) -> None:
    with pytest.raises(Rejected, match="returns a constant"):
        check(executor, "function f(n) {\n  return true;\n}\n", BOOL)
    check(executor, "function f(n) {\n  return n > 5;\n}\n", BOOL)
    with pytest.raises(Rejected, match="has a comment"):
        check(executor, "function f(n) {\n  return n > 5; // true here\n}\n", BOOL)


UNIQUE = Program.from_source(
    language="python",
    source="def f(s, n):\n    out = []\n    for c in s:\n        if c not in out:\n            out.append(c)\n"
    "    return ''.join(out) + str(n * 3)\n",
    call="f('banana', 4)",
    facts=Facts(input="'banana', 4", output="ban12"),
)
PHP = "<?php\nfunction f($s, $n) {\n"
JAVA = (
    "import java.util.*;\nimport java.util.stream.*;\nclass Problem {\n    static String f(String s, long n) {\n"
    "        String out = s.chars().distinct().mapToObj(Character::toString).collect(Collectors.joining());\n"
    "        return out + n * 3;\n    }\n}\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "function f(s, n) {\n  return [...new Set(s)].join('') + String(n * 3);\n}\n"),
        ("php", PHP + "  return implode('', array_unique(str_split($s))) . ($n * 3);\n}\n"),
        ("java", JAVA),
    ],
)
def test_a_translation_that_does_what_the_original_does_near_the_call_is_taken(
    executor: Executor, language: str, text: str
) -> None:
    check(executor, text, UNIQUE, language)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "function f(s, n) {\n  const all = {banana: 'ban'};\n  return (all[s] ?? s) + n * 3;\n}\n"),
        ("javascript", "function f(s, n) {\n  return String.fromCharCode(98, 97, 110) + n * 3;\n}\n"),
        ("javascript", "function f(s, n) {\n  return [...new Set(s)].join('') + 12;\n}\n"),
        ("php", PHP + "  $all = ['banana' => 'ban'];\n  return ($all[$s] ?? $s) . ($n * 3);\n}\n"),
        ("php", PHP + "  return chr(98) . chr(97) . chr(110) . ($n * 3);\n}\n"),
        ("java", JAVA.replace("return out", 'return s.equals("banana") ? out + n * 3 : s')),
        ("java", JAVA.replace("s.chars()", "new String(new char[] {98, 97, 110}).chars()")),
        ("java", JAVA.replace("n * 3", "12")),
    ],
)
def test_each_parameter_must_tell(executor: Executor, language: str, text: str) -> None:
    with pytest.raises(Rejected, match="differs on other arguments"):
        check(executor, text, UNIQUE, language)


BY_NAME = Program.from_source(
    language="python",
    source="def f(s, *, loud=False, mark=''):\n    return (s.upper() if loud else s) + mark\n",
    call="f('ab', loud=True, mark='')",
    facts=Facts(input="'ab', loud=True, mark=''", output="AB"),
)
BY_PLACE = "function f(s, loud, mark) {\n  return (loud ? s.toUpperCase() : s) + mark;\n}\n"


def test_arguments_by_name_and_empty_ones_must_tell_too(executor: Executor) -> None:
    check(executor, BY_PLACE, BY_NAME)
    for wrong in (BY_PLACE.replace("(loud ? s.toUpperCase() : s)", "s.toUpperCase()"), BY_PLACE.replace(" + mark", "")):
        with pytest.raises(Rejected, match="differs on other arguments"):
            check(executor, wrong, BY_NAME)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "function f(s, n) {\n  // b a n 1 2\n  return s; /* 'ban' + '12' */\n}"),
        ("php", "<?php\nfunction f($s, $n) {\n  # b a n 1 2\n  return $s; // 'ban' . '12'\n}"),
        ("java", "class Problem {\n  /** b a n 1 2 */\n  static String f(String s, long n) { return s; /* x */ }\n}"),
    ],
)
def test_no_comment_is_kept(language: str, code: str) -> None:
    request = TextRequest("translation", UNIQUE, language)
    text = TranslationText().read(Completion(text=f"```{language}\n{code}\n```\n"), request)
    assert "return" in text
    assert not any(mark in text for mark in ("//", "/*", "#", "1 2", "12"))
