"""Suggests the name that a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from pytest_codereason.errors import UnknownKey


def suggest_name(name: str, known: Iterable[str]) -> str:
    """`` (did you mean 'output'?)`` if one of the known names looks like ``name``, else nothing.

    A name of the same letters in another order looks like it too: ``cto`` for ``cot``.
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
    close = close or [each for each in names if len(name) > 2 and sorted(each) == sorted(name)]
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_keys(keys: Iterable[str], known: Sequence[str], owner: str) -> None:
    """Checks that ``owner``, such as ``[context]``, has all these keys.

    Raises:
        UnknownKey: a key is unknown; suggests the key that was meant, and lists those there are.
    """
    for key in keys:
        if key not in known:
            there = ", ".join(known) or "no keys"
            raise UnknownKey(key, f"unknown key {key!r}{suggest_name(key, known)}: {owner} has {there}")
