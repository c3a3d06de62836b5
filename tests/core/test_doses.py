from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Dose
from pytest_codereason.core.doses import find_quarter
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip

PLACES = st.lists(st.integers(), min_size=1, max_size=30, unique=True)
SEEDS = st.integers(0, 2**64 - 1)
DENSITIES = st.floats(0, 1)
#: A file whose quarters begin at the characters 0, 2, 4 and 6.
FOUR_LINES = "a\nb\nc\nd\n"
STRENGTHS = st.none() | st.integers(1, 40)


def choose(places: list[int], dose: Dose, seed: int) -> list[int]:
    return dose.choose(places, Draws(seed), FOUR_LINES, lambda place: 2 * (place % 4))


@given(PLACES, SEEDS)
def test_all_places_are_chosen_unless_the_dose_says_less(places: list[int], seed: int) -> None:
    assert choose(places, Dose(), seed) == places


@given(PLACES, SEEDS, DENSITIES, st.tuples(STRENGTHS, STRENGTHS))
def test_more_strength_chooses_what_less_does_and_more(
    places: list[int], seed: int, density: float, strengths: tuple[int | None, int | None]
) -> None:
    weak, strong = sorted(strengths, key=lambda strength: 99 if strength is None else strength)
    few = choose(places, Dose(strength=weak, density=density), seed)
    many = choose(places, Dose(strength=strong, density=density), seed)
    assert set(few) <= set(many)
    assert len(few) == min(len(many), 99 if weak is None else weak)
    assert few == [place for place in places if place in few], "they stand in the order given"


@given(PLACES, SEEDS, st.tuples(DENSITIES, DENSITIES))
def test_a_denser_dose_chooses_what_a_thinner_one_does_and_more(
    places: list[int], seed: int, densities: tuple[float, float]
) -> None:
    thin, dense = (choose(places, Dose(density=density), seed) for density in sorted(densities))
    assert set(thin) <= set(dense)


@given(PLACES, SEEDS, DENSITIES, STRENGTHS, st.integers(0, 4))
def test_what_is_drawn_afterwards_does_not_depend_on_the_dose(
    places: list[int], seed: int, density: float, strength: int | None, place: int
) -> None:
    one, other = Draws(seed), Draws(seed)
    Dose().choose(places, one, FOUR_LINES, lambda _: 0)
    Dose(density=density, strength=strength, place=place and 1).choose(places, other, FOUR_LINES, lambda _: 0)
    assert one.uniform() == other.uniform()


@given(PLACES, SEEDS, st.integers(1, 4))
def test_a_place_is_a_quarter_of_the_file(places: list[int], seed: int, place: int) -> None:
    wanted = [number for number in places if 1 + number % 4 == place]
    if wanted:
        assert choose(places, Dose(place=place), seed) == wanted
    else:
        with pytest.raises(Skip, match=f"quarter {place}"):
            choose(places, Dose(place=place), seed)


def test_where_there_is_no_place_there_is_no_question() -> None:
    with pytest.raises(Skip, match="nothing to change"):
        choose([], Dose(), 0)


def test_a_density_is_a_share_of_the_places() -> None:
    places = list(range(2000))
    assert 480 < sum(len(choose(places, Dose(density=0.25), seed)) for seed in range(10)) / 10 < 520
    assert choose(places, Dose(density=0), 0) == []


@given(st.lists(st.sampled_from(["", "x", "yy"]), min_size=1, max_size=40), st.booleans())
def test_quarters_are_counted_in_lines(lines: list[str], ended: bool) -> None:
    source = "\n".join(lines) + "\n" * ended
    offsets = [0]
    for line in lines[:-1]:
        offsets.append(offsets[-1] + len(line) + 1)
    quarters = [find_quarter(source, offset) for offset in offsets]
    assert quarters == sorted(quarters)
    assert set(quarters) <= {1, 2, 3, 4}
    if len(lines) % 4 == 0 and (ended or lines[-1]):
        assert [quarters.count(number) for number in (1, 2, 3, 4)] == [len(lines) // 4] * 4
