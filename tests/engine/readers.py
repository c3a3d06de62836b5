"""A model that answers nothing and counts tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_codereason.core import Completion, Model, Request


class Reader(Model):
    """Takes so many tokens, of which it counts one a character, or none where it has no tokenizer."""

    def __init__(self, length: int | None, *, counts: bool = False) -> None:
        self.label = "reader"
        self._length = length
        self._counts = counts
        self.read: list[str] = []

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Reader:
        raise NotImplementedError

    identity: Mapping[str, Any] = {}
    pinned = True

    async def answer(self, request: Request) -> Completion:
        raise NotImplementedError

    def count_tokens(self, text: str) -> int | None:
        self.read.append(text)
        return len(text) if self._counts else None

    def context_length(self) -> int | None:
        return self._length
