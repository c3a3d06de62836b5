"""Odd but valid programs: every change keeps what they do, at more calls than one, and none is refused needlessly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import NothingToChange, Skip
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.agreement import LANGUAGES, NAMES, change_program, wrong
from tests.changes.perturbations.data_sets import data
from tests.changes.perturbations.odd_programs import list_odd
from tests.examples import take_every

TOGETHER = (
    "function-order+rename+conditions+dead-code+comments+prints",
    "misleading-comments+prints+comments+dead-code+conditions+misleading-names",
)
#: What no parser here reads. The reason is said.
REFUSED = {("javascript", "html-comments"), ("php", "halt-compiler")}
#: Each so many-th program is tried under every change; fewer of languages that start slowly.
EVERY = {
    "java": take_every(60),
    "javascript": take_every(60),
    "php": take_every(30),
    "python": take_every(24),
    "typescript": take_every(4),
}


def run_calls(language: str, calls: Sequence[tuple[str, str]], sandbox: Sandbox) -> list[Program]:
    """Programs, each with its call and what the call returns."""
    programs = [
        Program.from_source(
            language=language, source=source, call=call, facts=Facts(input=call[call.index("(") + 1 : -1])
        )
        for source, call in calls
    ]
    executions = [*sandbox.run_all([Run.from_program(program) for program in programs])]
    for program, execution in zip(programs, executions, strict=True):
        assert execution.returned, f"{execution.words}\n{program.source}"
    return [
        replace(program, facts=program.facts.replace(output=execution.value))
        for program, execution in zip(programs, executions, strict=True)
    ]


def change_each(programs: Sequence[Program], texts: Sequence[str]) -> Iterator[tuple[Program, Program]]:
    """Every program under every change that finds something to change in it."""
    for program in programs:
        for number, text in enumerate(texts):
            try:
                yield program, change_program(program, text, seed=number)
            except NothingToChange:
                yield program, change_program(program, "vanilla")
            except Skip as skip:
                if "cannot be read" in str(skip):
                    pytest.fail(f"{skip}\n{program.source}")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_changes_together_keep_what_odd_programs_do(language: str, sandbox: Sandbox) -> None:
    calls = [(odd.source, odd.calls[-1]) for odd in list_odd(language) if (language, odd.name) not in REFUSED]
    assert len(calls) > (4 if language == "typescript" else 55)  # else it is JavaScript
    programs = run_calls(language, calls[:: take_every(5)], sandbox)
    broken = wrong([*change_each(programs, TOGETHER[:1])], sandbox)
    assert not broken, "\n".join(broken)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_change_keeps_what_odd_programs_do_at_every_call(language: str, sandbox: Sandbox) -> None:
    odds = [odd for odd in list_odd(language) if (language, odd.name) not in REFUSED]
    chosen = odds[:: EVERY[language]]
    programs = run_calls(language, [(odd.source, call) for odd in chosen for call in odd.calls], sandbox)
    broken = wrong([*change_each(programs, [*NAMES, *TOGETHER])], sandbox)
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(("language", "name"), sorted(REFUSED))
def test_what_is_not_read_says_why(language: str, name: str) -> None:
    odd = next(odd for odd in list_odd(language) if odd.name == name)
    program = Program.from_source(language=language, source=odd.source, call=odd.calls[0])
    with pytest.raises(Skip, match=r"the program cannot be read: line \d"):
        change_program(program, "vanilla")


#: Rows whose change is no perturbation, or is tested elsewhere.
LEFT_OUT = {"definitions-with-effects", "number-touches-keyword", "fault-on-a-shared-line", "own-file-name"} | {
    "byte-order-mark"
}


@pytest.mark.slow
def test_reported_programs_keep_what_they_do(sandbox: Sandbox) -> None:
    rows = [json.loads(line) for line in data("programs/changes.jsonl").read_text().splitlines()]
    tried = 0
    for row in rows:
        if row["id"] in LEFT_OUT:
            continue
        programs = run_calls(row["language"], [(row["code"], call) for call in row["calls"]], sandbox)
        changed = [*change_each(programs, row["under"].split(", "))]
        assert len(changed) == len(programs) * len(row["under"].split(", ")), row["id"]
        for _, program in changed:
            assert registry.language(program.language).syntax.check(program.source) == "", program.source
        broken = wrong(changed, sandbox)
        assert not broken, "\n".join(broken)
        tried += 1
    assert tried >= 8
