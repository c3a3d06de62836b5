"""Empties all caches that hold something of a program, so that a rate is one from cold."""

from __future__ import annotations

from pytest_codereason.changes.perturbations import _places, _stories
from pytest_codereason.changes.stages import _steps, perturbation
from pytest_codereason.languages.python.syntax import tree


def forget_programs() -> None:
    """Empties all caches that hold something of a program."""
    for forget in (
        perturbation._normalise.cache_clear,
        _steps.take_step.cache_clear,
        _places.parse_text.cache_clear,
        _places._parse_among.cache_clear,
        _places._list_taken.cache_clear,
        _stories._list_spots.cache_clear,
        tree.parse.cache_clear,
    ):
        forget()
