"""A program and its changed version, as a written counterexample holds them."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_codereason.core import Program


@dataclass(frozen=True, slots=True)
class Pair:
    """A case with a change that has been made already."""

    original: Program
    after: Program
    perturbation: str  #: the change, as a suite file would name it

    def changed(self, asks: str) -> Program:
        """The changed program. It does not depend on ``asks``."""
        return self.after
