"""Makes programs of a file and validates them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.language.driving import Driven, shows_value
from pytest_codereason.core.programs import derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.refusals import Refusal
from pytest_codereason.errors import DoesNotParse, SandboxError, describe_error
from pytest_codereason.harvest.making.driving import drive, list_parts
from pytest_codereason.harvest.making.sizing import count_functions, count_lines, refuse_lines
from pytest_codereason.harvest.making.validating import shorten, validate
from pytest_codereason.harvest.outcomes import FileOutcome, HarvestedProgram
from pytest_codereason.harvest.repositories.walking import SourceFile, read_source
from pytest_codereason.harvest.settings import Settings
from pytest_codereason.registry import language as find_language

Execute = Callable[[Run], Execution]
_REPEATED = "has the calls of another program of its file"
#: Lines of a file from which on programs are cut out of it too.
LEAST_CUT = 60
#: Reasons against a file that a driver by a writer does not remove.
_LASTING = frozenset(
    {"does not parse", "has too many lines", "is stopped at a limit", "differs from run to run", "has too few calls"}
)
#: Why a file becomes no program of its own although another program may need it.
_USABLE = frozenset({"is too short", "has no function", "is not drawn"})


class FileTexts(Mapping[str, str]):
    """The texts of some files of a repository. Each is read when it is asked for."""

    def __init__(self, folder: Path, paths: Sequence[str]) -> None:
        self._folder = folder
        self._paths = dict.fromkeys(paths)

    def __getitem__(self, path: str) -> str:
        text = read_source(self._folder, path) if path in self._paths else None
        if isinstance(text, str):
            return text
        raise KeyError(path)

    def __contains__(self, path: object) -> bool:
        return path in self._paths and isinstance(read_source(self._folder, str(path)), str)

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._paths if path in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Surroundings(NamedTuple):
    """What lies around a file in its repository."""

    siblings: Mapping[str, str]  #: files of the same language that programs may consist of
    tests: Mapping[str, str]  #: files of the same language that show how functions are called


def list_surroundings(folder: Path, files: Sequence[SourceFile], language: str) -> Surroundings:
    """What lies around the files of a language."""
    mine = [file for file in files if file.language == language]
    usable = [file.path for file in mine if file.refusal is None or file.refusal.reason in _USABLE]
    tests = [file.path for file in mine if file.refusal and file.refusal.reason == "is a test"]
    return Surroundings(FileTexts(folder, usable), FileTexts(folder, tests))


def make_programs(
    file: SourceFile, text: str, around: Surroundings, settings: Settings, execute: Execute
) -> FileOutcome:
    """What becomes of a file that is neither too short nor without a function.

    Raises:
        SandboxError: A program could not be run, and is not to blame.
    """
    outcome = FileOutcome(path=file.path, language=file.language, licence=file.licence, sha256=digest(text))
    try:
        parts = choose_parts(file, text, settings)
        if not parts:
            refusal = Refusal("has too many lines", f"{count_lines(text)}, more than {settings.lines}")
            return replace(outcome, refusal=refusal)
        programs: list[HarvestedProgram] = []
        for part in parts:
            if sum(program.refusal is None for program in programs) < settings.programs:
                program = _make_program(file, text, part, around, settings, execute)
                programs.append(_refuse_repetition(program, programs))
        source = text if settings.writer and _wants_writer(programs) else ""
        return replace(outcome, programs=tuple(programs), source=source)
    except SandboxError:
        raise
    except Exception as error:  # a reader of foreign text may meet anything, and the other files go on
        return replace(outcome, refusal=Refusal("cannot be worked on", describe_error(error)))


def _refuse_repetition(program: HarvestedProgram, others: Sequence[HarvestedProgram]) -> HarvestedProgram:
    """The program, or the reason against it if another one of its file has all of its calls."""
    edges = _list_edges(program)
    if edges and any(edges <= _list_edges(other) for other in others):
        return HarvestedProgram(part=program.part, refusal=Refusal(_REPEATED))
    return program


def _list_edges(program: HarvestedProgram) -> frozenset[tuple[str, str]]:
    """The calls of a program that its driver does not make."""
    pairs = {(caller, callee) for caller, callees in (program.edges or {}).items() for callee in callees}
    called = {callee for _, callee in pairs}
    return frozenset((caller, callee) for caller, callee in pairs if caller in called)


def _wants_writer(programs: Sequence[HarvestedProgram]) -> bool:
    """Whether a file gives nothing, and a writer may make the whole of it run."""
    first = programs[0].refusal
    return (
        not programs[0].part and all(p.refusal for p in programs) and first is not None and first.reason not in _LASTING
    )


def refuse_file(file: SourceFile) -> FileOutcome:
    """What becomes of a file with a refusal."""
    return FileOutcome(path=file.path, language=file.language, licence=file.licence, refusal=file.refusal)


def digest(text: str) -> str:
    """The digest of a file's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def choose_parts(file: SourceFile, text: str, settings: Settings) -> list[str]:
    """What programs may be made of: the whole file, named by an empty text, and its definitions in a drawn order."""
    lines = count_lines(text)
    whole = [""] if lines <= settings.lines else []
    if lines < LEAST_CUT or not find_language(file.language).has("drivers"):
        return whole
    draws = Draws(derive_seed(settings.seed, "parts", file.path))
    return [*whole, *draws.shuffle(list_parts(file.language, file.path, text))]


