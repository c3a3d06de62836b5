"""Programs that faults are listed in, and what becomes of a program with a fault."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator

from pytest_codereason import registry
from pytest_codereason.core import FaultOperator, Injection, Language, Program, Source
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.text.edits import Replace, apply

OPERATORS = registry.list_shipped(FaultOperator)
LANGUAGES = registry.list_shipped(Language)


def list_corpus(language: str) -> Iterator[tuple[str, Program]]:
    """The shipped programs of a language."""
    source = registry.find(Source, "corpus").create({}, seed=0)
    for name in source.names(language):
        yield name, source.program(language, name, {})


def list_injections(name: str, program: Program) -> list[Injection]:
    return list(registry.find(FaultOperator, name)().list_injections(program))


def plant(program: Program, injection: Injection) -> Applied:
    return apply(program.source, [Replace(injection.span, injection.text)])


def find_line(program: Program, injection: Injection) -> int:
    """The faulty line in the faulty text, from 1."""
    return plant(program, injection).text.count("\n", 0, injection.span.start + injection.blame) + 1


def digest_injections() -> str:
    """A digest of every fault of a few shipped programs."""
    listed = [
        list_injections(name, program)
        for language in LANGUAGES
        for _, program in itertools.islice(list_corpus(language), 2)
        for name in OPERATORS
    ]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()
