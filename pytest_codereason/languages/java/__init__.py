"""Java."""

from __future__ import annotations

from pytest_codereason.languages.frame.language import TableLanguage


class Java(TableLanguage):
    """Java 17."""

    name = "java"
    fence = "java"
    title = "Java"
    suffixes = (".java",)
