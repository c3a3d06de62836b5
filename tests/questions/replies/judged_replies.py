"""Replies about ``f(3)``, of which a careful person said what they read."""

from __future__ import annotations

from typing import Any

from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.registry import language

#: Programs about which the replies speak. What they do is not read, but what they hold is no answer.
PROGRAMS = {
    "python": "def f(n):\n    return g(n)\n",
    "javascript": "function f(n) {\n  return g(n);\n}\n",
    "php": "<?php\nfunction f($n) {\n    return g($n);\n}\n",
    "java": "class Main {\n    static Object f(int n) {\n        return g(n);\n    }\n}\n",
}


def reads_as(row: dict[str, Any]) -> bool:
    """Whether a reply is read as the value of its row."""
    lang = language(row["language"])
    call = "Main.f(3)" if row["language"] == "java" else "f(3)"
    answer = read_value(row["text"], language=lang, call=call, program=PROGRAMS[row["language"]])
    expected = lang.values.read(row["value"]).value
    return answer is not None and answer.value is not None and lang.values.equal(answer.value.value, expected)
