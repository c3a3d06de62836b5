"""PHP."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_codereason.core import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_codereason.core import Dialect, Example, Runner, Syntax, Values
    from pytest_codereason.core.language.printing import Printer


class PHP(Language):
    """PHP 8, with an opening tag or without."""

    name = "php"
    fence = "php"
    title = "PHP"
    suffixes = (".php",)
    opening = "<?php"

    @cached_property
    def syntax(self) -> Syntax:
        """Reads programs."""
        from pytest_codereason.languages.php.syntax import PHPSyntax

        return PHPSyntax()

    @cached_property
    def values(self) -> Values:
        """Reads, writes and compares values."""
        from pytest_codereason.languages.php.values import PHPValues

        return PHPValues()

    @cached_property
    def dialect(self) -> Dialect:
        """Writes small pieces of code."""
        from pytest_codereason.languages.php.dialect import PHPDialect

        return PHPDialect()

    @cached_property
    def runner(self) -> Runner:
        """Says how programs are run."""
        from pytest_codereason.languages.php.runner import PHPRunner

        return PHPRunner()

    def examples(self) -> Sequence[Example]:
        """Small programs with the results of running them."""
        from pytest_codereason.languages.php.programs import PROGRAMS

        return PROGRAMS

    @cached_property
    def printer(self) -> Printer:
        """Writes generated programs."""
        from pytest_codereason.languages.php.printer import PHPPrinter

        return PHPPrinter(self.values.write)
