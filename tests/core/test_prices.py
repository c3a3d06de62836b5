"""What tokens cost."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Price, Usage

#: In millions of tokens, so that prices are dollars.
MILLION = 1_000_000


def test_parts_of_a_prompt_and_of_a_reply_have_prices_of_their_own() -> None:
    usage = Usage(prompt=3 * MILLION, cached=2 * MILLION, completion=5 * MILLION, reasoning=4 * MILLION)
    assert Price(1.0, 10.0).compute_cost(usage) == pytest.approx(3 * 1 + 5 * 10)
    assert Price(1.0, 10.0, cached=0.1).compute_cost(usage) == pytest.approx(1 + 2 * 0.1 + 50)
    assert Price(1.0, 10.0, reasoning=20.0).compute_cost(usage) == pytest.approx(3 + 10 + 4 * 20)
    assert Price(1.0, 10.0, cached=0.0).compute_cost(usage) == pytest.approx(1 + 50)


def test_what_nobody_knows_has_no_price() -> None:
    assert Price(1.0, 10.0).compute_cost(Usage(prompt=MILLION)) is None
    assert Price(0.0, 0.0).compute_cost(Usage()) == 0.0
    assert Price(1.0, 10.0, cached=0.1).compute_cost(Usage(prompt=MILLION, completion=0)) == 1.0


def test_a_part_is_never_more_than_the_whole() -> None:
    usage = Usage(prompt=MILLION, cached=9 * MILLION, completion=MILLION, reasoning=9 * MILLION)
    assert Price(1.0, 10.0, cached=0.5, reasoning=2.0).compute_cost(usage) == pytest.approx(0.5 + 2.0)


def test_the_highest_cost_is_that_of_the_dearest_part() -> None:
    assert Price(1.0, 10.0, cached=0.1, reasoning=20.0).compute_highest(MILLION, MILLION) == 21.0
    assert Price(1.0, 10.0, cached=2.0, reasoning=0.0).compute_highest(MILLION, MILLION) == 12.0


@pytest.mark.parametrize("price", [(1.0,), "cheap", 2.0, (-1.0, 1.0), (1.0, float("nan")), (1.0, 2.0, -1.0), (1, None)])
def test_what_is_no_price_is_named(price: object) -> None:
    with pytest.raises(ValueError, match="must be"):
        Price.of(price)  # type: ignore[arg-type]


def test_a_plain_pair_is_a_price() -> None:
    assert Price.of((1.0, 2.0)) == Price(1.0, 2.0)
    assert Price.of(None) is None
    assert Price.of((0.0, 0.0)) == Price(0.0, 0.0)
    assert [Price(0.0, 0.0).is_free, Price(0.0, 0.0, 0.0).is_free, Price(0.0, 0.0, reasoning=1.0).is_free] == [
        True,
        True,
        False,
    ]
