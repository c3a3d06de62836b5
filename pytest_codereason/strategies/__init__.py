"""Hypothesis strategies for programs and for changes to them. They need the extra ``fuzz``."""

from __future__ import annotations

from pytest_codereason.strategies.cases import Case, perturbed
from pytest_codereason.strategies.compositions import perturbations
from pytest_codereason.strategies.generated import programs
from pytest_codereason.strategies.semtrace import semtrace_programs, semtrace_specs

__all__ = ["Case", "perturbations", "perturbed", "programs", "semtrace_programs", "semtrace_specs"]
