"""Writes a counterexample as a plain pytest file, which can be run against any model."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_codereason.core import Program, digest
from pytest_codereason.fuzzing.counterexample import Counterexample

_FILE = '''"""{title}

{origin}
"""

from pytest_codereason.core import {values}
{imports}
{programs}

def test_found(codereason):
    {body}
'''


def write_test(folder: Path, example: Counterexample, test: str, origin: str) -> Path:
    """Writes the file and returns its path. The same counterexample gets the same path.

    Args:
        folder: holds the file. It is made if it is missing.
        test: the name of the test that found the counterexample.
        origin: a line about the origin of the counterexample.

    Raises:
        OSError: the file cannot be written.
    """
    text = format_test(example, test, origin)
    stem = re.sub(r"\W+", "_", test.removeprefix("test_")).strip("_")
    path = folder / f"test_found_{stem}_{digest(example.wrong[-1][0].key)[:8]}.py"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="backslashreplace")
    return path


def format_test(example: Counterexample, test: str, origin: str) -> str:
    """The text of the file."""
    wrong = example.wrong[-1][0]
    options = "".join(f", {name}={value!r}" for name, value in (("task", wrong.task), *wrong.axes))
    if example.fell and wrong.original is not None:
        programs = [("ORIGINAL", wrong.original), ("CHANGED", wrong.program)]
        imports = "from pytest_codereason.fuzzing import Pair\n"
        body = f"codereason.survives(Pair(ORIGINAL, CHANGED, {wrong.perturbation!r}){options})"
    else:
        programs = [("PROGRAM", wrong.program)]
        imports = ""
        body = f"answer = codereason.ask(PROGRAM{options})\n    assert answer.correct, answer.words"
    values = "Facts, Program" if any("input" in program.facts for _, program in programs) else "Program"
    return _FILE.format(
        values=values,
        title=f"A counterexample that {test} found. It fails as long as the model is wrong about it.",
        origin=origin,
        imports=imports,
        programs="\n".join(f"{name} = {_format_program(program)}\n" for name, program in programs),
        body=body,
    )


def _format_program(program: Program) -> str:
    """The expression that makes a program: its text line by line, and its input if the program has one."""
    lines = "".join(f"        {line!r}\n" for line in program.source.splitlines(keepends=True))
    facts = f"    facts=Facts(input={program.facts.input!r}),\n" if "input" in program.facts else ""
    return (
        f"Program.from_source(\n    language={program.language!r},\n    source=(\n{lines}    ),\n"
        f"    call={program.call!r},\n{facts})"
    )
