"""Reads Java programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.languages.frame.syntax import TableSyntax
from pytest_codereason.languages.java.syntax import check
from pytest_codereason.languages.java.syntax.code import JavaCode
from pytest_codereason.languages.java.syntax.layout import JavaLayout


class JavaSyntax(TableSyntax):
    """Reads programs of Java. A source file may have several classes. Its comments stay."""

    code = JavaCode
    layout = JavaLayout
    check = staticmethod(check.check)

    def wrap_function(self, text: str) -> str:
        """A class around the method, because Java has no functions outside classes."""
        return f"class C {{\n{text}\n}}"
