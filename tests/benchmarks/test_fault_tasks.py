"""750,000 fault localisation tasks, the number of the fourth study: listed, drawn, found by id, and built.

Prints seconds, memory, and tasks built in a second of one processor; fails on wrong counts alone. Building leaves the
execution apart: faults are the first that the rule proposes, and nobody runs them. The aim is 300 tasks a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_codereason import registry
from pytest_codereason.core import FaultOperator, Perturbation, Program, Spec
from pytest_codereason.engine.building.authoring import draft_text
from pytest_codereason.engine.building.drafts import begin, draft, request_texts
from pytest_codereason.errors import Skip
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.session.running.garbage import collect_seldom
from tests.benchmarks.cold_caches import forget_programs
from tests.benchmarks.extent import limit

pytestmark = [pytest.mark.benchmark, pytest.mark.usefixtures("_collecting")]

TASKS, DRAWN, ROUNDS, PROGRAMS = 750_000, 1_000, limit(3, 1), limit(6, 2)
SUITES = Path(__file__).parents[2] / "suites"
PERTURBATIONS = registry.list_shipped(Perturbation)
#: Alone, and built on each other as the study builds them.
MUTATIONS = ("dead-code", "misleading-comments", "misleading-names", "function-order")
COMPOSED = (("misleading-names", "misleading-comments"), ("dead-code", "misleading-names", "misleading-comments"))


@pytest.fixture
def _collecting() -> Iterator[None]:
    """Garbage is collected as in a run."""
    restore = collect_seldom()
    yield
    restore()


def list_mutations() -> list[str]:
    """Strengths 1 to 8 in each quarter, up to 192 mutations."""
    known = [name for name in MUTATIONS if name in PERTURBATIONS]
    composed = [names for names in COMPOSED if set(names) <= set(known)]
    doses = [f"(strength={strength},place={place})" for strength in range(1, 9) for place in range(1, 5)]
    mutations = [f"{name}{dose}" for dose in doses for name in known]
    return [*mutations, *("+".join(f"{name}{dose}" for name in names) for dose in doses for names in composed)]


def write_suite(folder: Path, mutations: int) -> Path:
    faults = list(registry.list_shipped(FaultOperator))
    known = list_mutations()
    values = ["none", *(known[i * len(known) // (mutations - 1)] for i in range(mutations - 1))]
    path = folder / "many.suite.toml"
    path.write_text(
        'task = "fault-localization"\n[source]\nname = "corpus"\n[matrix]\n'
        f"fault = {faults}\nfault_quarter = [1, 2, 3, 4]\nperturbation = {values}\n"
    )
    return path


LISTING = """
import resource, sys, time, hashlib, pathlib
from pytest_codereason.session.running.garbage import collect_seldom
from pytest_codereason.questions.suites.enumeration import Questions
from pytest_codereason.questions.suites.reading import load
questions = Questions(load(pathlib.Path(sys.argv[1])))
len(questions), questions[0]
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
digest, count = hashlib.sha256(), 0
for spec in questions:
    digest.update(spec.id.encode()); count += 1
