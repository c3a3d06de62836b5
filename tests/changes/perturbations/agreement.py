"""Whether a changed program does what the original does."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, Language, Perturbation, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import Skip
from pytest_codereason.programs.sources import _examples
from pytest_codereason.sandbox import Sandbox

NAMES = registry.list_shipped(Perturbation)


LANGUAGES = registry.list_shipped(Language)


@cache
def examples(language: str) -> list[Program]:
    """Programs of one function, and one of two."""
    pair = next(e for e in registry.find(Perturbation, "function-order").examples() if e.language == language)
    facts = Facts(output=registry.language(language).values.read(pair.output).value, input="3")
    two = Program.from_source(language=language, source=pair.before, call=pair.call, facts=facts)
    return [*(_examples.program(example, language) for example in _examples.EXAMPLES), two]


PROGRAMS = {language: examples(language) for language in LANGUAGES}


PAIRS = [*itertools.product(NAMES, LANGUAGES)]


def change_program(program: Program, text: str, seed: int = 0, family: str = "x") -> Program:
    return perturb(program, parse(text), seed, family, "output")


def changes(programs: Iterable[Program], text: str, seed: int = 0) -> Iterator[tuple[Program, Program]]:
    """Every program with what it becomes, where there is anything to change."""
    for number, program in enumerate(programs):
        try:
            yield program, change_program(program, text, seed, str(number))
        except Skip:
            continue


def wrong(pairs: Sequence[tuple[Program, Program]], sandbox: Sandbox) -> list[str]:
    """The changed programs that do not return what the facts say, each with how it ended."""
    runs = [Run.from_program(program) for _, program in pairs]
    return [
        f"{execution.words} {execution.value!r}\n{program.source}\n{program.call}"
        for (original, program), execution in zip(pairs, sandbox.run_all(runs), strict=True)
        if not agrees(original, execution)
    ]


def agrees(original: Program, execution: Execution) -> bool:
    equal = registry.language(original.language).values.equal
    return execution.returned and equal(execution.value, original.facts["output"])


def within(inner: str, outer: str) -> bool:
    """Whether ``outer`` is ``inner`` with something inserted."""
    rest = iter(outer)
    return all(character in rest for character in inner)


def names_of(text: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in text).split())
