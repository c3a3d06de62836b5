"""A program that is compiled first: the compiler has limits, streams and time of its own."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from pytest_codereason.core.execution import Execution, Harness, Limits
from pytest_codereason.errors import MissingInterpreter
from pytest_codereason.sandbox import Sandbox, interpreters, outcome

#: A compiler that copies what it is given into a program of the shell.
SHELL = Harness(
    interpreter="sh",
    package="dash",
    version=("-c", "echo sh 1.2"),
    minimum=(1, 2),
    arguments=("--an-argument",),
    files={"source": 'echo "{\\"value\\": $(cat number)}" >&"$CODEREASON_RESULT"', "number": "7"},
    compile=("{interpreter}", "-c", "{ echo '#!/bin/sh'; cat source; } > program && chmod +x program"),
    program=("./program",),
)
C = Harness(
    interpreter="gcc",
    package="gcc",
    arguments=(),
    files={
        "main.c": '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int n = 6 * 7; puts("hello");\n'
        'dprintf(atoi(getenv("CODEREASON_RESULT")), "{\\"value\\": %d}\\n", n); return 0; }\n'
    },
    compile=("{interpreter}", "-o", "program", "main.c"),
    program=("./program",),
    idle_mb=256,
    readable=("/usr/include",),
)
ORDINARY = Limits()


def run(sandbox: Sandbox, harness: Harness, seal: str = "", limits: Limits = ORDINARY) -> Execution:
    if seal:
        harness = replace(harness, files={**harness.files, "seal": seal})
    ended = sandbox.execute(harness, {}, "", limits)
    return outcome.judge_job(ended, limits, lambda value: value, sandbox.tier, seal=seal)


def compile_by(text: str, **changes: object) -> Harness:
    return replace(SHELL, compile=("{interpreter}", "-c", text), **changes)  # type: ignore[arg-type]


def test_the_program_that_was_compiled_is_run(sandbox: Sandbox) -> None:
    execution = run(sandbox, SHELL)
    assert execution.returned, execution.words
    assert execution.value == 7
    assert execution.compile_s > 0


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_program_of_c(sandbox: Sandbox) -> None:
    execution = run(sandbox, C)
    assert execution.value == 42, (execution.words, execution.message)
    assert execution.stdout == "hello\n"
    broken = run(sandbox, replace(C, files={"main.c": "int main(void) { return x; }"}))
    assert broken.ending == "rejected"
    assert "main.c:1:25: error: 'x' undeclared" in broken.message.replace("‘", "'").replace("’", "'")
    assert broken.stdout == broken.stderr == ""


def test_what_a_compiler_prints_is_its_complaint_and_no_output(sandbox: Sandbox) -> None:
    execution = run(sandbox, compile_by("echo out; echo bad line >&2; exit 3"))
    assert (execution.ending, execution.message) == ("rejected", "out\nbad line")
    assert execution.stdout == execution.stderr == ""
    warned = run(sandbox, compile_by(f"echo careful; {SHELL.compile[2]}"))
    assert warned.returned
    assert warned.stdout == warned.stderr == ""


def test_a_compiler_that_says_nothing_rejects_all_the_same(sandbox: Sandbox) -> None:
    assert run(sandbox, compile_by("exit 1")).message == "the compiler says nothing"
    assert run(sandbox, compile_by("kill -9 $$")).message == "the compiler ends with signal 9"


def test_its_time_is_no_time_of_the_program(sandbox: Sandbox) -> None:
    busy = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; "
    execution = run(sandbox, compile_by(busy + SHELL.compile[2]), limits=Limits(wall_s=60, cpu_s=60))
    assert execution.returned, execution.words
    assert execution.compile_s > execution.wall_s
    assert execution.cpu_s < execution.compile_s


@pytest.mark.slow
def test_it_is_stopped_at_its_own_limit(sandbox: Sandbox) -> None:
    endless = compile_by("while :; do :; done", compile_limits=Limits(wall_s=0.5, cpu_s=60))
    execution = run(sandbox, endless, limits=Limits(wall_s=60))
    assert (execution.ending, execution.message) == ("rejected", "the compiler is stopped at its limit on time")
    assert execution.compile_s < 30


@pytest.mark.slow
def test_the_program_has_its_own_limits(sandbox: Sandbox) -> None:
    files = {**SHELL.files, "source": "while :; do :; done"}
    harness = replace(SHELL, files=files, compile_limits=Limits(wall_s=60))
    execution = run(sandbox, harness, limits=Limits(wall_s=0.5))
    assert (execution.ending, execution.limit) == ("limit", "time")


def test_a_compiler_neither_sees_the_seal_nor_writes_a_result(sandbox: Sandbox) -> None:
    peeks = compile_by(f"if [ -e seal ]; then exit 1; fi; {SHELL.compile[2]}")
    source = {**SHELL.files, "source": 'echo "$(cat seal){\\"value\\": 1}" >&"$CODEREASON_RESULT"'}
    execution = run(sandbox, replace(peeks, files=source), seal="secret")
    assert execution.value == 1, execution.words
    forges = compile_by("echo '{\"value\": 2}' >&3; exit 1")
    assert run(sandbox, forges).ending == "rejected"
    rejected = run(sandbox, compile_by("echo no; exit 1"), seal="secret")
    assert (rejected.ending, rejected.message) == ("rejected", "no")


def test_the_version_is_asked_as_the_compiler_wants_it() -> None:
    assert interpreters.find_version(SHELL) == "1.2"
    with pytest.raises(MissingInterpreter, match="too old"):
        interpreters.find(replace(SHELL, minimum=(1, 3)))
