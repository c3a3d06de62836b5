"""Java: small pieces of code."""

from __future__ import annotations

import re

from pytest_codereason.core import Dialect
from pytest_codereason.errors import Refused
from pytest_codereason.languages.java.syntax.tree import WORDS
from pytest_codereason.languages.java.values.data import write

#: What Java takes for an escape wherever it stands, in comments too, and refuses where no digits follow.
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u")


class JavaDialect(Dialect):
    """Writes pieces of Java."""

    def comment(self, text: str) -> str:
        """A comment that holds ``text``, one line for each of its lines.

        Raises:
            Refused: Java would read a part of it as an escape, or as no text at all.
        """
        if escape_match := _ESCAPE.search(text):
            raise Refused(f"a comment cannot hold {escape_match[0]} in Java: it is an escape even there")
        if re.search("[\0\x1a\ud800-\udfff]", text):
            raise Refused("a comment cannot hold control characters that end a file, or half of a surrogate pair")
        return "\n".join(f"// {line}".rstrip(" ") for line in re.split("\r\n|\r|\n", text))

    def print_statement(self, text: str) -> str:
        """``System.out.println("text");``."""
        return f"System.out.println({write(str(text))});"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """A name that is none of ``taken`` and no word of Java: ``stem``, else ``stem_1`` and so on."""
        number = 0
        name = stem
        while name in taken or name in WORDS:
            number += 1
            name = f"{stem}_{number}"
        return name
