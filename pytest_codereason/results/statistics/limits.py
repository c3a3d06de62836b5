"""One-sided limits of a mean, or of a difference of means, that hold for few families as for many.

Example: a model answers all of 20 programs right. Its share of right answers is at least 0.861 in 19 of 20 such runs
(0.05 to the power 1/20): a model with a smaller share gets all 20 right in less than 5 % of runs.

The limit is found as follows. One more family is added, the worst that there can be: every answer of it wrong. The
families get random weights, and the lower limit is the 5 % point of the weighted means. For right and wrong answers
this is the exact limit of Clopper and Pearson; no case needs a rule of its own, not even that of equal answers.

Sources: Gaffke 2005, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
variable"; Learned-Miller and Thomas 2019, "A new confidence interval for the mean of a bounded random variable",
arXiv:1905.06208. Families as the unit, and ratios of sums: Davison and Hinkley 1997, section 3.8. Weights for a finite
population: Lo 1988, "A Bayesian bootstrap for a finite population".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pytest_codereason.results.statistics.intervals import UNDEFINED, Floats, Interval

DRAWS = 5_000
_BLOCK = 262_144  # weights drawn at a time
_DECIMALS = 12  # beyond them, digits come from rounding


@dataclass(frozen=True, eq=False)
class Contrast:
    """A sum of means over the same families, each with a factor: one mean, a drop, the difference of two drops.

    Example: the drop from a plain question to a changed one has the factors 1 and -1.
    """

    columns: Floats  #: shape ``(families, 2 k)``: sums and counts of each mean by family; a missing family has 0 and 0
    factors: Sequence[float]  #: k numbers
    ends: tuple[float, float] | None = (0.0, 1.0)  #: the least and the largest value of an answer; ``None`` if unknown
    left: int | None = None  #: families that were not asked, of a finite population; ``None`` for an endless one

    @property
    def value(self) -> float:
        """The contrast over the families that were asked."""
        return round(float(self._combine(self.columns.sum(axis=0)[None, :])[0]), _DECIMALS)

    def find_limits(self, below: float, above: float) -> Interval:
        """The lower and the upper limit.

        The contrast of all families lies below the lower limit in at most the share ``below`` of runs, and above the
        upper limit in at most the share ``above``. Both limits are the value itself if every family was asked. Both are
        undefined where the ends are unknown and all families agree.
        """
        if self.left == 0:
            return Interval(self.value, self.value)
        if self.ends is None and self._are_alike():
            return UNDEFINED
        lows, highs = (np.concatenate(each) for each in zip(*self._draw(), strict=True))
        low, high = np.quantile(lows, below, method="lower"), np.quantile(highs, 1 - above, method="higher")
        return Interval(round(float(low), _DECIMALS), round(float(high), _DECIMALS))

    def _draw(self) -> Iterator[tuple[Floats, Floats]]:
        """Contrasts with the worst family added and with the best one, in blocks of draws."""
        rows, times = np.unique(np.asarray(self.columns, dtype=np.float64), axis=0, return_counts=True)
        shapes = np.append(times, 1.0)  # the weight of several equal families together, and of the one that is added
        several = shapes > 1
        asked, worst, best = self.columns.sum(axis=0), self._add_extreme(-1), self._add_extreme(1)
        random = np.random.default_rng(int(hashlib.sha256(rows.tobytes() + times.tobytes()).hexdigest()[:16], 16))
        for start in range(0, DRAWS, step := max(1, _BLOCK // len(shapes))):
            weights = random.standard_exponential((min(step, DRAWS - start), len(shapes)))
            weights[:, several] = random.standard_gamma(shapes[several], (len(weights), several.sum()))
            if self.left is not None:
                weights /= weights.sum(axis=1, keepdims=True)
                weights = random.multinomial(self.left, weights).astype(np.float64)
            totals = weights[:, :-1] @ rows
            totals += 0.0 if self.left is None else asked
            extra = weights[:, -1:]
            yield self._combine(totals + extra * worst), self._combine(totals + extra * best)

    def _combine(self, totals: Floats) -> Floats:
        """The contrast of each row of totals."""
        means = totals[:, 0::2] / totals[:, 1::2]
        return np.asarray(means @ np.asarray(self.factors, dtype=np.float64))

    def find_ends(self) -> tuple[float, float]:
        """The least and the largest value that an answer can have, or, if that is unknown, that a family has had."""
        sums, counts = self.columns[:, 0::2], self.columns[:, 1::2]
        means = sums[counts > 0] / counts[counts > 0]
        known = means[:0] if self.ends is None else np.array(self.ends)
        every = np.concatenate([means, known])
        return float(every.min()), float(every.max())

    def _add_extreme(self, direction: int) -> Floats:
        """A family of average size that pulls the contrast down (-1) or up (1) as far as answers can."""
        low, high = self.find_ends()
        counts = self.columns[:, 1::2].mean(axis=0)
        sums = counts * [high if factor * direction > 0 else low for factor in self.factors]
        return np.stack([sums, counts], axis=1).reshape(-1)

    def _are_alike(self) -> bool:
        """Whether all families have the same mean."""
        low, high = self.find_ends()
        return low == high
