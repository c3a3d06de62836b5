"""A pool of functions of one language, from which distractors are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import NamedTuple

from pytest_codereason.core import digest
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.tokens import estimate_length


class Distractor(NamedTuple):
    """A function that stands in a context."""

    name: str
    source: str
    origin: str = ""


@dataclass(frozen=True)
class Pool:
    """Functions in a fixed order; ``name`` is the name or the folder under which a suite asks for them."""

    name: str
    language: str
    functions: Sequence[Distractor]

    @cached_property
    def sha(self) -> str:
        """Digest of all functions: two pools with the same digest give the same contexts."""
        return digest(self.language, [(f.name, f.source) for f in self.functions])

    @cached_property
    def median_tokens(self) -> int:
        """The median length of its functions in tokens, estimated from up to 500 of them; 0 if the pool is empty."""
        some = thin_out(self.functions, 500)
        return round(median(estimate_length(function.source) for function in some)) if some else 0

    def draw_order(self, seed: int, without: str, count: int) -> list[Distractor]:
        """The first ``count`` of the functions in an order drawn from ``seed``, none of them named ``without``.

        A longer draw of the same seed begins with a shorter one. A small pool gives fewer functions.
        """
        draws = Draws(seed)
        size = len(self.functions)
        moved: dict[int, int] = {}  # a shuffle of which only the places touched are kept
        drawn: list[Distractor] = []
        for i in range(size):
            if len(drawn) == count:
                break
            j = i + draws.below(size - i)
            function = self.functions[moved.get(j, j)]
            moved[j] = moved.get(i, i)
            if function.name != without:
                drawn.append(function)
        return drawn


def keep_middle_half(functions: Iterable[Distractor]) -> list[Distractor]:
    """The functions between the 25th and the 75th percentile of characters, each text once, sorted by text.

    This filter leaves out the very short and the very long functions (Sense and Sensitivity, section 4).
    Percentiles are those of the distinct texts, by the nearest rank; both ends are kept.
    """
    distinct = sorted({f.source.strip(): f for f in functions if f.source.strip()}.items())
    if not distinct:
        return []
    lengths = sorted(len(source) for source, _ in distinct)
    low, high = (lengths[max(0, -(-len(lengths) * share // 100) - 1)] for share in (25, 75))
    return [f._replace(source=source) for source, f in distinct if low <= len(source) <= high]


def thin_out(functions: Sequence[Distractor], most: int) -> list[Distractor]:
    """``functions``, or ``most`` of them at even distances if there are more."""
    size = len(functions)
    return list(functions) if size <= most else [functions[i * size // most] for i in range(most)]
