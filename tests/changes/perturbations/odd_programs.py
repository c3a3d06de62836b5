"""Programs from the corners of the grammars, each with calls that reach what an entry call alone may not.

They stand in ``odd/LANGUAGE.txt``. Before each program is a line with its name and its calls:

    ### a name | f(2) | f(7)
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_HEAD = re.compile(r"^### ", re.MULTILINE)


class OddProgram(NamedTuple):
    """A program and its calls; the last one reaches most."""

    name: str
    source: str
    calls: tuple[str, ...]


def list_odd(language: str) -> list[OddProgram]:
    """The programs of a language."""
    text = Path(__file__).with_name("odd").joinpath(f"{language}.txt").read_text(encoding="utf-8")
    programs = []
    for chunk in _HEAD.split(text)[1:]:
        head, _, source = chunk.partition("\n")
        name, *calls = head.split(" | ")
        programs.append(OddProgram(name, source, tuple(calls)))
    return programs
