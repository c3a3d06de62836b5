"""A made-up reader whose horizon is known, by which measurements of horizons are checked."""

from __future__ import annotations

import random
from typing import NamedTuple

from pytest_codereason.core import Request, derive_seed
from pytest_codereason.errors import ModelError
from pytest_codereason.models.shared.arguments import ModelArguments

#: The axes that a reader looks at, the first one that the question has.
AXES = ("steps", "level")
_TRIES = 8


class Reader(NamedTuple):
    """A reader that is right in half of the questions at ``horizon`` steps, and less often the further it reads.

    ``Reader(horizon=16, slope=1.5, lapse=0.0)`` is right in 89 % of the questions of 4 steps, and in 11 % of those
    of 64 steps.
    """

    horizon: float = 16.0  #: the value of the axis at which half of the answers are right
    slope: float = 1.5  #: how fast the curve falls
    lapse: float = 0.02  #: the share of wrong answers to the easiest questions
    axis: str = ""  #: the axis; empty for the first of :data:`AXES` that the question has
    seed: int = 0  #: of its luck; readers of one seed fail at the same questions

    @classmethod
    def read(cls, arguments: ModelArguments) -> Reader:
        """The reader that ``--model-arg`` describes.

        Raises:
            UsageError: a number cannot be.
        """
        default = cls()
        reader = cls(
            horizon=arguments.number("horizon", default.horizon),
            slope=arguments.number("slope", default.slope),
            lapse=arguments.number("lapse", default.lapse),
            axis=arguments.text("axis", "") or "",
            seed=arguments.integer("seed", 0) or 0,
        )
        for key, value in (("horizon", reader.horizon), ("slope", reader.slope)):
            if not value:
                raise arguments.make_error(key, f"{value:g}", "a number above 0")
        if reader.lapse >= 0.5:
            raise arguments.make_error("lapse", f"{reader.lapse:g}", "a number from 0 to less than 0.5")
        return reader

    def chance(self, place: float) -> float:
        """How likely it is right at a value of the axis."""
        if place <= 0:
            return 1 - self.lapse
        half = self.horizon / (1 - 2 * self.lapse) ** (1 / self.slope)
        return float((1 - self.lapse) / (1 + (place / half) ** self.slope))

    async def reply(self, request: Request) -> str:
        """The right reply or a wrong one. The same question and sample get the same reply in every process.

        Raises:
            ModelError: the question has no such axis, or its value is no number.
        """
        axes = request.instance.axes
        axis = self.axis or next((name for name in AXES if name in axes), AXES[0])
        place = axes.get(axis)
        if isinstance(place, (str, bool)) or place is None:
            raise ModelError(f"this question has no number of {axis}: name an axis that has, --model-arg axis=NAME")
        instance = request.instance
        draw = random.Random(
            derive_seed(instance.seed, "baseline:reader", self.seed, instance.suite, *request.draw)
        ).random
        if draw() < self.chance(float(place)):
            return request.ask.truth
        guesses = (request.ask.guess(draw) for _ in range(_TRIES))
        return next((guess for guess in guesses if guess != request.ask.truth), "")
