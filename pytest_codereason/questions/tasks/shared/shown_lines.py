"""Where the lines of a program stand in the text that a question shows, and what each shown line is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pytest_codereason.core import Instance, Program


class ProgramLine(NamedTuple):
    """A line of a file of the program."""

    file: str
    line: int  #: from 1


class ShownLines:
    """The lines of the shown text, counted from 1: those of the program, its context, and the names of its files.

    Blank lines at both ends of the shown text are left out, as in :attr:`Instance.code` without them.
    """

    def __init__(self, instance: Instance) -> None:
        self._program = instance.program
        if instance.layout is not None:
            self.lines = instance.layout.lines
            self.labels: tuple[str, ...] = tuple(label.strip() for label in instance.layout.labels)
        else:
            self.lines = tuple(instance.code.strip("\n").split("\n"))
            self.labels = tuple(map(str, range(1, len(self.lines) + 1)))
        blocks = instance.context.blocks("")[: instance.context.place] if instance.context else []
        #: how many lines stand before the program; an empty line follows each function
        self._before = sum(block.strip("\n").count("\n") + 2 for block in blocks)

    @cached_property
    def places(self) -> Mapping[int, ProgramLine]:
        """The place of each shown line that is a line of the program."""
        places = _list_places(self._program)
        return {self._before + number: place for number, place in enumerate(places, 1) if place is not None}

    @cached_property
    def _numbers(self) -> Mapping[ProgramLine, int]:
        return {place: number for number, place in self.places.items()}

    def find(self, file: str, line: int) -> int | None:
        """The number of a line of the program in the shown text; ``None`` for a blank line at an end of its file."""
        return self._numbers.get(ProgramLine(file, line))

    def name(self, number: int) -> str:
        """The label of a shown line, which is its number unless a layout gives it another."""
        return self.labels[number - 1]

    def find_quarter(self, number: int) -> int | None:
        """The quarter of the program in which a shown line stands, 1 to 4; ``None`` outside the program."""
        if number not in self.places:
            return None
        first, last = min(self.places), max(self.places)
        return 1 + 4 * (number - first) // (last - first + 1)


def find_label(labels: Sequence[str], label: str) -> int | None:
    """The number of the line with this label; ``None`` if no line has it."""
    for name in (label.lower(), label.lstrip("0")):
        if name in labels:
            return labels.index(name) + 1
    return None


def _list_places(program: Program) -> list[ProgramLine | None]:
    """The place of each line of :attr:`Program.text`, which names the files above them (``None``)."""
    if len(program.files) == 1:
        return _list_file(program, program.entry)
    places: list[ProgramLine | None] = []
    for file in program.shown_order:
        places += [*([None] if places else []), None, *_list_file(program, file)]
    return places


def _list_file(program: Program, file: str) -> list[ProgramLine | None]:
    text = program.files[file]
    before = len(text) - len(text.lstrip("\n"))
    return [ProgramLine(file, before + number) for number in range(1, text.strip("\n").count("\n") + 2)]
