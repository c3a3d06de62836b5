"""Reads PHP programs: their structure, their layout, their validity."""

from __future__ import annotations

import re

from pytest_codereason.core import Syntax
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code
from pytest_codereason.languages.php.syntax import check
from pytest_codereason.languages.php.syntax.code import PHPCode
from pytest_codereason.languages.php.syntax.layout import PHPLayout
from pytest_codereason.languages.php.syntax.tree import list_words

#: What stands before a method and may not stand before a function.
_MODIFIERS = re.compile(r"\A(?:(?:public|protected|private|static|final|abstract)\s+)+", re.IGNORECASE)


class PHPSyntax(Syntax):
    """Reads programs of PHP."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program."""
        return PHPCode(source, call)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call."""
        return list_words(source) | list_words(call)

    def check(self, source: str) -> str:
        """The complaint of PHP's compiler, empty if it accepts the program."""
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """The program without comments, with one statement a line and four spaces a level."""
        return PHPLayout.normalise(source)

    def detach_method(self, text: str) -> str:
        """The method without ``public``, ``static`` and the like."""
        return _MODIFIERS.sub("", text)
