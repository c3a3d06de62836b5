"""Python: programs and their structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core import Syntax
from pytest_codereason.languages.python.syntax import check, layout
from pytest_codereason.languages.python.syntax.code import PythonCode

if TYPE_CHECKING:
    from pytest_codereason.core.edit_maps import Applied
    from pytest_codereason.core.structure import Code


class PythonSyntax(Syntax):
    """Reads programs of Python."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program.

        With a call the program is closed, and its top-level names are safe to rename. Without one it is a module
        that others may import: top-level names, and parameters that can be given by name from elsewhere, are not.
        """
        return PythonCode(source, call)

    def check(self, source: str) -> str:
        """What CPython's compiler says against a program; nothing is run."""
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """One statement a line, four blanks a level, no comments or blank lines; strings stay as they are."""
        return layout.normalise(source)
