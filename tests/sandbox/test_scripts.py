from __future__ import annotations

import pytest

from pytest_codereason.core import Program
from pytest_codereason.sandbox import Sandbox
from tests.sandbox.scripts import list_failing

MAIN = "class Problem { public static void main(String[] a) { %s } }"
LINES = {
    "java": ["assert 1 == 1;", "assert 1 == 2;", "a = null; a[0] = null;"],
    "javascript": ["const one = 1;", "require('assert')(1 === 2);", "const one = 1; null.x;"],
    "php": ["1 === 1;", "throw new Exception();", "f();"],
}
ENDS = [("java", "System.exit(0);"), ("java", "int x = true;"), ("javascript", "process.exit(0);")]


def write(language: str, line: str) -> Program:
    return Program.from_source(language=language, source=MAIN % line if language == "java" else line, call="")


@pytest.mark.slow
@pytest.mark.parametrize("language", LINES)
def test_the_failing_scripts_of_many_are_named(language: str, sandbox: Sandbox) -> None:
    scripts = {number: write(language, line) for number, line in enumerate(LINES[language])}
    assert set(list_failing(scripts, sandbox)) == {1, 2}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "line"), ENDS)
def test_one_that_ends_all_is_named(language: str, line: str, sandbox: Sandbox) -> None:
    scripts = {"bad": write(language, line), "good": write(language, LINES[language][0])}
    assert set(list_failing(scripts, sandbox)) == {"bad"}
