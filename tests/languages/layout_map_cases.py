"""Cases that several tests share."""

from __future__ import annotations

import re

from pytest_codereason.core.edit_maps import Applied


def check(laid_out: Applied) -> None:
    """Every character of the new text but blanks and semicolons comes from its place in the old, and few are gone."""
    assert "".join(laid_out.before[a:b] if new is None else new for a, b, new in laid_out.parts) == laid_out.text
    assert [part[:2] for part in laid_out.parts] == sorted(part[:2] for part in laid_out.parts)
    covered = 0
    for start, end, new in laid_out.parts:
        assert start == covered
        covered = end
        if new is not None:
            assert re.fullmatch(r"[\s;]*", new), new
            removal = laid_out.before[start:end]
            assert re.fullmatch(r"[\s;(),\\]*", removal) or re.search("[#/]", removal), removal
    assert covered == len(laid_out.before)
