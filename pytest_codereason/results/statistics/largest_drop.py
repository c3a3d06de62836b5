"""The largest of several drops is above zero by chance alone: how large, if the place of a program has no effect.

Example: a model is right about half of 800 programs at each of 11 positions in contexts of 4 lengths. Although nothing
depends on the position, its largest drop from the best position to the worst is 13 % on average, and 33 % on 100
programs.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from pytest_codereason.results.statistics.intervals import Floats

DRAWS = 500
_ORDERS = 2_000  # from which the order of each family is drawn


def draw_largest_drops(values: NDArray[np.float64]) -> Floats:
    """The drop from the best place to the worst in ``DRAWS`` runs without any effect, as shares of the best place.

    ``values`` has shape ``(families, places)``: the mean of each family at each place, ``nan`` where none was asked.
    Without an effect the answers about a program might as well have come in any other order. So each draw deals the
    answers of each family to its places anew. Where families were asked at one place each, all answers are dealt
    together. The result has shape ``(DRAWS, 2)``: the drop itself, and as a share of the best place. The same values
    give the same draws.

    Source: the permutation distribution, Fisher 1935, *The Design of Experiments*, section 21.
    """
    values = np.ascontiguousarray(values[~np.isnan(values).all(axis=1)])
    random = np.random.default_rng(int(hashlib.sha256(values.tobytes()).hexdigest()[:16], 16))
    asked = ~np.isnan(values)
    if (asked.sum(axis=1) < 2).mean() > 0.5:
        totals = _deal_together(values, asked, random)
    else:
        totals = np.sum([_deal(values[rows], mask, random) for mask, rows in _group(asked)], axis=0)
    places = asked.any(axis=0)
    means = totals[:, places] / asked.sum(axis=0)[places]
    best, worst = means.max(axis=1), means.min(axis=1)
    return np.stack([worst - best, np.divide(worst, best, out=np.ones(DRAWS), where=best > 0) - 1], axis=1)


def _group(asked: NDArray[np.bool_]) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """The places at which families were asked, with those families."""
    masks, codes = np.unique(asked, axis=0, return_inverse=True)
    return [(mask, codes.ravel() == place) for place, mask in enumerate(masks)]


def _deal(values: Floats, mask: NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """The totals at each place in each draw, if every family's answers come in an order of their own."""
    totals, known = np.zeros((DRAWS, len(mask))), values[:, mask]
    orders = random.permuted(np.tile(np.arange(known.shape[1]), (_ORDERS, 1)), axis=1)
    families = np.arange(len(known))[:, None]
    for draw in range(DRAWS):
        totals[draw, mask] = known[families, orders[random.integers(0, _ORDERS, len(known))]].sum(axis=0)
    return totals


def _deal_together(values: Floats, asked: NDArray[np.bool_], random: np.random.Generator) -> Floats:
    """The totals at each place in each draw, if all answers are dealt to all places."""
    known, places = values[asked], np.nonzero(asked)[1]
    dealt = (np.bincount(places, random.permutation(known), asked.shape[1]) for _ in range(DRAWS))
    return np.stack(list(dealt))