def _make_program(
    file: SourceFile, text: str, part: str, around: Surroundings, settings: Settings, execute: Execute
) -> HarvestedProgram:
    driven = _drive(file, text, part, around, settings, execute)
    if isinstance(driven, Refusal):
        return HarvestedProgram(part=part, refusal=driven)
    return validate_program(file.language, driven, settings, execute)


def validate_program(language: str, driven: Driven, settings: Settings, execute: Execute) -> HarvestedProgram:
    """The program with what it prints and calls, or with the reason against it.

    Raises:
        SandboxError: The program could not be run, and is not to blame.
    """
    lines = sum(map(count_lines, driven.files.values()))
    if short := refuse_lines(lines):
        return HarvestedProgram(part=driven.part, refusal=short)
    if lines > settings.lines:
        refusal = Refusal("has too many lines", f"{lines} with its files, more than {settings.lines}")
        return HarvestedProgram(part=driven.part, refusal=refusal)
    witnessed = validate(language, driven.files, driven.entry, execute)
    if isinstance(witnessed, Refusal):
        return HarvestedProgram(part=driven.part, refusal=witnessed)
    if not shows_value(witnessed.output):
        return HarvestedProgram(part=driven.part, refusal=_refuse_output(witnessed.output))
    return HarvestedProgram(
        part=driven.part,
        files=dict(driven.files),
        entry=driven.entry,
        how=driven.how,
        changes=driven.changes,
        output=witnessed.output,
        edges=witnessed.edges,
        functions=_count_functions(language, driven.files),
        lines=lines,
    )


def _refuse_output(stdout: str) -> Refusal:
    """Why a program that says nothing of its values is refused: nobody could tell whether its calls work."""
    lines = [line for line in stdout.splitlines() if line.strip()]
    return Refusal("shows no value", f"it prints only {shorten(lines[-1])!r}" if lines else "it prints nothing")


def _drive(
    file: SourceFile, text: str, part: str, around: Surroundings, settings: Settings, execute: Execute
) -> Driven | Refusal:
    """The program with its driver. In a language without drivers a file must run by itself."""
    if find_language(file.language).has("drivers"):
        draws = Draws(derive_seed(settings.seed, "driver", file.path, part))
        return drive(file.language, file.path, text, around.siblings, around.tests, execute, draws, part)
    entry = PurePosixPath(file.path).name
    return Driven({entry: text}, entry, "runs by itself", {}, ())


def _count_functions(language: str, files: Mapping[str, str]) -> int:
    try:
        return sum(count_functions(language, name, text) for name, text in files.items())
    except DoesNotParse:
        return 0
