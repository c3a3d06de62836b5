"""Every perturbation over programs that somebody else wrote: CRUXEval, CRUXEval-X, Python's own library."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import NAMED, parse, perturb
from pytest_codereason.core import Program
from pytest_codereason.errors import Skip
from pytest_codereason.sandbox import Sandbox
from tests.changes.perturbations.agreement import NAMES, changes, wrong
from tests.changes.perturbations.data_sets import cruxeval, cruxeval_x
from tests.examples import take_every
from tests.languages.library import LIBRARY, MODULES, sources
from tests.sandbox.known_failures import LANGUAGES
from tests.sandbox.scripts import list_failing

pytestmark = pytest.mark.slow
#: Of so many programs each perturbation is tried on one.
EVERY = take_every(16)


@pytest.mark.parametrize("name", [*NAMES, *NAMED])
def test_cruxeval(name: str, sandbox: Sandbox) -> None:
    """Some of the programs, others for each perturbation."""
    programs = cruxeval()[[*NAMES, *NAMED].index(name) % EVERY :: EVERY]
    pairs = [*changes(programs, name)]
    if name == "function-order":  # a program is one function
        assert not pairs
    elif name != "conditions":  # 349 of all 800 programs have none
        assert len(pairs) == len(programs) >= 800 // EVERY
    assert not wrong(pairs, sandbox)
    speaker = registry.language("python")
    assert all(speaker.syntax.check(program.source) == "" for _, program in pairs)


@pytest.mark.parametrize("short", LANGUAGES)
def test_cruxeval_x(short: str, sandbox: Sandbox) -> None:
    """One perturbation for each of some programs, in turn: their tests still pass."""
    kinds = [name for name in (*NAMES, *NAMED) if name != "hint"]  # a hint needs an output, a whole file has none
    variants = {}
    for place, (number, program) in enumerate([*cruxeval_x(short, half=0).items()][:: take_every(4)]):
        try:
            name = kinds[place % len(kinds)]
            variants[number, name] = perturb(program, parse(name), 0, str(number), "output")
        except Skip:
            continue
    assert not list_failing(variants, sandbox)


@pytest.mark.parametrize("short", ["python", *LANGUAGES])
def test_no_name_tells_what_was_inserted(short: str) -> None:
    """``rename`` comes last, so whatever was inserted is called as everything else."""
    programs = cruxeval() if short == "python" else [*cruxeval_x(short, half=0).values()]
    speaker = registry.language(LANGUAGES.get(short, short))
    pairs = [*changes(programs[:: take_every(6 if short == "python" else 3)], "psc-all")]
    names = [
        binding.name
        for original, program in pairs
        for binding in speaker.syntax.parse(program.source, program.call).bindings
        if binding.name not in re.findall(r"\w+", original.source)
    ]
    assert len(names) > len(pairs) > 75
    assert not [name for name in names if not re.fullmatch(r"Var_\d+|f\d*", name)]


#: One of tomllib's tests counts frames up to the limit of recursion, where a lambda is one more.
TESTED = [module for module in MODULES if module != "tomllib"]


def test_the_library_passes_its_own_tests(tmp_path: Path) -> None:
    """With other conditions, dead code and other names."""
    pytest.importorskip("test.test_textwrap", reason="this Python comes without its own tests")
    speaker = registry.language("python")
    functions = 0
    for path in (path for module in TESTED for path in sources(module)):
        program = Program.from_source(language="python", source=path.read_bytes().decode(), call="")
        source = perturb(program, parse("psc-all"), 0, path.name, "output").source
        functions += sum(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in ast.walk(ast.parse(source))
        )
        assert speaker.syntax.check(source) == ""
        target = tmp_path / path.relative_to(LIBRARY)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(source.encode())
    assert functions >= 600
    process = subprocess.run(
        # test__all__ lists a module's names, and dead code has some of its own.
        [sys.executable, "-m", "test", "-i", "test__all__", *(f"test_{module}" for module in TESTED)],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-3000:]
