"""Who is next at a slot of the engine: the prompt that shares most of its beginning with what the slot has computed.

llama.cpp computes a prompt in chunks. A slot keeps the tokens of its last prompt, so a prompt that begins alike is
computed from the first chunk on that differs. Questions of a suite come in an order that changes the beginning every
time; their turns come in an order that changes it seldom.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Slot:
    """A place in the engine where one prompt at a time is answered."""

    number: int
    held: list[int] = field(default_factory=list)  #: the prompt whose tokens are computed


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt at one slot."""

    slot: Slot
    shared: int  #: tokens at the beginning that the slot need not compute


class Turns:
    """Gives the slots to prompts.

    Args:
        slots: how many there are.
        chunk: tokens that are computed together. Only whole chunks are shared.
    """

    def __init__(self, slots: int, chunk: int) -> None:
        self._count_all = slots
        self._free = [Slot(number) for number in range(slots)]
        self._emptied: list[asyncio.Future[None]] = []  # who waits for all slots
        self._chunk = chunk
        self._waiting: dict[asyncio.Future[Turn], Sequence[int]] = {}

    @asynccontextmanager
    async def take(self, tokens: Sequence[int]) -> AsyncIterator[Turn]:
        """A turn for a prompt. Once the block has ended without an exception, the slot holds the prompt."""
        turn = await self._wait(tokens)
        turn.slot.held, held = [], turn.slot.held
        try:
            yield turn
            held = list(tokens)
        except BaseException:
            held = []  # nobody knows how far it was computed
            raise
        finally:
            turn.slot.held = held
            self._give(turn.slot)

    @asynccontextmanager
    async def take_all(self) -> AsyncIterator[None]:
        """All slots at once, each empty. No prompt gets one meanwhile."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._emptied.append(future)
        try:
            self._give_all()
            await future
            for slot in self._free:
                slot.held = []
            yield
        finally:
            self._emptied.remove(future)
            self._give_all()

    async def _wait(self, tokens: Sequence[int]) -> Turn:
        if self._free and not self._emptied:
            slot = max(self._free, key=lambda slot: (self._count(tokens, slot), -len(slot.held), -slot.number))
            self._free.remove(slot)
            return Turn(slot, self._count(tokens, slot))
        future: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        self._waiting[future] = tokens
        try:
            return await future
        except asyncio.CancelledError:
            if self._waiting.pop(future, None) is None and not future.cancelled():
                self._give(future.result().slot)  # it was given the slot and will not use it
            raise

    def _give(self, slot: Slot) -> None:
        self._free.append(slot)
        self._give_all()

    def _give_all(self) -> None:
        """Gives each free slot to the prompt that shares most with it; among equals to the first that came."""
        if self._emptied:
            if len(self._free) == self._count_all and not any(future.done() for future in self._emptied):
                self._emptied[0].set_result(None)
            return
        while self._free and self._waiting:
            slot = self._free.pop(0)
            future = max(self._waiting, key=lambda future: self._count(self._waiting[future], slot))
            future.set_result(Turn(slot, self._count(self._waiting.pop(future), slot)))

    def _count(self, tokens: Sequence[int], slot: Slot) -> int:
        """The tokens of all whole chunks at the beginning that are alike. The last token is always computed."""
        held, chunk, count = slot.held, self._chunk, 0
        while (end := count + chunk) < len(tokens) and end <= len(held) and tokens[count:end] == held[count:end]:
            count = end
        return count
