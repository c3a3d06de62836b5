"""Who is next at the engine: the prompt that shares most of its beginning with what the engine has computed.

The engine answers one prompt at a time and keeps its tokens, so a prompt that begins alike is computed from the first
token on that differs, or from the chunk with it. Questions of a suite come in an order that changes the beginning every
time; their turns come in an order that changes it seldom.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt at the engine."""

    shared: int  #: tokens at the beginning that need not be computed
    more: bool  #: whether the engine holds more of the prompt than those


class Turns:
    """Gives the engine to one prompt at a time.

    Args:
        kept: of a beginning that is alike, only whole multiples of so many tokens are shared.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._held: Sequence[int] = ()  # the prompt whose tokens are computed
        self._free = True
        self._waiting: dict[asyncio.Future[Turn], Sequence[int]] = {}
        self._first: list[asyncio.Future[Turn]] = []  # who wants an engine that holds nothing, before all prompts

    @asynccontextmanager
    async def take(self, tokens: Sequence[int]) -> AsyncIterator[Turn]:
        """A turn for a prompt. Once the block has ended without an exception, the engine holds the prompt."""
        turn = await self._wait(tokens)
        self._held = ()  # after an exception nobody knows how far it was computed
        try:
            yield turn
            self._held = tokens
        finally:
            self._give()

    @asynccontextmanager
    async def take_empty(self) -> AsyncIterator[None]:
        """A turn before all prompts that wait, after which the engine holds nothing."""
        await self._wait(None)
        self._held = ()
        try:
            yield
        finally:
            self._give()

    async def _wait(self, tokens: Sequence[int] | None) -> Turn:
        if self._free:
            self._free = False
            return self._make(tokens or ())
        future: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        if tokens is None:
            self._first.append(future)
        else:
            self._waiting[future] = tokens
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._give()  # it was given the turn and will not use it
            raise

    def _give(self) -> None:
        """Gives the turn to the prompt that shares most with what the engine holds; among equals to the first."""
        self._first = [future for future in self._first if not future.done()]
        self._waiting = {future: tokens for future, tokens in self._waiting.items() if not future.done()}
        if self._first:
            self._first.pop(0).set_result(self._make(()))
        elif self._waiting:
            future = max(self._waiting, key=lambda future: self._count(self._waiting[future]))
            future.set_result(self._make(self._waiting.pop(future)))
        else:
            self._free = True

    def _make(self, tokens: Sequence[int]) -> Turn:
        shared, held = self._count(tokens), self._held
        return Turn(shared, shared > 0 and (shared == len(held) or held[shared] == tokens[shared]))

    def _count(self, tokens: Sequence[int]) -> int:
        """The tokens at the beginning that are alike, in whole multiples. The last token is always computed."""
        alike = 0
        for token, held in zip(tokens[:-1], self._held, strict=False):
            if token != held:
                break
            alike += 1
        return alike // self._kept * self._kept
