"""Programs that are perturbed in a second on one core, against bounds measured in the same run.

What others do at the same time is kept out: a program counts with the least time that it took in some rounds, each
from cold. Beside the rates of Python stand those of CodeCrash's own code over the same programs, which were measured on
another day: the ratio is what is to be reached, twice as many for each and five times for all three, not what a clock
holds.
"""

from __future__ import annotations

import ast
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.languages.python.syntax import tree as syntax
from pytest_codereason.perturbations import _places
from pytest_codereason.sandbox import open_sandbox
from pytest_codereason.stages import perturbation
from tests.perturbations.agreement import change_program, changes
from tests.perturbations.data_sets import cruxeval, cruxeval_x
from tests.sandbox.known_failures import LANGUAGES

pytestmark = pytest.mark.benchmark

#: Programs a second, one core, CRUXEval: the study's own code.
STUDY = {"rename": 345, "conditions": 1220, "dead-code": 624, "psc-all": 119, "comments": 2800, "prints": 1210}
NAMES = [*registry.list_shipped(Perturbation), *perturbation.NAMED]


def rate(programs: Sequence[Program], action: Callable[[Program], object], first: str = "", rounds: int = 7) -> float:
    """Programs a second; ``first`` is a perturbation that each has been asked about before."""
    least = [float("inf")] * len(programs)
    for _ in range(rounds):
        perturbation._normalise.cache_clear()
        _places._parse.cache_clear()
        syntax.parse.cache_clear()
        for i, program in enumerate(programs):
            if first:
                try_perturbation(program, first)
            start = time.perf_counter()
            action(program)
            least[i] = min(least[i], time.perf_counter() - start)
    return len(programs) / sum(least)


def try_perturbation(program: Program, name: str) -> None:
    """Those without a place for it are tried as well."""
    with contextlib.suppress(Skip):
        change_program(program, name)


def parsed(program: Program) -> object:
    return registry.language(program.language).syntax.parse(program.source, program.call)


def verified_rate(perturb_rate: float, run_rate: float) -> float:
    """Programs a second that are perturbed and then run, twice: as they were and as they are."""
    return 1 / (1 / perturb_rate + 2 / run_rate)


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    programs = cruxeval()
    bound = rate(programs, lambda program: ast.unparse(ast.parse(program.source)))
    lines = [
        f"CRUXEval, programs a second: ast.parse {rate(programs, lambda program: ast.parse(program.source)):.0f}, "
        f"with unparse {bound:.0f}, tree-sitter {rate(programs, lambda program: syntax.parse(program.source)):.0f}, "
        f"parse {rate(programs, parsed):.0f}"
    ]
    with open_sandbox() as sandbox:
        for name in NAMES:
            per_second = rate(programs, partial(try_perturbation, name=name))
            again = rate(programs, partial(try_perturbation, name=name), first="vanilla")
            runs = [
                Run.from_source(language="python", source=variant.source, call=variant.call)
                for _, variant in changes(programs, name)
            ]
            start = time.perf_counter()
            returned = sum(execution.returned for execution in sandbox.run_all(runs))
            seconds = time.perf_counter() - start
            study = f", {per_second / STUDY[name]:.1f} times the study's {STUDY[name]}" if name in STUDY else ""
            lines.append(
                f"  {name}: {per_second:.0f} ({per_second / bound:.2f} of ast{study}), after vanilla {again:.0f}, "
                f"{returned} of {len(runs)} return, {verified_rate(per_second, len(runs) / seconds):.0f} verified"
            )
    with capsys.disabled():
        print("", *lines, sep="\n")


@pytest.mark.parametrize("short", LANGUAGES)
def test_others(short: str, capsys: pytest.CaptureFixture[str]) -> None:
    programs = [*cruxeval_x(short).values()]
    bound = rate(programs, parsed, rounds=2)
    lines = [f"CRUXEval-X {short}, programs a second: parse {bound:.0f}"]
    for name in NAMES:
        if emitted_count := sum(1 for _ in changes(programs, name)):
            per_second = rate(programs, partial(try_perturbation, name=name), rounds=2)
            lines.append(
                f"  {name}: {per_second:.0f} ({per_second / bound:.2f} of a parse), {emitted_count} of {len(programs)}"
            )
    with capsys.disabled():
        print("", *lines, sep="\n")
