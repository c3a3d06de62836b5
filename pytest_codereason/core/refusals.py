"""Why a harvest leaves out a file of a repository, or a program that was made of it."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why a file, or a program that was made of it, is left out."""

    reason: str  #: the kind, in a few words that are the same for all files: ``does not compile``
    detail: str = ""  #: what is so in this file
