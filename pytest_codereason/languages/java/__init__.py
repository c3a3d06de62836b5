"""Java."""

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


class Java(Language):
    """Java 17."""

    name = "java"
    fence = "java"
    title = "Java"
    suffixes = (".java",)

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        from pytest_codereason.languages.java.syntax import JavaSyntax

        return JavaSyntax()

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        from pytest_codereason.languages.java.values import JavaValues

        return JavaValues()

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        from pytest_codereason.languages.java.dialect import JavaDialect

        return JavaDialect()

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        from pytest_codereason.languages.java.runner import JavaRunner

        return JavaRunner()

    @cached_property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        from pytest_codereason.languages.java.tracer import JavaTracer

        return JavaTracer()

    @cached_property
    def calls(self) -> Calls:
        """Reads call sites."""
        from pytest_codereason.languages.java.calls import JavaCalls

        return JavaCalls()

    @cached_property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        from pytest_codereason.languages.java.naming import JavaNaming

        return JavaNaming()

    def examples(self) -> Sequence[Example]:
        """Small programs with the results of running them."""
        from pytest_codereason.languages.java.programs import PROGRAMS

        return PROGRAMS

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        from pytest_codereason.languages.java.printer import JavaPrinter

        return JavaPrinter(self.values.write)

    @cached_property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        from pytest_codereason.languages.java.drivers import JavaDrivers

        return JavaDrivers()
