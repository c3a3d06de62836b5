"""Who is next: the prompt that shares most with what the engine holds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pytest_codereason.models.local.turns import Turn, Turns

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
    assert run(Turns(CHUNK), prompts) == [
        *(("aaaaaaaaend 0", 0), ("aaaaaaaaend 1", 12), ("aaaaaaaaend 2", 12)),
        *(("bbbbbbbbend 0", 0), ("bbbbbbbbend 1", 12), ("bbbbbbbbend 2", 12)),
    ]


def test_who_shares_nothing_is_asked_in_the_order_of_coming() -> None:
    assert [text for text, _ in run(Turns(CHUNK), [prompt(letter, "1234") for letter in "dacb"])] == [
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
    turns = Turns(CHUNK)
    assert run(turns, [prompt(first, "")]) == [(first, 0)]
    assert run(turns, [prompt(second, "")]) == [(second, shared)]


def test_after_a_prompt_that_failed_the_engine_holds_nothing() -> None:
    turns = Turns(CHUNK)

    async def fail() -> None:
        async with turns.take(prompt("aaaaaaaa", "1")):
            raise ValueError("the engine refuses it")

    assert run(turns, [prompt("aaaaaaaa", "1")]) == [("aaaaaaaa1", 0)]
    with pytest.raises(ValueError, match="refuses"):
        asyncio.run(fail())
    assert run(turns, [prompt("aaaaaaaa", "2")]) == [("aaaaaaaa2", 0)]


def test_who_is_cancelled_while_waiting_or_at_its_turn_holds_nobody_up() -> None:
    async def ask() -> list[tuple[str, int]]:
        turns, log = Turns(CHUNK), list[tuple[str, int]]()
        async with turns.take(prompt("first", "")):
            waiting, given, last = (asyncio.create_task(answer(turns, prompt(name, ""), log)) for name in "wgl")
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.sleep(0)
        given.cancel()  # it has the slot and does not know it yet
        await last
        return log

    assert asyncio.run(asyncio.wait_for(ask(), 5)) == [("l", 0)]


def test_an_empty_engine_is_given_before_all_prompts_that_wait() -> None:
    async def ask() -> list[object]:
        turns, log = Turns(CHUNK), list[object]()

        async def take_empty() -> None:
            async with turns.take_empty():
                log.append("all")
                await asyncio.sleep(0)
                log.append("end")

        shown: list[tuple[str, int]] = []
        async with turns.take(prompt("aaaaaaaa", "1")):
            later = asyncio.create_task(answer(turns, prompt("aaaaaaaa", "2"), shown))
            await asyncio.sleep(0)
            both = [asyncio.create_task(take_empty()) for _ in range(2)]
            await asyncio.sleep(0)
            assert log == []
            assert shown == []
        await asyncio.gather(*both, later)
        return [*log, *shown]

    assert asyncio.run(asyncio.wait_for(ask(), 5)) == ["all", "end", "all", "end", ("aaaaaaaa2", 0)]


@pytest.mark.parametrize(
    ("second", "shared", "more"),
    [
        ("abcdefxy", 4, True),  # it also begins with "ef"
        ("abcdxfgh", 4, False),
        ("abcdefgh123", 8, True),  # the answer to the first may go on with "1"
        ("xbcdefgh", 0, False),
    ],
)
def test_what_the_engine_holds_beyond_the_shared_tokens_is_known(second: str, shared: int, *, more: bool) -> None:
    turns = Turns(CHUNK)

    async def ask() -> Turn:
        async with turns.take(prompt("abcdefgh", "")):
            pass
        async with turns.take(prompt(second, "")) as turn:
            return turn

    assert asyncio.run(ask()) == Turn(shared, more)
