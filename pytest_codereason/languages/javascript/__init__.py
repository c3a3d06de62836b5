"""JavaScript."""

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


class JavaScript(Language):
    """JavaScript, ECMAScript 2023."""

    name = "javascript"
    fence = "javascript"
    title = "JavaScript"
    suffixes = (".js", ".mjs", ".cjs")

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        from pytest_codereason.languages.javascript.syntax import JavaScriptSyntax

        return JavaScriptSyntax()

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        from pytest_codereason.languages.javascript.values import JavaScriptValues

        return JavaScriptValues()

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        from pytest_codereason.languages.javascript.dialect import JavaScriptDialect

        return JavaScriptDialect()

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        from pytest_codereason.languages.javascript.runner import JavaScriptRunner

        return JavaScriptRunner()

    @cached_property
    def tracer(self) -> Tracer:
        """Witnesses the calls of programs."""
        from pytest_codereason.languages.javascript.tracer import JavaScriptTracer

        return JavaScriptTracer()

    @cached_property
    def calls(self) -> Calls:
        """Reads call sites."""
        from pytest_codereason.languages.javascript.calls import JavaScriptCalls

        return JavaScriptCalls()

    @cached_property
    def naming(self) -> Naming:
        """Says what the names in call graphs mean."""
        from pytest_codereason.languages.javascript.naming import JavaScriptNaming

        return JavaScriptNaming()

    def examples(self) -> Sequence[Example]:
        """Small programs with the results of running them."""
        from pytest_codereason.languages.javascript.programs import PROGRAMS

        return PROGRAMS

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        from pytest_codereason.languages.javascript.printer import JavaScriptPrinter

        return JavaScriptPrinter(self.values.write)

    @cached_property
    def drivers(self) -> Drivers:
        """Makes drivers for code of repositories."""
        from pytest_codereason.languages.javascript.drivers import JavaScriptDrivers

        return JavaScriptDrivers()
