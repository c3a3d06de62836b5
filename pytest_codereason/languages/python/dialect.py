"""Python: small pieces of code."""

from __future__ import annotations

import builtins
import keyword
import re

from pytest_codereason.core import Dialect
from pytest_codereason.errors import Refused

#: Names that a program has without declaring them.
BUILTINS = frozenset(dir(builtins))
WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | BUILTINS
#: What ends a file in the eyes of the parser, or declares its encoding.
_NO_COMMENT = re.compile(r"[\0\ud800-\udfff]|coding[:=]")


class PythonDialect(Dialect):
    """Writes pieces of Python."""

    def comment(self, text: str) -> str:
        """``# text``, a line for each line.

        Raises:
            Refused: The text holds a NUL or half of a surrogate pair, or could be read as the file's encoding.
        """
        if text.isascii() and text.isprintable() and "coding" not in text:
            return f"# {text}".rstrip()
        if _NO_COMMENT.search(text):
            raise Refused("a comment of Python cannot hold a NUL, half of a surrogate pair, or 'coding:'")
        return "\n".join(f"# {line}".rstrip() for line in text.splitlines() or [""])

    def print_statement(self, text: str) -> str:
        """``print('text')``."""
        return f"print({text!r})"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """``stem``, else ``stem_1`` and so on: no word of the language, no builtin, none of ``taken``."""
        name, number = stem, 0
        while name in taken or name in WORDS:
            number += 1
            name = f"{stem}_{number}"
        return name
