"""Reads JavaScript programs: their structure, their layout, their validity."""

from __future__ import annotations

from pytest_codereason.languages.frame.syntax import TableSyntax
from pytest_codereason.languages.javascript.syntax import check
from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode
from pytest_codereason.languages.javascript.syntax.layout import JavaScriptLayout


class JavaScriptSyntax(TableSyntax):
    """Reads scripts and modules of JavaScript. The layout writes every semicolon."""

    code = JavaScriptCode
    layout = JavaScriptLayout
    check = staticmethod(check.check)
