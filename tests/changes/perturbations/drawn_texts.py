"""Texts that perturbations give for fixed draws, in any process."""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason import registry
from pytest_codereason.core import Facts, Language, Program, digest
from pytest_codereason.errors import Skip
from pytest_codereason.fuzzing.strategies.compositions import CHANGES
from tests.changes.perturbations.agreement import change_program
from tests.changes.perturbations.traps import TRAPS

LANGUAGES = registry.list_shipped(Language)


#: Every perturbation twice, in two orders.
ORDERS = (
    "function-order+rename+conditions+dead-code+comments+prints+hint",
    "misleading-comments+hint+prints+comments+dead-code+conditions+misleading-names+function-order",
)


def trap(language: str, name: str) -> Program:
    source, call = TRAPS[language][name]
    arguments = call[call.index("(") + 1 : -1]
    return Program.from_source(language=language, source=source, call=call, facts=Facts(input=arguments))


def list_emitted(program: Program, text: str, seed: int) -> list[tuple[Program, Program]]:
    try:
        return [(program, change_program(program, text, seed))]
    except Skip:
        return []


#: A hint says one value, at so many places; it needs an output, which a trap has only once it has run.
MEASURED = [name for name in CHANGES if name != "hint"]


def texts() -> dict[str, str]:
    """Digests of what compositions make of every trap: for another process."""
    digests = {}
    for language in LANGUAGES:
        for number, name in enumerate(TRAPS[language]):
            program = trap(language, name)
            program = replace(program, facts=program.facts.replace(output=3))
            digests[f"{language} {name}"] = digest(
                [variant.source for text in (*MEASURED, *ORDERS) for _, variant in list_emitted(program, text, number)]
            )
    return digests
