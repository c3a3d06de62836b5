"""Python."""

from __future__ import annotations

from pytest_codereason.languages.frame.language import TableLanguage


class Python(TableLanguage):
    """Python 3."""

    name = "python"
    fence = "python"
    title = "Python"
    suffixes = (".py",)
