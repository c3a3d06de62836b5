"""Kinds of text for tests: a word that is checked, with a rule or with the rule alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_codereason.core import Completion, Message, Rejected, TextKind, TextRequest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text_kinds import RunProgram


class Word(TextKind):
    """A word without the letter x; the shorter the better. A file may hold it in capitals alone."""

    name = "word"
    version = 1
    temperatures = (0.0, 0.5)

    def ask(self, request: TextRequest) -> tuple[Message, ...]:
        return (Message("user", f"a word?{request.of}"),)

    def read(self, completion: Completion, request: TextRequest) -> str:
        return completion.text

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        if "x" in text:
            raise Rejected("had an x", "No x, please.")
        return len(text) - 1

    async def check_frozen(self, text: str, request: TextRequest, run: RunProgram) -> int:
        if not text.isupper():
            raise Rejected("was no capital")
        return 0

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        return ("drawn",)

    def count_rejections(self, rejections: Mapping[str, int]) -> Mapping[str, int]:
        return dict(rejections)

    def ask_again(self, request: TextRequest, rejected: Rejected) -> tuple[Message, ...]:
        return (Message("user", rejected.words),)


class RuledWord(Word):
    """The same, which no model writes."""

    name = "ruled-word"
    by_rule = True
