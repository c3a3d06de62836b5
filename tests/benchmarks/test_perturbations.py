"""Programs that are perturbed in a second on one core, against peers that are measured in the same run.

What others do at the same time is kept out: ours and the peer take turns, pass by pass over all programs, and a program
counts with the least processor time that it took in some passes, each from cold: no cache holds anything of a program.
As in a run, Python looks for garbage seldom, on both sides. The peers of Python are the library's own parser and
printer and, where CODEREASON_CODECRASH names a checkout, CodeCrash's own code.

Both sides do the same job: a program as the data set has it becomes a perturbed program without comments and in a
uniform layout. CodeCrash does that in two steps, its loader lays the program out and its function changes it, so both
are timed. The ratio to the function alone stands beside: there we lay out and CodeCrash does not. Both sides change
every place, and neither runs the program. Ours also checks that each change is safe, moves the facts along, and makes
of a hint three wrong values, none of which is the right one.

What counts for a user is a program that is emitted and verified: changed, run, and found to return what it should. It
is timed by the clock, on all processors, beside a process a program.
"""

from __future__ import annotations

import ast
import contextlib
import io
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing.queues import SimpleQueue

import pytest

from pytest_codereason import registry
from pytest_codereason.changes.stages import perturbation
from pytest_codereason.core import Perturbation, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import Skip
from pytest_codereason.languages.python.syntax import tree as syntax
from pytest_codereason.sandbox import Sandbox, open_sandbox
from pytest_codereason.session.running.garbage import collect_seldom
from tests.benchmarks.codecrash import WITHOUT, lay_out, load_perturbations, write_output
from tests.benchmarks.cold_caches import forget_programs
from tests.benchmarks.extent import limit
from tests.changes.perturbations.agreement import agrees, change_program, changes
from tests.changes.perturbations.data_sets import cruxeval, cruxeval_x
from tests.sandbox.known_failures import LANGUAGES

pytestmark = pytest.mark.benchmark

ROUNDS = limit(7, 1)
NAMES = [*registry.list_shipped(Perturbation), *perturbation.NAMED]


def rates(
    programs: Sequence[Program],
    actions: Sequence[Callable[[Program], object]],
    first: str = "",
    rounds: int = ROUNDS,
) -> list[float]:
    """Programs a second of each action; ``first`` is a perturbation that each has been asked about before."""
    least = [[float("inf")] * len(programs) for _ in actions]
    for _ in range(rounds):
        for times, action in zip(least, actions, strict=True):
            forget_programs()
            for i, program in enumerate(programs):
                if first:
                    try_perturbation(program, first)
                start = time.thread_time()
                action(program)
                times[i] = min(times[i], time.thread_time() - start)
    return [len(programs) / sum(times) for times in least]


def rate(
    programs: Sequence[Program], action: Callable[[Program], object], first: str = "", rounds: int = ROUNDS
) -> float:
    """Programs a second of one action."""
    return rates(programs, [action], first, rounds)[0]


def try_perturbation(program: Program, name: str) -> None:
    """Those without a place for it are tried as well."""
    with contextlib.suppress(Skip):
        change_program(program, name)


def parsed(program: Program) -> object:
    return registry.language(program.language).syntax.parse(program.source, program.call)


def compare(programs: Sequence[Program], name: str, change: Callable[[str, Program], str] | None) -> tuple[float, str]:
    """How many programs a second we change, and the comparison with CodeCrash in words, where it has a function."""
    ours = partial(try_perturbation, name=name)
    if change is None:
        return rate(programs, ours), ""
    laid_out = {id(program): lay_out(program.source) for program in programs}

    def change_from_cold(program: Program) -> None:
        # its prints are no program where a branch stands on the line of its condition
        with contextlib.suppress(SyntaxError):
            change(lay_out(program.source), program)

    def change_laid_out(program: Program) -> None:
        with contextlib.suppress(SyntaxError):
            change(laid_out[id(program)], program)

    per_second, peer, alone = rates(programs, [ours, change_from_cold, change_laid_out])
    words = f"CodeCrash's own {peer:.0f}, ratio {per_second / peer:.2f} "
    return per_second, f"{words}(function alone {alone:.0f}, {per_second / alone:.2f}), "


