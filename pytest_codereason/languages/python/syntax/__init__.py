"""Reads Python programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.languages.frame.syntax import TableSyntax
from pytest_codereason.languages.python.syntax import check
from pytest_codereason.languages.python.syntax.binder import EVALS
from pytest_codereason.languages.python.syntax.code import PythonCode
from pytest_codereason.languages.python.syntax.layout import PythonLayout


class PythonSyntax(TableSyntax):
    """Reads programs of Python.

    With a call a program is closed, and its top-level names are safe to rename. Without a call it is a module that
    others may import. Then top-level names, and parameters that others may pass by name, are not safe.
    """

    code = PythonCode
    layout = PythonLayout
    check = staticmethod(check.check)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call. A program with ``eval`` is parsed."""
        return self.parse(source, call).taken if EVALS in f"{source}\n{call}" else super().list_taken(source, call)
