"""Java: programs and their structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_codereason.core import Syntax
from pytest_codereason.languages.java.syntax import check, layout
from pytest_codereason.languages.java.syntax.code import JavaCode

if TYPE_CHECKING:
    from pytest_codereason.core.edit_maps import Applied
    from pytest_codereason.core.structure import Code


class JavaSyntax(Syntax):
    """Reads programs of Java."""

    def parse(self, source: str, call: str = "") -> Code:
        """The structure of a source file; a program may hold several classes."""
        return JavaCode(source, call)

    def check(self, source: str) -> str:
        """What javalang says against a program, and javac where javalang refuses newer syntax."""
        return check.check(source)

    def normalise(self, source: str) -> Applied:
        """One statement a line, indented by four blanks; the tokens stay the same."""
        return layout.normalise(source)

    def wrap_function(self, text: str) -> str:
        """A class around the method: no function of Java stands outside a class."""
        return f"class C {{\n{text}\n}}"
