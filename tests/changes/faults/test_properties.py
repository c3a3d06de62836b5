"""What holds for every fault: one line changes, the program still parses, and every process lists the same."""

from __future__ import annotations

import difflib
import os
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings

from pytest_codereason import registry
from pytest_codereason.core import Injection, Program
from pytest_codereason.strategies import programs
from tests.changes.faults.programs import (
    LANGUAGES,
    OPERATORS,
    digest_injections,
    find_line,
    list_corpus,
    list_injections,
    plant,
)
from tests.examples import examples, take_every


def assert_one_line_changes(program: Program, injection: Injection) -> None:
    faulty, line = plant(program, injection).text, find_line(program, injection)
    before, after = program.source.splitlines(), faulty.splitlines()
    changes = [o for o in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes() if o[0] != "equal"]
    [(kind, start, end, new_start, new_end)] = changes
    match kind:
        case "replace":
            assert (end - start, new_end - new_start) == (1, 1)
        case "insert":
            assert new_end - new_start == 1
        case _:
            assert end - start == 1
    assert injection.omission is (kind == "delete")
    if kind == "replace":
        assert line == new_start + 1
    elif kind == "insert":
        assert after[line - 1].strip() == injection.text.strip()
    else:
        assert abs(line - 1 - new_start) <= 1 or before[start] == before[line - 1]


def assert_sound(program: Program, name: str, *, most: int) -> int:
    """Fails where an injection is not what the interface promises. Returns the number of injections."""
    injections = list_injections(name, program)
    assert len({*injections}) == len(injections)
    assert [i.span.start for i in injections] == sorted(i.span.start for i in injections)
    functions = registry.language(program.language).syntax.parse(program.source, program.call).functions
    rng = random.Random(program.sha)
    for injection in rng.sample(injections, min(most, len(injections))):
        assert_one_line_changes(program, injection)
        text = plant(program, injection).text
        assert registry.language(program.language).syntax.parse(text).source == text
        if functions:
            assert injection.function in {function.name for function in functions}
    return len(injections)


@pytest.mark.parametrize("language", LANGUAGES)
def test_generated_programs(language: str) -> None:
    @settings(max_examples=examples(5))
    @given(programs([language]))
    def check(program: Program) -> None:
        for name in OPERATORS:
            assert_sound(program, name, most=3)

    check()


@pytest.mark.parametrize("language", LANGUAGES)
def test_some_of_the_corpus(language: str) -> None:
    listed = [*list_corpus(language)]
    chosen = listed[:: len(listed) // 2]
    assert sum(assert_sound(program, name, most=1) for _, program in chosen for name in OPERATORS) > 30


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_corpus(language: str) -> None:
    for _, program in [*list_corpus(language)][:: take_every(6)]:
        for name in OPERATORS:
            assert_sound(program, name, most=2)


@pytest.mark.slow
def test_another_process_with_other_hashes_lists_the_same() -> None:
    command = "from tests.changes.faults.programs import digest_injections; print(digest_injections())"
    environment = os.environ | {"PYTHONHASHSEED": "23"}
    process = subprocess.run(
        [sys.executable, "-c", command], env=environment, capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == digest_injections()
