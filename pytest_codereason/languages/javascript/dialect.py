"""JavaScript: small pieces of code."""

from __future__ import annotations

import json
import re

from pytest_codereason.core import Dialect
from pytest_codereason.errors import Refused
from pytest_codereason.languages.javascript.syntax.tree import GLOBALS, RESERVED

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")


class JavaScriptDialect(Dialect):
    """Writes pieces of JavaScript."""

    def comment(self, text: str) -> str:
        """``//`` before every line."""
        if any("\ud800" <= c <= "\udfff" for c in text) or "\0" in text:
            raise Refused("a comment holds no NUL and no half of a surrogate pair")
        return "\n".join(f"// {line}".rstrip() for line in _LINE_END.split(text))

    def print_statement(self, text: str) -> str:
        """A call of ``console.log`` with nothing but a string."""
        return f"console.log({json.dumps(text, ensure_ascii=not text.isprintable())});"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """``stem``, or with a number behind it."""
        name, count = stem, 0
        while name in taken or name in RESERVED or name in GLOBALS:
            count += 1
            name = f"{stem}_{count}"
        return name
