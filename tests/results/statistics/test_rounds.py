"""Which questions a round asks, and when a cell ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from pytest_codereason.core import derive_seed
from pytest_codereason.core.adaptive import Seen, list_first, list_rungs
from pytest_codereason.results.statistics.rounds import choose_round
from tests.results.statistics.readers import PLACES, RULES, Reader, ask


def name_draws(*names: str | int) -> Callable[[int], int]:
    return lambda place: derive_seed(0, *names, place)


def see(right: Sequence[float], wrong: Sequence[float], times: int = 3, left: int = 20) -> dict[float, Seen]:
    """What is known of every rung after ``times`` right or wrong answers at some of them."""
    known = {place: Seen(times, times, left=left) for place in right}
    known |= {place: Seen(0, times, left=left) for place in wrong}
    return {place: known.get(place, Seen(left=left)) for place in PLACES}


def test_the_first_round_asks_at_0_and_at_every_second_octave() -> None:
    assert list_first(PLACES) == [0, 1, 4, 16, 64, 256, 1024, 4096]
    assert list_first([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 4]
    assert list_first([3, 5, 20]) == [3, 20]
    assert list_first([0]) == [0]


def test_rungs_are_octaves_and_what_lies_between_them() -> None:
    assert list_rungs(16) == [0, 1, 2, 3, 4, 6, 8, 12, 16]
    assert tuple(map(float, list_rungs(4096))) == PLACES
    assert list_rungs(10) == [0, 1, 2, 3, 4, 6, 8, 10]


def test_later_rounds_ask_where_half_are_right() -> None:
    chosen = choose_round(see([0, 1, 4, 16], [64, 256]), RULES, 18, name_draws("a"))
    assert isinstance(chosen, list)
    assert len(chosen) == RULES.batch
    assert all(4 <= rung <= 512 for rung in chosen)
    assert 0 not in chosen


def test_equal_answers_lead_to_equal_questions_and_other_draws_to_others() -> None:
    known = see([0, 1, 4, 16], [64, 256])
    again = dict(sorted(known.items(), reverse=True))
    assert choose_round(known, RULES, 18, name_draws("a")) == choose_round(again, RULES, 18, name_draws("a"))
    draws = [choose_round(known, RULES, 18, name_draws(name)) for name in "abcd"]
    assert any(draw != draws[0] for draw in draws)


def test_a_rung_without_programs_is_passed_over() -> None:
    known = see([0, 1, 4, 16], [64, 256])
    full = choose_round(known, RULES, 18, name_draws("a"))
    assert isinstance(full, list)
    empty = {rung: seen._replace(left=0) if rung in full else seen for rung, seen in known.items()}
    chosen = choose_round(empty, RULES, 18, name_draws("a"))
    assert isinstance(chosen, list)
    assert not set(chosen) & set(full)


def test_a_round_never_asks_more_than_a_rung_or_the_budget_has() -> None:
    known = {rung: seen._replace(left=1) for rung, seen in see([0, 1, 4, 16], [64, 256]).items()}
    chosen = choose_round(known, RULES, 18, name_draws("a"))
    assert len(set(chosen)) == len(chosen) == RULES.batch
    rest = choose_round(known, replace(RULES, budget=20), 18, name_draws("a"))
    assert len(rest) == 2


@pytest.mark.parametrize(
    ("known", "asked", "ended"),
    [
        (see([], [1, 2, 4, 16], 6), 24, "below"),
        (see(PLACES, [], 6), 60, "above"),
        (see([0, 1, 2, 4, 8, 16], [32, 64], 9), 60, "precision"),
        (see([0, 1, 4], [2, 3, 64], 1), 64, "budget"),
        (see([0, 1, 4], [64], 1, left=0), 8, "exhausted"),
    ],
)
def test_a_cell_ends(known: dict[float, Seen], asked: int, ended: str) -> None:
    assert choose_round(known, RULES, asked, name_draws("a")) == ended


def test_a_cell_may_end_before_its_horizon_is_known() -> None:
    asked: list[dict[float, Seen]] = []

    def is_decided(rungs: Mapping[float, Seen]) -> bool:
        asked.append(dict(rungs))
        return True

    known, sure = see([0, 1, 4, 16], [64, 256]), see([0, 1, 2, 4, 8, 16], [32, 64], 9)
    assert isinstance(choose_round(known, RULES, 18, name_draws("a")), list)
    assert choose_round(known, RULES, 18, name_draws("a"), is_decided) == "decided"
    assert choose_round(known, RULES, 64, name_draws("a"), is_decided) == "decided", "the budget is spent too"
    assert choose_round(sure, RULES, 60, name_draws("a"), is_decided) == "precision"
    assert asked == [known, known]


def test_a_rung_whose_replies_are_cut_off_is_closed_with_those_above_it() -> None:
    known = see([0, 1, 4, 16, 64, 96, 128], [], 4)
    known[256] = Seen(cut=3, left=20)
    assert choose_round(known, RULES, 31, name_draws("a")) == "cut"
    known[128] = Seen(0, 6, left=20)
    chosen = choose_round(known, RULES, 31, name_draws("a"))
    assert chosen == "precision" or all(rung < 256 for rung in chosen if not isinstance(rung, str))
    assert not Seen(scored=10, cut=3).is_closed, "3 of 13 are few"


@pytest.mark.parametrize(
    ("reader", "ended"), [(Reader(0.02), "below"), (Reader(10**6), "above"), (Reader(64, 2.0), "precision")]
)
def test_readers_of_every_reach_are_asked_to_an_end(reader: Reader, ended: str) -> None:
    trials = [ask(reader, RULES, seed) for seed in range(8)]
    assert [trial.ended for trial in trials].count(ended) >= 6
    assert all(trial.asked <= RULES.budget for trial in trials)