seconds = time.process_time() - start
print(count, seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024, digest.hexdigest())
"""


def test_750_000_tasks_are_listed_drawn_and_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    programs = len(Questions(load(write_suite(tmp_path, 1)))) // (4 * len(registry.list_shipped(FaultOperator)))
    faults = 4 * len(registry.list_shipped(FaultOperator))
    path = write_suite(tmp_path, -(-TASKS // (programs * faults)))
    printed = []
    outputs = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", LISTING, str(path)]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.append(run.stdout.split())
    count, seconds, megabytes, _ = outputs[0]
    assert int(count) >= TASKS
    assert outputs[0][3] == outputs[1][3], "the ids differ from process to process"
    printed.append(f"{int(count):,} tasks of {programs} programs listed with their ids: {float(seconds):.2f} s")
    printed.append(f"{float(megabytes):.1f} MiB more at the peak")

    suite = load(path)
    tracemalloc.start()
    start = time.process_time()
    questions = Questions(suite)
    drawn = questions.sample(DRAWN)
    printed.append(f"{DRAWN:,} drawn: {time.process_time() - start:.3f} s")
    start = time.process_time()
    assert [questions.find(spec.id) for spec in drawn] == drawn
    printed.append(f"{DRAWN:,} found by id: {1000 * (time.process_time() - start) / DRAWN:.3f} ms each")
    printed.append(f"{tracemalloc.get_traced_memory()[1] / 2**20:.1f} MiB at the peak, the programs among them")
    tracemalloc.stop()
    with capsys.disabled():
        print("", *printed, sep="\n  ")


def test_tasks_built_in_a_second(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = load(write_suite(tmp_path, 80))
    for language in suite.languages:
        names = list(suite.list_programs(language))[:PROGRAMS]
        cells = suite.cells[:: max(1, len(suite.cells) // 100)]
        # Program by program, as a run asks: what is known of a program is worked out once.
        wanted = [spec for spec in Questions(suite) if spec.language == language and spec.program in names]
        wanted = [spec for spec in wanted if spec.axes in set(cells)]
        start = time.process_time()
        for spec in {(spec.program, dict(spec.axes)["fault"]): spec for spec in wanted}.values():
            with suppress(Skip):  # what faults a program may have is worked out once for thousands of tasks
                draft_text(request_texts(suite, begin(suite, spec))[0])
        listing = time.process_time() - start
        start, built, skipped = time.process_time(), 0, Counter[str]()
        for spec in wanted:
            try:
                instance = draft(suite, spec)
                built += "fault" in instance.program.facts
            except Skip as skip:
                skipped[str(skip).partition(":")[0]] += 1
        seconds = time.process_time() - start
        common = ", ".join(f"{count} {reason}" for reason, count in skipped.most_common(2))
        with capsys.disabled():
            print(
                f"\n  {language}: faults of {PROGRAMS} programs listed in {listing:.1f} s; then "
                f"{len(wanted):,} tasks in {seconds:.1f} s: {len(wanted) / seconds:.0f} a second, "
                f"{built:,} built ({built / seconds:.0f} a second); skipped: {common}"
            )
        assert built


@pytest.mark.parametrize("name", ["faults-robustness", "faults-strength"])
def test_questions_of_shipped_suites_built_in_a_second(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The questions of every fifth program, in their order, each once.

    Other work on the machine is kept out: a question counts with the least processor time of some rounds, each from
    cold. Beside it stands the time in which the shown programs alone are parsed.
    """
    suite = load(SUITES / f"{name}.suite.toml")
    for language in suite.languages:
        names = set(list(suite.list_programs(language))[:: limit(5, 50)])
        wanted = [spec for spec in Questions(suite) if spec.language == language and spec.program in names]
        for spec in {(spec.program, dict(spec.axes)["fault"]): spec for spec in wanted}.values():
            with suppress(Skip):
                draft_text(request_texts(suite, begin(suite, spec))[0])
        least, programs = dict.fromkeys(wanted, float("inf")), dict[Spec, Program]()
        for _ in range(ROUNDS):
            forget_programs()
            for spec in wanted:
                start = time.thread_time()
                with suppress(Skip):
                    programs[spec] = draft(suite, spec).program
                least[spec] = min(least[spec], time.thread_time() - start)
        seconds, parsing = sum(least.values()), sum(map(time_parse, programs.values()))
        with capsys.disabled():
            print(
                f"\n  {name}, {language}: {len(wanted):,} questions, {len(programs):,} built "
                f"({len(programs) / seconds:.0f} a second; {seconds / parsing:.1f} times as long as a parse of each)"
            )
        assert programs


def time_parse(program: Program) -> float:
    """The least processor time of some parses, in seconds."""
    parse, times = registry.language(program.language).syntax.parse, list[float]()
    for _ in range(ROUNDS):
        forget_programs()
        start = time.thread_time()
        parse(program.source, program.call)
        times.append(time.thread_time() - start)
    return min(times)
