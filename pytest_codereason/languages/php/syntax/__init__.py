"""Reads PHP programs: their structure, their layout, their validity."""

from __future__ import annotations

import re

from pytest_codereason.languages.frame.syntax import TableSyntax
from pytest_codereason.languages.php.syntax import check
from pytest_codereason.languages.php.syntax.code import PHPCode
from pytest_codereason.languages.php.syntax.layout import PHPLayout

#: What stands before a method and may not stand before a function.
_MODIFIERS = re.compile(r"\A(?:(?:public|protected|private|static|final|abstract)\s+)+", re.IGNORECASE)


class PHPSyntax(TableSyntax):
    """Reads programs of PHP."""

    code = PHPCode
    layout = PHPLayout
    check = staticmethod(check.check)

    def detach_method(self, text: str) -> str:
        """The method without ``public``, ``static`` and the like."""
        return _MODIFIERS.sub("", text)
