"""JavaScript: programs and their structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core import Syntax
from pytest_codereason.languages.javascript.syntax import check, layout
from pytest_codereason.languages.javascript.syntax.code import JavaScriptCode

if TYPE_CHECKING:
    from pytest_codereason.core.edit_maps import Applied
    from pytest_codereason.core.structure import Code


class JavaScriptSyntax(Syntax):
    """Reads programs of JavaScript."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a script or module; the entry call sees its top-level names."""
        return JavaScriptCode(source, call)

    def check(self, source: str) -> str:
        """What esprima says against a program, and node where esprima refuses.

        Esprima knows nothing newer than ECMAScript 2017. Node only parses. Without node, esprima has the last word.
        """
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """The program without comments, a statement a line, with every semicolon written."""
        return layout.normalise(source)
