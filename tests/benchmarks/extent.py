"""How much the benchmarks measure. CI runs each of them to see that it works: ``CODEREASON_BENCHMARKS=short``."""

from __future__ import annotations

import os

_IS_SHORT = os.environ.get("CODEREASON_BENCHMARKS") == "short"


def limit(full: int, short: int) -> int:
    """How many rounds or programs: ``full`` for figures that stand in the docs, ``short`` for CI."""
    return short if _IS_SHORT else full
