"""Reads the programs of a language that is described by tables."""

from __future__ import annotations

from typing import ClassVar

from pytest_codereason.core import Syntax
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.language.structure import Code
from pytest_codereason.languages.frame.code import TableCode
from pytest_codereason.languages.frame.printing import CodeLayout


class TableSyntax(Syntax):
    """Reads programs. A subclass names the classes that do it, and the second parser."""

    code: ClassVar[type[TableCode]]
    layout: ClassVar[type[CodeLayout]]

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a program. The entry call sees the names at its top."""
        return self.code(source, call)

    def list_taken(self, source: str, call: str = "") -> frozenset[str]:
        """Every word of a program and its call. Nothing is parsed."""
        return self.code.list_taken(f"{source}\n{call}")

    def normalise(self, source: str) -> Applied:
        """The program without comments, with one statement a line and four blanks a level."""
        return self.layout.normalise(source)
