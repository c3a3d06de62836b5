"""JavaScript."""

from __future__ import annotations

from pytest_codereason.languages.frame.language import TableLanguage


class JavaScript(TableLanguage):
    """JavaScript, ECMAScript 2023."""

    name = "javascript"
    fence = "javascript"
    title = "JavaScript"
    suffixes = (".js", ".mjs", ".cjs")
