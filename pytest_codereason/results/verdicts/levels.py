"""How often a verdict may be wrong."""

from __future__ import annotations

#: How often a gate may pass although its condition does not hold, and how often any of the gates of a run may fail
#: although its condition holds.
LEVEL = 0.05


def share_level(op: str, judged: int) -> tuple[float, float]:
    """How often the lower and the upper limit of one of ``judged`` gates may be wrong.

    All gates must pass, so a run that should not pass errs no more often than one of its gates: the side that lets a
    gate pass needs no correction for several gates. The side that fails a gate has one (Bonferroni).
    """
    failing = LEVEL / judged
    if op in (">", ">="):
        return LEVEL, failing
    return (failing, LEVEL) if op in ("<", "<=") else (failing / 2, failing / 2)
