"""Keeps new text apart from its neighbours, where the two would be read as one word or one operator.

Example: Python reads ``0x1for n`` as ``0x1f or n``. With ``and`` for ``or`` it would be ``0x1fand n``, the number
``0x1fa``. So a blank goes between them: ``0x1f and n``.
"""

from __future__ import annotations

import re

from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.edits import Insert

#: Two characters that one word or one operator may hold side by side. What ends with ``$`` begins a name of its own.
_JOINING = re.compile(r"\w[\w$]|[-+*/<>=!&|^%~?.]{2}")


def keep_apart(source: str, span: Span, text: str) -> str:
    """The text that is to stand for a stretch of the source, with a blank at an end where it would join a neighbour.

    An end that has the character that stood there before stays as it is.
    """
    old = source[span.start : span.end]
    before, behind = source[: span.start][-1:], source[span.end :][:1]
    if not text:
        return " " if old and _JOINING.fullmatch(before + behind) else ""
    first = " " if text[:1] != old[:1] and _JOINING.fullmatch(before + text[0]) else ""
    last = " " if text[-1:] != old[-1:] and _JOINING.fullmatch(text[-1] + behind) else ""
    return f"{first}{text}{last}"


def insert_apart(source: str, at: int, text: str) -> Insert:
    """The insertion of a text that joins neither neighbour."""
    return Insert(at, keep_apart(source, Span(at, at), text))
