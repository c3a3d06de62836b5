"""The random order of programs."""

from __future__ import annotations

from pytest_codereason.results.verdicts.planned import place_program


def test_the_order_depends_on_the_seed_the_plan_and_the_program() -> None:
    names = [f"python/{number:04}" for number in range(50)]
    orders = {
        (seed, plan): sorted(names, key=lambda name: place_program(seed, plan, name))
        for seed in (0, 1)
        for plan in ("p", "q")
    }
    assert len({tuple(order) for order in orders.values()}) == 4
    assert names not in orders.values()
    assert orders[0, "p"][:3] == ["python/0017", "python/0029", "python/0044"], "the same in every version"
