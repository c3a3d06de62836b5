"""Remembers which lines of a program are its own, while changes add others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pytest_codereason.core import Program
from pytest_codereason.core.facts import Movement, OwnFact

#: The name of the fact.
OWN_LINES = "own_lines"
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class OwnLines(OwnFact):
    """Where the words and signs of a program stand, by file. A line on which none stands was added."""

    offsets: Mapping[str, tuple[int, ...]]

    def move(self, movement: Movement) -> OwnLines:
        """The places after a change; what it replaces is no longer there."""
        moved = {
            file: tuple(new for old in places if (new := movement.move_offset(file, old)) is not None)
            for file, places in self.offsets.items()
        }
        return OwnLines(moved)

    def list_lines(self, program: Program) -> frozenset[tuple[str, int]]:
        """The lines of the changed program on which one of them stands, each with its file."""
        return frozenset(
            (file, program.files[file].count("\n", 0, offset) + 1)
            for file, places in self.offsets.items()
            for offset in places
        )


def remember_lines(program: Program) -> Program:
    """The program with its lines as a fact that changes move."""
    offsets = {file: tuple(each.start() for each in _TOKEN.finditer(text)) for file, text in program.files.items()}
    return replace(program, facts=program.facts.replace(**{OWN_LINES: OwnLines(offsets)}))
