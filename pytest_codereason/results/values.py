"""The values that results consist of: estimates, differences, shares, counts, labels, or nothing for a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, final

#: What an estimate counts: right answers among answers, a plain mean, tokens, percent of something else, levels, a
#: place on an axis, how many times as much.
Unit = Literal["share", "mean", "tokens", "percent", "level", "place", "times"]


class Why(StrEnum):
    """Why a number is undefined. The text is short enough for a cell of the terminal's tables."""

    NOT_ASKED = "not asked"  #: no question was asked
    SKIPPED = "skipped"  #: every question was skipped
    UNANSWERED = "unanswered"  #: every question is unanswered or skipped
    NONE_COUNTS = "none counts"  #: there are answers, but none of an outcome that the metric covers
    TOO_FEW = "too few"  #: too few answers for this number
    UNKNOWN = "unknown"  #: no answer comes with this number
    NEVER_RIGHT = "never right"  #: no answer is right where another number is compared with it
    ZERO_BEFORE = "0 before"  #: a relative change of a mean that was 0
    REFERENCE = "reference"  #: a change against itself
    NOT_ELSEWHERE = "not asked elsewhere"  #: a change between several places, of which one was asked
    POOLED = "pooled"  #: a change that would average over conditions which are kept apart


@dataclass(frozen=True, slots=True)
class Undefined:
    """What stands in place of a number that is undefined. It is false, so that ``if delta:`` asks for a number."""

    why: Why
    of: str = ""  #: what the reason is about, if that is not the place itself: ``reference``, ``level 3``

    @property
    def reason(self) -> str:
        """The reason as a cell shows it: ``not asked``, ``level 3 not asked``."""
        return f"{self.of} {self.why}".strip()

    def __bool__(self) -> Literal[False]:
        return False


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
    """A mean with its 95 % interval; ``value`` is ``None`` if it is undefined, and ``why`` then says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0  #: answers that were averaged
    families: int = 0  #: programs that these answers are about
    cluster: str = "program"  #: what a family is: a program, or a repository
    unit: Unit = "share"
    bounds: Bounds | None = None  #: if some answers are truncated, and each adds from 0 to 1
    why: Why | None = None

    def or_undefined(self) -> Estimate | Undefined:
        """This estimate, or why it is undefined."""
        return Undefined(self.why or Why.UNKNOWN) if self.value is None else self


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteredLevel(Estimate):
    """The hardest of several levels that a model still masters, with its 95 % interval.

    A ``value`` below ``lowest`` means that it does not even master the lowest level that was asked.
    """

    lowest: int  #: the lowest level that was asked
    highest: int  #: the highest level that was asked
    is_last: bool  #: whether there is no level above ``highest``


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisPlace(Estimate):
    """A place on an axis, such as 37 steps, with its 95 % interval."""

    lowest: float  #: the first place above 0 that can be measured; a value below it means "nearer than that"
    highest: float  #: the last place that can be measured; a value there means "that far at least"


@dataclass(frozen=True, slots=True, kw_only=True)
class Times(Estimate):
    """How many times as much one model has as another, with its 95 % interval."""

    is_open: bool  #: whether one of the two lies beyond what can be measured, so that the ratio is at least so large
    is_clear: bool  #: whether chance alone seldom makes such a ratio, among all that stand beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """How single answers changed between two conditions."""

    lost: int  #: pairs that were right before and are wrong after
    won: int  #: pairs that were wrong before and are right after
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeBounds:
    """Where a difference would lie if the token limit had cut off no answer of either side.

    Example: 40 of 40 answers are right before. After it 20 are right and 20 are truncated. The difference is -0.5; if
    every truncated answer were right, it would be 0.
    """

    all_wrong: float  #: the difference if every truncated answer of both sides were wrong
    all_right: float  #: the difference if every one were right
    lowest: float  #: the least that truncated answers can make of it: all right before, all wrong after
    highest: float  #: the most that they can make of it
    relative_all_wrong: float | None  #: as a share of the mean before; ``None`` if that mean is zero
    relative_all_right: float | None
    before: int  #: truncated answers before
    after: int  #: truncated answers after

    @property
    def truncated(self) -> int:
        """The truncated answers of both sides, at least 1."""
        return self.before + self.after

    @property
    def holds_zero(self) -> bool:
        """Whether truncated answers alone may make the difference."""
        return self.lowest <= 0 <= self.highest


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The difference of two means with its 95 % interval, over pairs of answers that differ in one condition only.

    ``relative`` is the difference as a share of the mean before (-0.25 is a quarter less), ``None`` if that
    mean is zero (:attr:`Why.ZERO_BEFORE`). ``pairs`` is 0 where too few answers pair up, and the two sides are compared
    as groups. ``p`` is how often chance alone makes such a difference;
    :func:`~pytest_codereason.results.measures.claims.select_clear` needs it.
    """

    value: float
    low: float | None
    high: float | None
    relative: float | None
    relative_low: float | None
    relative_high: float | None
    pairs: int
    families: int
    cluster: str = "program"  #: what a family is: a program, or a repository
    flips: Flips | None = None
    p: float | None = None
    bounds: ChangeBounds | None = None  #: if some answers are truncated, and each adds from 0 to 1

    @property
    def may_vanish(self) -> bool:
        """Whether truncated answers alone may make the difference, so that nothing is sure however clear it is."""
        return self.bounds is not None and self.bounds.holds_zero

    @property
    def is_significant(self) -> bool:
        """Whether the interval leaves out zero. Where every program changed alike there is none, and no zero in it."""
        if self.low is None or self.high is None:
            return self.value != 0
        return self.low > 0 or self.high < 0


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


#: What can stand in a cell of a table.
Cell = Estimate | Delta | Flips | Share | Count | Number | Range | Trend | Label | Undefined
