"""Programs of ``horizon`` for tests."""

from __future__ import annotations

import itertools

from pytest_codereason.core import derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.programs.horizon.drawing import FORMS, Drawn, draw, draw_start
from pytest_codereason.programs.horizon.states import STATES


def draw_many(state: str, form: str, steps: int, count: int, seed: int = 0) -> list[Drawn]:
    """The first programs of these draws that may be asked about."""
    draws = (Draws(derive_seed(seed, state, form, steps, attempt)) for attempt in itertools.count())
    drawn = (draw(state, form, steps, draw_start(state, one), one) for one in draws)
    return [*itertools.islice(filter(None, drawn), count)]


def list_forms(state: str) -> list[str]:
    """The forms that programs over a state may have."""
    return [form for form in FORMS if STATES[state].loops or form == "unrolled"]
