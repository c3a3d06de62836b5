"""Suggests the name that a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggest_name(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'output'?)`` if one of the known names looks like ``name``, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f" (did you mean {close[0]!r}?)" if close else ""
