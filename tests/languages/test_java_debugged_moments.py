"""A second way to the moments of Java: the machine's debugger stops at the same lines and sees the same values."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_codereason.core import Program
from pytest_codereason.languages.java import tuples
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every
from tests.languages.java_corpus import list_corpus
from tests.languages.witnessing import read_functions, watch

JAVA = language("java")
SCRIPT = Path(__file__).with_name("Inspecting.java")
#: How many functions may be tried beside the corpus: 300 programs in all.
FUNCTIONS = 315
#: Each so many-th program is tried here. The others were tried by hand, by ``CODEREASON_ALL=1``.
EVERY = take_every(24)
#: Runs of more lines take the debugger too long.
MOST_EVENTS = 8_000
#: The class that evaluates the call.
CALLING = "CodereasonCalling"
#: Statements that are only jumps. The compiler leaves out a jump to a jump.
JUMPS = ("break", "continue")


class Stop(NamedTuple):
    """The debugger stops before a line."""

    file: str
    line: int
    held: dict[str, Any]


def list_functions() -> Iterator[tuple[str, Program]]:
    """Functions, without those whose argument is made by ``Map.of``: in each run it has another order."""
    return (
        (name, each) for name, each in read_functions("java", "Problem.java", FUNCTIONS) if "Map.of(" not in each.call
    )


class Debugger:
    """The machine's debugger in a process of its own, which debugs one program after another."""

    def __init__(self, folder: Path) -> None:
        self._library = folder / "classes"
        for name, text in tuples.read_sources().items():
            folder.joinpath(name).write_text(text, "utf-8")
        sources = [SCRIPT, *folder.glob("*.java")]
        subprocess.run(["javac", "-nowarn", "-d", self._library, *sources], check=True, capture_output=True)
        self._process = subprocess.Popen(
            ["java", "-cp", str(self._library), "Inspecting"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def debug(self, folder: Path, main: str) -> list[str]:
        """The rows of all stops in the program of a folder."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{folder} {self._library} {main}\n")
        assert (complaint := self._process.stdout.readline()) == "\n", complaint
        return folder.joinpath("stops").read_text("utf-8").splitlines()

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


@pytest.fixture(scope="module")
def debugger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debugger]:
    opened = Debugger(tmp_path_factory.mktemp("debugger"))
    yield opened
    opened.close()


def find_source(file: str, text: str) -> str:
    """The name of a file as its classes have it."""
    package = re.search(r"^package ([\w.]+);", text, re.MULTILINE)
    return "/".join([*package[1].split("."), Path(file).name]) if package else Path(file).name


def debug(run: WitnessedRun, folder: Path, debugger: Debugger) -> tuple[list[Stop], ProgramLine | None]:
    """The visits of all lines that may be asked about, as the debugger sees them, and the line that raises."""
    names = {probe[:2]: probe.names for probe in run.probes}
    program, files = run.program, dict(run.program.files)
    known = {find_source(file, text): file for file, text in files.items()}
    sources = {file: source for source, file in known.items()}
    main = sources[program.entry].removesuffix(".java").replace("/", ".")
    if program.call:
        main = CALLING
        files[program.entry] += (
            f"\nclass {CALLING} {{\n public static void main(String[] a) throws Throwable {{"
            f" Object made = {program.call}; }}\n}}\n"
        )
    rows = [
        " ".join([sources[place.file], str(place.line), *names.get((place.file, place.line), ())])
        for place in run.visits
        if run.is_ours(place)
    ]
    for name, text in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(text, "utf-8")
    folder.joinpath("lines").write_text("\n".join(rows), "utf-8")
    stops, raised = list[Stop](), None
    for row in debugger.debug(folder, main):
        file, line, *held = row.split("\t")
        if file == "raised":
            raised = ProgramLine(known[line], int(held[0]))
        else:
            values = map(json.loads, held[1::2])
            stops.append(Stop(known[file], int(line), dict(zip(held[::2], values, strict=True))))
    return stops, raised


def is_unclear(run: WitnessedRun, place: ProgramLine) -> bool:
    """Whether the debugger may stop more often than a line runs, or less often.

    The line of ``} else if`` also has the jump behind the block that ends there. Behind a ``finally`` the machine comes
    back to the statement that leaves the ``try``.
    """
    statement = run.lines.find_plain(place)
    if run.program.files[place.file].split("\n")[place.line - 1].lstrip().startswith("}"):
        return True
    tries = [each.span for each in run.lines.files[place.file].code.statements if each.kind == "try"]
    if statement is None:
        return False
    inside = any(span.start < statement.span.start < span.end for span in tries)
    return statement.kind in JUMPS or (statement.kind == "return" and inside)


def compare(run: WitnessedRun, stops: Sequence[Stop]) -> int:
    """How many values were compared. All lines and values must be equal."""
    places = [run.find_place(event) for event in range(len(run.moments.lines))]
    ours = {place for place in run.visits if run.is_ours(place) and not is_unclear(run, place)}
    stopped = [stop for stop in stops if ProgramLine(stop.file, stop.line) in ours]
    assert [place for place in places if place in ours] == [ProgramLine(stop.file, stop.line) for stop in stopped]
    compared = 0
    for number, probe in enumerate(run.probes):
        found = [stop.held for stop in stopped if (stop.file, stop.line) == probe[:2]]
        for place, name in enumerate(probe.names):
            for held, texts in zip(run.list_held(number, place), found, strict=False):
                if held is not None and name in texts:
                    # The debugger's machine draws another order of what ``Set.of`` and ``Map.of`` make.
                    seen = JAVA.values.decode(texts[name])
                    assert JAVA.values.equal(seen, held.value), (probe, name, seen, held)
                    compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("programs", [list_corpus, list_functions])
def test_the_debugger_sees_the_same(programs: Any, sandbox: Sandbox, debugger: Debugger, tmp_path: Path) -> None:
    compared, without = 0, list[str]()
    tried = [*programs()][::EVERY]
    for number, (name, program) in enumerate(tried):
        try:
            run = watch(program, sandbox, MOST_EVENTS)
            if isinstance(run, str):
                without.append(f"{name}: {run}")
                continue
            stops, raised = debug(run, tmp_path / str(number), debugger)
            compared += compare(run, stops)
            assert run.moments.raised_at in (None, raised)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error
    print(f"{len(tried) - len(without)} programs, {compared} values; without: {without}")
    assert compared > 4_800 // EVERY
    assert len(without) < 0.15 * len(tried) + 2, without


RAISING = """class Main {
  static int f(int n) {
    int v = n;
    for (int i = 0; i < 3; i++) {
      v = v * 2 + i;
    }
    return v / 0;
  }
}
"""


@pytest.mark.slow
def test_the_debugger_is_no_copy_of_the_tracer(sandbox: Sandbox, debugger: Debugger, tmp_path: Path) -> None:
    program = Program(language="java", files={"Main.java": RAISING}, entry="Main.java", call="Main.f(3)")
    run = watch(program, sandbox, MOST_EVENTS)
    assert isinstance(run, WitnessedRun)
    stops, raised = debug(run, tmp_path / "a", debugger)
    assert raised == run.moments.raised_at == ("Main.java", 7)
    assert compare(run, stops) > 5
    with pytest.raises(AssertionError):
        compare(run, stops[:-1])
    with pytest.raises(AssertionError):
        compare(run, [stop._replace(held={**stop.held, "v": 77}) for stop in stops])
