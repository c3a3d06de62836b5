"""TypeScript: JavaScript with types, which are blanked out before node runs a program."""

from __future__ import annotations

from pytest_codereason.languages.frame.language import TableLanguage


class TypeScript(TableLanguage):
    """TypeScript as node reads it: types that can be erased. Nothing checks them."""

    name = "typescript"
    fence = "typescript"
    title = "TypeScript"
    suffixes = (".ts", ".mts", ".cts")
