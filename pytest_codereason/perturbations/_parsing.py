"""Programs parsed once: several perturbations of one program, and several axis values, begin with the same text."""

from __future__ import annotations

from functools import lru_cache

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.structure import Code


def parsed(program: Program) -> Code:
    """The structure of a program; the last few are kept.

    Raises:
        DoesNotParse: it is no program of its language.
    """
    return _parsed(program.language, program.source, program.call)


@lru_cache(maxsize=8)
def _parsed(language: str, source: str, call: str) -> Code:
    return registry.language(language).syntax.parse(source, call)
