"""Whether a text is wrong of a program, and looks right: what a hint is to be, whoever wrote it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pytest_codereason.core import Language, Program
from pytest_codereason.core.execution import Execution
from pytest_codereason.errors import NotALiteral, Refused
from pytest_codereason.perturbations._wrong_values import has_type_of
from pytest_codereason.registry import language

#: Why a text is no hint, in words that follow a number.
TRUE, NO_LITERAL, OTHER_TYPE = "repeated the truth", "gave no literal", "gave another type"
RIGHT_TOO, UNRUN, NO_COMMENT = "gave another right input", "gave an endless call", "gave what no comment holds"


async def fault(program: Program, of: str, text: str, call: Callable[[str], Awaitable[Execution]]) -> str:
    """Why a text cannot be the hint at the ``output`` or ``input`` of a program; empty where it can.

    An output is of the type of the true one. An input is any literals; ``call`` calls the program with them, which
    must not give the output.

    Raises:
        SandboxError: the program could not be run.
    """
    lang = language(program.language)
    try:
        found = _output_fault(lang, program, text) if of == "output" else _input_fault(lang, program, text)
    except NotALiteral:
        return NO_LITERAL
    if not found:
        try:
            lang.dialect.comment(text)
        except Refused:
            return NO_COMMENT
    if not found and of == "input":
        execution = await call(text)
        if execution.limit:
            return UNRUN
        if execution.returned and lang.values.equal(execution.value, program.facts["output"]):
            return RIGHT_TOO
    return found


def _output_fault(lang: Language, program: Program, text: str) -> str:
    value, truth = lang.values.read(text).value, program.facts["output"]
    if lang.values.equal(value, truth):
        return TRUE
    return "" if has_type_of(value, truth) else OTHER_TYPE


def _input_fault(lang: Language, program: Program, text: str) -> str:
    values, truth = list(lang.values.read_arguments(text).values), program.facts["input"]
    try:
        known = list(lang.values.read_arguments(truth).values)
    except NotALiteral:  # the call shows whether it is another
        return TRUE if text == truth else ""
    return TRUE if lang.values.equal(values, known) else ""
