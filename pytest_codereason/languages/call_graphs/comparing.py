"""Compares the edges that a model names with those that were witnessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.naming import Naming

#: Callers with their callees, each once.
EdgeSets = Mapping[str, frozenset[str]]


class EdgeCounts(NamedTuple):
    """How many edges are named and witnessed, only named, only witnessed."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def f1(self) -> float:
        """2·TP / (2·TP + FP + FN), 1 for two empty graphs."""
        whole = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / whole if whole else 1.0

    @property
    def is_exact(self) -> bool:
        """Whether the graphs are equal."""
        return not self.fp and not self.fn


def count_edges(truth: EdgeSets, named: EdgeSets) -> EdgeCounts:
    """The counts over the callers of ``truth``. Edges of other callers are neither right nor wrong."""
    tp = fp = fn = 0
    for caller, callees in truth.items():
        given = named.get(caller, frozenset())
        tp += len(callees & given)
        fp += len(given - callees)
        fn += len(callees - given)
    return EdgeCounts(tp, fp, fn)


def compare_graphs(naming: Naming, truth: Edges, named: Mapping[str, Sequence[str]]) -> tuple[EdgeCounts, EdgeCounts]:
    """The counts by the study's comparison of names, and by their comparison as they are."""
    simplify = make_simplifier(naming, truth)
    simplified = count_edges(_collect(truth, simplify), _collect(named, simplify))
    return simplified, count_edges(_collect(truth, str), _collect(named, str))


def list_found(naming: Naming, truth: Edges, named: Mapping[str, Sequence[str]]) -> frozenset[tuple[str, str]]:
    """The edges of ``truth`` that are named, by the study's comparison."""
    simplify = make_simplifier(naming, truth)
    given = _collect(named, simplify)
    return frozenset(
        (caller, callee) for caller, callees in truth.items() for callee in callees if simplify(callee) in given[caller]
    )


def make_simplifier(naming: Naming, truth: Edges) -> Callable[[str], str]:
    """What gives the simple form of a name, and nothing for a name of the standard library."""
    own = {*truth, *(callee for callees in truth.values() for callee in callees)}
    return lambda name: "" if naming.is_library(name, own) else naming.simplify(name)


def _collect(edges: Mapping[str, Sequence[str]], change: Callable[[str], str]) -> EdgeSets:
    return {caller: frozenset(filter(None, map(change, callees))) for caller, callees in edges.items()}
