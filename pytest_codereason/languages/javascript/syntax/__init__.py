"""Reads JavaScript programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.core import Syntax
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code
from pytest_codereason.languages.javascript.syntax import check
from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode
from pytest_codereason.languages.javascript.syntax.layout import JavaScriptLayout
from pytest_codereason.languages.javascript.syntax.tree import list_words


class JavaScriptSyntax(Syntax):
    """Reads programs of JavaScript."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a script or module. The entry call sees the top-level names."""
        return JavaScriptCode(source, call)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call."""
        return list_words(source) | list_words(call)

    def check(self, source: str) -> str:
        """The complaint of a second parser; empty if it accepts the program.

        If esprima, which lags behind the language, refuses the program, node decides. Node only parses. Without node,
        the refusal stands.
        """
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """The program without comments, with one statement a line and every semicolon written."""
        return JavaScriptLayout.normalise(source)
