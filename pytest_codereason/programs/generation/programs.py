"""Writes a generated program in one language."""

from __future__ import annotations

from typing import Any

from pytest_codereason.core import Facts, Language, Program
from pytest_codereason.core.language.pseudocode import Module


def print_program(module: Module, output: Any, language: Language, origin: str) -> Program:
    """The program in one language, with the facts ``output`` and ``input`` as values of this language.

    Raises:
        MissingCapability: the language has no printer or no values.
    """
    printer, values = language.printer, language.values
    return Program.from_source(
        language=language.name,
        source=printer.write_program(module),
        call=printer.write_call(module),
        facts=Facts(output=values.read(values.write(output)).value, input=printer.write_arguments(module)),
        origin=origin,
    )
