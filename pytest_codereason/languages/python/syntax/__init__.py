"""Reads Python programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.core import Syntax
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code, list_words
from pytest_codereason.languages.python.syntax import check
from pytest_codereason.languages.python.syntax.binder import EVALS
from pytest_codereason.languages.python.syntax.code import PythonCode
from pytest_codereason.languages.python.syntax.layout import PythonLayout


class PythonSyntax(Syntax):
    """Reads programs of Python."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program.

        With a call the program is closed, and its top-level names are safe to rename. Without a call it is a module
        that others may import. Then top-level names, and parameters that others may pass by name, are not safe.
        """
        return PythonCode(source, call)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call."""
        text = f"{source}\n{call}"
        return super().list_taken(source, call) if EVALS in text else frozenset(list_words(text))

    def check(self, source: str) -> str:
        """The complaint of CPython's compiler, empty if it accepts the program. Nothing is run."""
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """One statement a line, four blanks a level, no comments or blank lines; strings stay as they are."""
        return PythonLayout.normalise(source)
