"""The lines at which the executed steps of a program begin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_codereason.core.language.printing import Printer
from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    CountLoop,
    ExecutedStep,
    If,
    Literal,
    Module,
    Name,
    Statement,
)

_MARK = Assign(Name("mark", "int"), Literal(12345))


def find_step_lines(module: Module, printer: Printer) -> list[int]:
    """The number of the first line of each step, in the order of the text.

    The program is printed once more with a mark before each step, which is then counted away.
    """
    functions = tuple(replace(one, body=_mark(one.body)) for one in module.functions)
    lines = printer.write_program(replace(module, functions=functions)).splitlines()
    marks = [number for number, line in enumerate(lines) if "12345" in line]
    return [number + 1 - before for before, number in enumerate(marks)]


def _mark(block: Block) -> Block:
    return tuple(map(_mark_statement, block))


def _mark_statement(statement: Statement) -> Any:
    match statement:
        case ExecutedStep(body):
            return ExecutedStep((_MARK, *body))
        case If(branches):
            return If(tuple((condition, _mark(inner)) for condition, inner in branches))
        case CountLoop():
            return replace(statement, body=_mark(statement.body))
        case _:
            return statement
