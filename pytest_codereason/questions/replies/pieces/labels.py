"""Takes labels of lines out of a reply: the keys or numbers that a layout put before the lines of a prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LABELLED = re.compile(r"[ \t]*+(\S++)(?: |$)(.*)")


def strip_labels(lines: Sequence[str], labels: Iterable[str]) -> list[str]:
    """The lines without the labels that a reply copied along with them: ``3f2a1c def f(n):`` becomes ``def f(n):``."""
    known_labels = {label.strip().lower() for label in labels}
    matches = [_LABELLED.fullmatch(line) for line in lines]
    return [
        match[2] if match and match[1].lower() in known_labels else line
        for line, match in zip(lines, matches, strict=True)
    ]
