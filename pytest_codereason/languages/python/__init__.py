"""Python."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_codereason.core import Dialect, Example, Runner, Syntax, Values
    from pytest_codereason.core.language.calls import Calls
    from pytest_codereason.core.language.capabilities import Tracer
    from pytest_codereason.core.language.driving import Drivers
    from pytest_codereason.core.language.naming import Naming
    from pytest_codereason.core.language.printing import Printer


class Python(Language):
    """Python 3."""

    name = "python"
    fence = "python"
    title = "Python"
    suffixes = (".py",)

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        from pytest_codereason.languages.python.syntax import PythonSyntax

        return PythonSyntax()

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        from pytest_codereason.languages.python.values import PythonValues

        return PythonValues()

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        from pytest_codereason.languages.python.dialect import PythonDialect

        return PythonDialect()

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        from pytest_codereason.languages.python.runner import PythonRunner

        return PythonRunner()

    @cached_property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        from pytest_codereason.languages.python.tracer import PythonTracer

        return PythonTracer()

    @cached_property
    def calls(self) -> Calls:
        """Reads call sites."""
        from pytest_codereason.languages.python.calls import PythonCalls

        return PythonCalls()

    @cached_property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        from pytest_codereason.languages.python.naming import PythonNaming

        return PythonNaming()

    def examples(self) -> Sequence[Example]:
        """Small programs with the results of running them."""
        from pytest_codereason.languages.python.programs import PROGRAMS

        return PROGRAMS

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        from pytest_codereason.languages.python.printer import PythonPrinter

        return PythonPrinter(self.values.write)

    @cached_property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        from pytest_codereason.languages.python.drivers import PythonDrivers

        return PythonDrivers()
