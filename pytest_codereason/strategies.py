"""Hypothesis strategies for programs and for changes to them, for tests of your own. They need the extra ``fuzz``."""

from __future__ import annotations

try:
    import hypothesis as _hypothesis  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "pytest_codereason.strategies needs Hypothesis: pip install 'pytest-codereason[fuzz]'", name=error.name
    ) from None

from pytest_codereason.fuzzing.strategies.cases import Case, perturbed
from pytest_codereason.fuzzing.strategies.compositions import perturbations
from pytest_codereason.fuzzing.strategies.generated import programs
from pytest_codereason.fuzzing.strategies.semtrace import semtrace_programs, semtrace_specs

__all__ = ["Case", "perturbations", "perturbed", "programs", "semtrace_programs", "semtrace_specs"]
