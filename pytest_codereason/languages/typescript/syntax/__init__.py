"""Reads TypeScript programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.syntax import TableSyntax
from pytest_codereason.languages.javascript.syntax import check
from pytest_codereason.languages.typescript.blanking import blank
from pytest_codereason.languages.typescript.syntax.code import TypeScriptCode
from pytest_codereason.languages.typescript.syntax.layout import TypeScriptLayout


class TypeScriptSyntax(TableSyntax):
    """Reads scripts and modules of TypeScript. The layout writes every semicolon."""

    code = TypeScriptCode
    layout = TypeScriptLayout

    def check(self, source: str) -> str:
        """The complaint of JavaScript's second parser about the program without types; empty if it accepts it."""
        try:
            return check.check(blank(source))
        except DoesNotParse as error:
            return str(error)
