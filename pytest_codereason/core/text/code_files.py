"""Which files of a program hold code."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_codereason.core import Program


def list_code(program: Program, suffixes: Sequence[str]) -> list[str]:
    """The files that hold code of a language with these suffixes: not its data, such as a ``.json`` beside JavaScript.

    The entry is always one of them.
    """
    if len(program.files) == 1:
        return [program.entry]
    named = [file for file in program.files if file.endswith(tuple(suffixes)) or "." not in file.rpartition("/")[2]]
    return named if program.entry in named else [*named, program.entry]
