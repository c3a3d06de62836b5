"""Says how node runs TypeScript programs: as JavaScript, without the types."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_codereason.core.execution import Harness
from pytest_codereason.languages.javascript.runner import JavaScriptRunner
from pytest_codereason.languages.typescript.translating import translate


class TypeScriptRunner(JavaScriptRunner):
    """Runs programs of TypeScript by node. Types are not checked."""

    erases_types = True

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program: types are blanked out, and the rest is run as JavaScript.

        Raises:
            DoesNotParse: a file is no program, or has more than types to erase, such as an enum.
        """
        return super().harness(*translate(files, entry, call))
