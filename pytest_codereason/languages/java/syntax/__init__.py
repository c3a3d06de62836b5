"""Reads Java programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.core import Syntax
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code
from pytest_codereason.languages.java.syntax import check
from pytest_codereason.languages.java.syntax.code import JavaCode
from pytest_codereason.languages.java.syntax.escapes import list_words
from pytest_codereason.languages.java.syntax.layout import JavaLayout


class JavaSyntax(Syntax):
    """Reads programs of Java."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a source file, which may have several classes."""
        return JavaCode(source, call)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call."""
        return list_words(f"{source}\n{call}")

    def check(self, source: str) -> str:
        """The complaint of javalang, or of javac if javalang refuses the program; empty if the program is accepted."""
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """The program with one statement a line and four blanks a level. The tokens stay the same."""
        return JavaLayout.normalise(source)

    def wrap_function(self, text: str) -> str:
        """A class around the method, because Java has no functions outside classes."""
        return f"class C {{\n{text}\n}}"
