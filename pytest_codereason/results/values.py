"""The values that results consist of: estimates, differences, shares, counts, labels, or nothing for a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: What an estimate counts: right answers among answers, a plain mean, tokens, percent of something else, levels.
Unit = Literal["share", "mean", "tokens", "percent", "level"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where a share of right answers would lie if the token limit had cut off no answer.

    Example: of 200 answers 124 are right and 9 are truncated. The share is 0.62, its bounds are 0.62 and 0.665.
    """

    all_wrong: float  #: the share if every truncated answer were wrong
    all_right: float  #: the share if every truncated answer were right
    truncated: int  #: truncated answers, at least 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95 % interval; ``value`` is ``None`` if no answer was scored."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0  #: answers that were averaged
    families: int = 0  #: programs that these answers are about
    unit: Unit = "share"
    bounds: Bounds | None = None  #: only of a share of right answers, some of which are truncated

    def or_undefined(self, reason: str) -> Estimate | Undefined:
        """This estimate, or ``Undefined(reason)`` where no answer was scored."""
        return Undefined(reason) if self.value is None else self


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """How single answers changed between two conditions."""

    lost: int  #: pairs that were right before and are wrong after
    won: int  #: pairs that were wrong before and are right after
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The difference of two means with its 95 % interval, over pairs of answers that differ in one condition only.

    ``relative`` is the difference as a share of the mean before (-0.25 is a quarter less), ``None`` if that
    mean is zero. ``pairs`` is 0 where too few answers pair up, and the two sides are compared as groups. ``p`` is
    how often chance alone makes such a difference; :func:`~pytest_codereason.results.claims.select_clear` needs it.
    """

    value: float
    low: float | None
    high: float | None
    relative: float | None
    relative_low: float | None
    relative_high: float | None
    pairs: int
    families: int
    flips: Flips | None = None
    p: float | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole number: 12 of 800."""

    part: int
    whole: int


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number of things."""

    value: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number without an interval."""

    value: float
    decimals: int = 3


@dataclass(frozen=True, slots=True)
class Range:
    """The lowest and the highest of several numbers."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trend:
    """The exponential trend ``start * exp(-rate * x)`` with x in percent."""

    start: float
    rate: float
    half_loss: float  #: the part of its start (0 to 1) that is lost at 50 %


@dataclass(frozen=True, slots=True)
class Label:
    """A word: a model, a language, the value of an axis."""

    text: str


@dataclass(frozen=True, slots=True)
class Undefined:
    """An undefined value, with a short reason."""

    reason: str = "undefined"


#: What can stand in a cell of a table.
Cell = Estimate | Delta | Flips | Share | Count | Number | Range | Trend | Label | Undefined
