"""Reads the value of a reply to one question, and holds it against what is expected."""

from __future__ import annotations

from typing import Any

from pytest_codereason import registry
from pytest_codereason.core import Language
from pytest_codereason.questions.replies.literals import Candidate
from pytest_codereason.questions.replies.values import read_value

CALL = "f(81)"


RIGHT = [38, 169, 16, 7]


NOTHING = object()  # the reply gives no answer


NO_LITERAL = object()  # the reply gives one that is none


def prefill_for(language: Language) -> str:
    return f"The completed assertion:\n\n```{language.fence}\n{language.values.assertion(CALL)[0].rstrip()}"


def answer(
    reply: str,
    name: str = "python",
    *,
    program: str = "",
    prefill: str | None = None,
    prefilled: bool = False,
    cut: bool = False,
) -> Candidate | None:
    language = registry.language(name)
    prefill = prefill_for(language) if prefill is None else prefill
    return read_value(
        reply, language=language, call=CALL, program=program, prefill=prefill, prefilled=prefilled, cut=cut
    )


def check(candidate: Candidate | None, expected: Any, name: str = "python") -> None:
    if expected is NOTHING:
        assert candidate is None
        return
    assert candidate is not None
    if expected is NO_LITERAL:
        assert candidate.value is None
        assert candidate.reason
        return
    assert candidate.value is not None, candidate
    assert registry.language(name).values.equal(candidate.value.value, expected), candidate
