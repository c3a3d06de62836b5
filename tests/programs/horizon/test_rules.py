"""A program breaks a rule where its run has a short cut, and the programs that are asked about have none."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from pytest_codereason.core.language.pseudocode import ExecutedStep, If, Literal, walk_statements
from pytest_codereason.programs.generation.evaluation import Scope, evaluate
from pytest_codereason.programs.horizon.drawing import Drawn
from pytest_codereason.programs.horizon.operations import BODY, branch, step
from pytest_codereason.programs.horizon.rules import Unfit, Watcher, is_riddle
from pytest_codereason.programs.horizon.states import STATES
from tests.examples import take_every
from tests.programs.horizon.drawn import draw_many
from tests.programs.horizon.kinds import list_numbers, measure_difficulty

#: States in whose programs two states never become one.
REVERSIBLE = [name for name in STATES if name not in ("calls", "queue")]
LOOPED = [name for name in STATES if STATES[name].loops]


def watch(texts: Sequence[str], *, idle: float = 0.0, lead: int = 0) -> Watcher:
    """A watcher that saw the texts one after another, the first as the start."""
    watcher = Watcher(STATES["text"], texts[0], len(texts) - 1 + lead, idle=idle)
    for text in texts[1:]:
        watcher(step(), {"s": text})
    return watcher


def test_a_step_moves_the_state() -> None:
    watch("abcd").check_end()
    with pytest.raises(Unfit):
        watch("abb")
    watch(["a", *"bb", *map(str, range(1000, 1040))], idle=0.05).check_end()
    with pytest.raises(Unfit):
        watch(["a", *"bb", *map(str, range(1000, 1010))], idle=0.05)


def test_the_last_steps_all_move_it() -> None:
    numbers = [*map(str, range(1000, 1100))]
    watch([*numbers, *"bb", *"cdefghij"], idle=0.05).check_end()
    with pytest.raises(Unfit):
        watch([*numbers, *"bb", *"cdefghi"], idle=0.05).check_end()


def test_no_round_begins_where_another_did() -> None:
    watch("abcdbcxy")
    with pytest.raises(Unfit):
        watch("abcda")
    with pytest.raises(Unfit):
        watch("abcdefghe")
    watch("abcda", lead=1)


def test_the_last_state_is_new() -> None:
    with pytest.raises(Unfit):
        watch("abcdefb").check_end()


def test_what_is_forgotten_was_not_seen() -> None:
    watcher = watch("abcdefgh")
    watcher(step(), {"s": "i"})
    watcher.forget(3)
    assert watcher.states == [*"abcd"]
    for text in "efghi":
        watcher(step(), {"s": text})
    watcher.check_end()


def test_a_condition_is_true_now_and_then() -> None:
    assert is_riddle([True] * 7)
    assert not is_riddle([True] * 8)
    assert is_riddle([True, False, False, True, True, True, False, True])
    assert not is_riddle([True, False] * 8)
    assert not is_riddle([True, True, False, True, False, False, True, False] * 3), "a period of eight"
    assert not is_riddle([False] * 9 + [True])


def test_the_condition_of_a_body_is_looked_at() -> None:
    then, otherwise = step(), step()
    watcher = Watcher(STATES["text"], "a", 40, idle=0)
    watcher.expect((branch(Literal(True), then, otherwise),))
    for number in range(40):
        watcher(then if number % 2 else otherwise, {"s": str(number)})
    with pytest.raises(Unfit):
        watcher.check_end()


def without(drawn: Drawn, number: int) -> Any:
    return evaluate(drawn.module, limit=10**9, without=number).value


def test_every_step_is_needed() -> None:
    for state in STATES:
        (drawn,) = draw_many(state, "looped" if STATES[state].loops else "unrolled", 12, 1)
        assert all(without(drawn, number) != drawn.output for number in range(1, 13)), state


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_every_step_that_moves_the_state_is_needed(state: str) -> None:
    needed = seen = 0
    for form, steps in (("unrolled", 3), ("unrolled", 64), ("looped", 64), ("nested", 64), ("looped", 512)):
        if form != "unrolled" and not STATES[state].loops:
            continue
        for drawn in draw_many(state, form, steps, 1):
            states = drawn.list_states()
            ends = {*range(1, 17), *range(steps - 15, steps + 1), *range(17, steps, max(1, steps // 32))}
            moving = [number for number in range(1, steps + 1) if states[number] != states[number - 1]]
            assert len(moving) >= 0.95 * steps
            chosen = [number for number in moving if steps <= 64 or number in ends]
            needed += sum(without(drawn, number) != drawn.output for number in chosen)
            seen += len(chosen)
    assert needed >= (1.0 if state in REVERSIBLE else 0.99) * seen


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_answers_are_as_uncertain_as_starts(state: str) -> None:
    """At least 20 bits a start by construction; the answer has them too.

    Of the queue, whose smallest number grows, it has less than the start, but enough.
    """
    programs = draw_many(state, "looped" if STATES[state].loops else "unrolled", 64, 150)
    before = measure_entropy([list_numbers(one.start) for one in programs])
    after = measure_entropy([list_numbers(one.output) for one in programs])
    assert after >= before - 0.1 if state != "queue" else after * len(programs[0].output) > 20
    assert len({repr(one.output) for one in programs}) == len(programs)


def measure_entropy(rows: Sequence[Sequence[int]]) -> float:
    """The mean entropy of a place in bits; numbers beyond digits by their tens."""
    most = max(map(max, rows))
    scale = 10 if 10 <= most < 100 else 1
    entropies = []
    for place in zip(*rows, strict=True):
        counts = Counter(number // scale for number in place)
        entropies.append(-sum(count / len(rows) * math.log2(count / len(rows)) for count in counts.values()))
    return sum(entropies) / len(entropies)


@pytest.mark.slow
@pytest.mark.parametrize("state", LOOPED)
def test_no_loop_comes_back_and_no_condition_has_a_short_period(state: str) -> None:
    """Looked at by the states and branches of a run. Of programs drawn freely, a third or more break this."""
    for drawn in draw_many(state, "looped", 1024, 6):
        states = drawn.list_states()
        heads = [*map(repr, states[::BODY])]
        assert len(set(heads)) == len(heads)
        assert states[-1] not in states[:-1]
        truths = list_truths(drawn)
        assert STATES[state].recurses or state == "queue" or 0.2 <= sum(truths) / len(truths) <= 0.8
        assert all(truths[period:] != truths[:-period] for period in range(1, 9) if truths)


def list_truths(drawn: Drawn) -> list[bool]:
    bodies = [function.body for function in drawn.module.functions]
    ifs = [one for body in bodies for one in walk_statements(body) if isinstance(one, If)]
    branches = {inner[0]: place == 0 for one in ifs for place, (_, inner) in enumerate(one.branches)}
    truths: list[bool] = []

    def note(one: ExecutedStep, scope: Scope) -> None:
        if one in branches:
            truths.append(branches[one])

    evaluate(drawn.module, limit=10**9, watch=note)
    return truths


@pytest.mark.slow
@pytest.mark.parametrize("state", [*STATES][:: take_every(2)])
def test_a_step_is_as_hard_in_a_short_program_as_in_a_long_one(state: str) -> None:
    """The shares of kinds of operations, of sums that carry, and the mean operand: at most 5 points apart."""
    cells = [("unrolled", 1, 2000), ("unrolled", 4, 500), ("unrolled", 64, 40), ("unrolled", STATES[state].unrolled, 3)]
    if STATES[state].loops:
        cells += [("looped", 4, 500), ("looped", 64, 200), ("looped", 512, 50)]
    measured = [measure_difficulty(draw_many(state, form, steps, count)) for form, steps, count in cells]
    for name in {name for shares in measured for name in shares}:
        values = [shares.get(name, 0.0) for shares in measured]
        assert max(values) - min(values) <= 0.05, (name, values)