def emit_and_verify(programs: Sequence[Program], name: str, sandbox: Sandbox) -> tuple[int, float]:
    """How many programs are changed and return what they should, and how many that is a second by the clock."""
    forget_programs()
    start = time.perf_counter()
    changed = [*changes(programs, name)]
    runs = [Run.from_source(language="python", source=variant.source, call=variant.call) for _, variant in changed]
    ends = sandbox.run_all(runs)
    count = sum(agrees(program, end) for (program, _), end in zip(changed, ends, strict=True))
    return count, count / (time.perf_counter() - start)


def _exec_test(source: str, call: str, output: str, ends: SimpleQueue[bool]) -> None:
    """Runs in the process of one program."""
    scope: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(source, scope)
        ends.put(eval(call, scope) == ast.literal_eval(output))


def verify_by_process(programs: Sequence[Program]) -> float:
    """Programs a second that are verified by a forked process each, one after the other, without a sandbox."""
    fork = multiprocessing.get_context("fork")
    start = time.perf_counter()
    for program in programs:
        ends: SimpleQueue[bool] = fork.SimpleQueue()
        process = fork.Process(target=_exec_test, args=(program.source, program.call, write_output(program), ends))
        process.start()
        assert ends.get()
        process.join()
    return len(programs) / (time.perf_counter() - start)


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    programs = cruxeval()[: limit(800, 80)]
    parse, bound, tree, ours = rates(
        programs,
        [
            lambda program: ast.parse(program.source),
            lambda program: ast.unparse(ast.parse(program.source)),
            lambda program: syntax.parse.__wrapped__(program.source),
            parsed,
        ],
    )
    lines = [
        f"CRUXEval, programs a second: ast.parse {parse:.0f}, with unparse {bound:.0f}, tree-sitter {tree:.0f}, "
        f"parse {ours:.0f}"
    ]
    peers = load_perturbations(programs)
    if not peers:
        lines.append(f"  {WITHOUT}")
    with open_sandbox() as sandbox:
        for name in NAMES:
            per_second, beside = compare(programs, name, peers.get(name))
            again = rate(programs, partial(try_perturbation, name=name), first="vanilla")
            count, verified = emit_and_verify(programs, name, sandbox)
            lines.append(
                f"  {name}: {per_second:.0f} ({per_second / bound:.2f} of ast), {beside}after vanilla {again:.0f}; "
                f"{count} emitted and verified, {verified:.0f} a second"
            )
    lines.append(f"  verified by a process a program: {verify_by_process(programs):.0f} a second")
    with capsys.disabled():
        print("", *lines, sep="\n")


@pytest.fixture(autouse=True)
def seldom() -> Iterator[None]:
    """Python looks for garbage as seldom as in a run."""
    restore = collect_seldom()
    yield
    restore()


@pytest.mark.parametrize("short", LANGUAGES)
def test_others(short: str, capsys: pytest.CaptureFixture[str]) -> None:
    programs = [*cruxeval_x(short).values()][: limit(1_000, 80)]
    bound = rate(programs, parsed, rounds=limit(2, 1))
    lines = [f"CRUXEval-X {short}, programs a second: parse {bound:.0f}"]
    for name in NAMES:
        if emitted_count := sum(1 for _ in changes(programs, name)):
            per_second = rate(programs, partial(try_perturbation, name=name), rounds=limit(2, 1))
            lines.append(
                f"  {name}: {per_second:.0f} ({per_second / bound:.2f} of a parse), {emitted_count} of {len(programs)}"
            )
    with capsys.disabled():
        print("", *lines, sep="\n")
