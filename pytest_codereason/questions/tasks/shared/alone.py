"""Refuses what stands around a program, for tasks that show it alone."""

from __future__ import annotations

from pytest_codereason.core import Instance
from pytest_codereason.errors import Skip


def require_alone(instance: Instance, shown: str) -> None:
    """Passes where a suite puts nothing around the program.

    Args:
        shown: what the task shows, as the beginning of a sentence: ``"a pair is shown as two programs"``.

    Raises:
        Skip: a context of other functions surrounds the program, or its lines have labels.
    """
    if instance.context is not None or instance.layout is not None:
        raise Skip(f"{shown}, without other functions or labels of lines")
