"""Which programs SemTrace can draw."""

from __future__ import annotations

from pytest_codereason.programs.sources.semtrace import LENGTHS, TraceSpec, x_range, y_range


def could_make(spec: TraceSpec, digits: int) -> bool:
    """Whether some seed gives this program: whether each number lies in the range from which it is drawn."""
    (fewest, most), (x_low, x_high), (y_low, y_high) = LENGTHS, x_range(digits), y_range(digits)
    return (
        fewest <= len(spec.values) <= most
        and x_low <= spec.x <= x_high
        and all(y_low <= y <= y_high for y in spec.values)
        and sorted(spec.order) == list(range(len(spec.values)))
    )
