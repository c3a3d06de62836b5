"""PHP."""

from __future__ import annotations

from pytest_codereason.languages.frame.language import TableLanguage


class PHP(TableLanguage):
    """PHP 8, with an opening tag or without."""

    name = "php"
    fence = "php"
    title = "PHP"
    suffixes = (".php",)
    opening = "<?php"
