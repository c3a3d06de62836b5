"""Who is next at a slot: the prompt that shares most with what the slot holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pytest_codereason.models.local.turns import Turns

CHUNK = 4


def prompt(start: str, end: str) -> list[int]:
    return [ord(character) for character in start + end]


async def answer(turns: Turns, tokens: Sequence[int], log: list[tuple[str, int]]) -> None:
    async with turns.take(list(tokens)) as turn:
        log.append(("".join(map(chr, tokens)), turn.shared))
        await asyncio.sleep(0)


def run(turns: Turns, prompts: Sequence[Sequence[int]]) -> list[tuple[str, int]]:
    """Which prompts had their turns, in their order, and how many of their tokens were not computed."""

    async def ask() -> list[tuple[str, int]]:
        log: list[tuple[str, int]] = []
        await asyncio.gather(*(answer(turns, tokens, log) for tokens in prompts))
        return log

    return asyncio.run(ask())


def test_prompts_that_begin_alike_follow_each_other() -> None:
    prompts = [prompt(start * 8, f"end {n}") for n in range(3) for start in "ab"]
    assert run(Turns(1, CHUNK), prompts) == [
        *(("aaaaaaaaend 0", 0), ("aaaaaaaaend 1", 12), ("aaaaaaaaend 2", 12)),
        *(("bbbbbbbbend 0", 0), ("bbbbbbbbend 1", 12), ("bbbbbbbbend 2", 12)),
    ]


def test_who_shares_nothing_is_asked_in_the_order_of_coming() -> None:
    assert [text for text, _ in run(Turns(1, CHUNK), [prompt(letter, "1234") for letter in "dacb"])] == [
        *("d1234", "a1234", "c1234", "b1234")
    ]


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        ("abcdefgh", "abcdefgh", 4),  # the last token is always computed, with its chunk
        ("abcdefgh", "abcdefghi", 8),
        ("abcdefgh", "abcdefxh", 4),
        ("abcdefg", "abcdefgh", 4),  # the second chunk of the first is no whole one
        ("abc", "abcd", 0),
        ("xbcdefgh", "abcdefgh", 0),
    ],
)
def test_only_whole_chunks_are_shared(first: str, second: str, shared: int) -> None:
    turns = Turns(1, CHUNK)
    assert run(turns, [prompt(first, "")]) == [(first, 0)]
    assert run(turns, [prompt(second, "")]) == [(second, shared)]


def test_a_prompt_takes_the_free_slot_that_it_shares_most_with_else_the_emptiest() -> None:
    turns = Turns(2, CHUNK)

    async def ask() -> list[int]:
        used = []
        for text in ("aaaaaaaa1", "bbbbbbbb1", "aaaaaaaa2", "bbbbbbbb2", "aaaaaaaa3"):
            async with turns.take(prompt(text, "")) as turn:
                used.append(turn.slot.number)
        return used

    assert asyncio.run(ask()) == [0, 1, 0, 1, 0]


def test_a_slot_whose_prompt_failed_holds_nothing() -> None:
    turns = Turns(1, CHUNK)

    async def fail() -> None:
        async with turns.take(prompt("aaaaaaaa", "1")):
            raise ValueError("the engine refuses it")

    assert run(turns, [prompt("aaaaaaaa", "1")]) == [("aaaaaaaa1", 0)]
    with pytest.raises(ValueError, match="refuses"):
        asyncio.run(fail())
    assert run(turns, [prompt("aaaaaaaa", "2")]) == [("aaaaaaaa2", 0)]


def test_who_is_cancelled_while_waiting_or_at_its_turn_holds_nobody_up() -> None:
    async def ask() -> list[tuple[str, int]]:
        turns, log = Turns(1, CHUNK), list[tuple[str, int]]()
        async with turns.take(prompt("first", "")):
            waiting, given, last = (asyncio.create_task(answer(turns, prompt(name, ""), log)) for name in "wgl")
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.sleep(0)
        given.cancel()  # it has the slot and does not know it yet
        await last
        return log

    assert asyncio.run(asyncio.wait_for(ask(), 5)) == [("l", 0)]


def test_all_slots_are_taken_when_the_last_is_free_and_are_empty_then() -> None:
    async def ask() -> list[object]:
        turns, log = Turns(2, CHUNK), list[object]()

        async def take_all() -> None:
            async with turns.take_all():
                log.append("all")
                await asyncio.sleep(0)
                log.append("end")

        shown: list[tuple[str, int]] = []
        async with turns.take(prompt("aaaaaaaa", "1")):
            all_ = [asyncio.create_task(take_all()) for _ in range(2)]
            await asyncio.sleep(0)
            later = asyncio.create_task(answer(turns, prompt("aaaaaaaa", "2"), shown))
            await asyncio.sleep(0)
            assert log == []
            assert shown == []
        await asyncio.gather(*all_, later)
        return [*log, *shown]

    assert asyncio.run(asyncio.wait_for(ask(), 5)) == ["all", "end", "all", "end", ("aaaaaaaa2", 0)]
