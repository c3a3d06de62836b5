"""Reads TypeScript programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.javascript.syntax import JavaScriptSyntax
from pytest_codereason.languages.typescript.blanking import blank
from pytest_codereason.languages.typescript.syntax.code import TypeScriptCode
from pytest_codereason.languages.typescript.syntax.layout import TypeScriptLayout


class TypeScriptSyntax(JavaScriptSyntax):
    """Reads programs of TypeScript."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a script or module. The entry call sees the top-level names."""
        return TypeScriptCode(source, call)

    def check(self, source: str) -> str:
        """The complaint of JavaScript's second parser about the program without types; empty if it accepts it."""
        try:
            return super().check(blank(source))
        except DoesNotParse as error:
            return str(error)

    def normalise(self, source: str) -> Applied:
        """The program without comments, with one statement a line and every semicolon written."""
        return TypeScriptLayout.normalise(source)
