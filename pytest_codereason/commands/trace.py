"""``codereason trace``: runs a program and prints which of its functions called which."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_codereason.core.text.suggestions import suggest_name
from pytest_codereason.errors import SandboxError, UsageError, describe_file_error

if TYPE_CHECKING:
    from pytest_codereason.core import Language
    from pytest_codereason.core.execution import Execution, Run
    from pytest_codereason.core.language.tracing import Trace
    from pytest_codereason.engine.building.executing import Executor


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "trace",
        help="run a program and print which of its functions called which",
        description="Runs a program in the sandbox and prints each function with the functions that it called.",
    )
    parser.add_argument("program", type=Path, metavar="PROGRAM", help="a source file, or a folder of them")
    parser.add_argument(
        "--entry", metavar="FILE", help="the file of the folder that is run (default: the one called main)"
    )
    parser.add_argument("--call", default="", metavar="CODE", help="evaluate this call after the file has run: 'f(1)'")
    parser.add_argument("--lines", action="store_true", help="also print how often each line ran")
    parser.add_argument("--json", action="store_true", help="print JSON: each caller with the list of its callees")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the edges; the exit code is 0, 1 if the program does not end by itself."""
    from pytest_codereason.engine.building.executing import Executor

    job = _read_program(args.program, args.entry, args.call, lines=args.lines)
    executor = Executor("auto")
    try:
        execution = executor.execute(job)
        if job.call and execution.ending in ("raised", "rejected"):
            _check_call(job, execution, executor)
    except SandboxError as error:
        raise UsageError(str(error)) from error
    finally:
        executor.close()
    if execution.trace is None:
        print(f"{args.program}: the program {execution.words}")
        return 1
    for caller, callee in _list_unexplained(job, execution.trace):
        print(f"{args.program}: no call in the text of {caller} explains the edge to {callee}", file=sys.stderr)
    if args.json:
        print(json.dumps(_to_json(execution.trace, lines=args.lines), indent=2))
    else:
        print("\n".join(_describe(job, execution, execution.trace)))
    return 0 if execution.returned else 1


def _read_program(path: Path, entry: str | None, call: str, *, lines: bool) -> Run:
    """The job that runs a program.

    Raises:
        UsageError: the path holds no program of a language with a tracer.
    """
    from pytest_codereason.core.execution import Run

    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    paths = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    folder = path if path.is_dir() else path.parent
    named = {file.relative_to(folder).as_posix(): file for file in paths}
    if entry is None:
        entry = (
            path.name if not path.is_dir() else next((name for name in named if name.lower().startswith("main.")), None)
        )
    if not named:
        raise UsageError(f"{path}: the folder holds no file")
    if entry is None:
        raise UsageError(f"{path}: the folder has no file called main; name the file that is run by --entry")
    if entry not in named:
        raise UsageError(f"--entry {entry}{suggest_name(entry, named)}: there is no such file in {path}")
    language = _find_language(named[entry])
    files = {}
    for name, file in named.items():
        if file.suffix in language.suffixes:
            try:
                files[name] = file.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"{file}: cannot be read: {describe_file_error(error)}") from error
    return Run(language=language.name, files=files, entry=entry, call=call, witnessed="lines" if lines else "calls")


def _find_language(file: Path) -> Language:
    from pytest_codereason import registry
    from pytest_codereason.core import Language

    speakers = [registry.language(name) for name in registry.list_names(Language)]
    traced = [speaker for speaker in speakers if speaker.has("tracer")]
    for speaker in traced:
        if file.suffix in speaker.suffixes:
            return speaker
    endings = ", ".join(suffix for speaker in traced for suffix in speaker.suffixes)
    raise UsageError(f"{file}: no language with a tracer has files of this ending; there are tracers for {endings}")


def _check_call(job: Run, execution: Execution, executor: Executor) -> None:
    """Looks for a mistake in the call of a run that has failed.

    Raises:
        UsageError: the call does not compile, or names what the program does not have.
    """
    from pytest_codereason import registry

    if executor.execute(replace(job, call="")).ending == "rejected":
        return
    bodies = registry.language(job.language).tracer.list_bodies(job.files, job.entry)
    functions = [re.split(r"[.:$]", body.name.partition("(")[0])[-1] for body in bodies if body.callable]
    unknown = [
        word
        for word in re.findall(r"[^\W\d]\w*", job.call)
        if re.search(rf"\b{word}\b", execution.message)
        and not any(re.search(rf"\b{word}\b", text) for text in job.files.values())
    ]
    why = " ".join(execution.words.split())
    if unknown:
        meant = suggest_name(unknown[0], functions) or "; its functions are: " + ", ".join(dict.fromkeys(functions))
        raise UsageError(f"--call {job.call!r}: {job.entry} has no {unknown[0]!r}{meant} (the call {why})")
    if execution.ending == "rejected":
        raise UsageError(f"--call {job.call!r}: the call {why}; {job.entry} itself does: write one such as 'f(1)'")


def _list_unexplained(job: Run, trace: Trace) -> list[tuple[str, str]]:
    from pytest_codereason import registry
    from pytest_codereason.languages.call_graphs.checking import list_unexplained
    from pytest_codereason.languages.call_graphs.resolving import resolve_calls

    language = registry.language(job.language)
    if job.call or not language.has("calls"):  # what stands in a call is in no file
        return []
    return list_unexplained(resolve_calls(language.calls.read(job.files, job.entry)), trace.edges)


def _to_json(trace: Trace, *, lines: bool) -> dict[str, object]:
    edges: dict[str, object] = {caller: list(callees) for caller, callees in trace.edges.items()}
    return {"edges": edges, "lines": trace.lines} if lines else edges


def _describe(job: Run, execution: Execution, trace: Trace) -> Iterator[str]:
    """The lines to print."""
    width = max(map(len, trace.edges), default=0)
    for caller, callees in trace.edges.items():
        yield f"{caller:<{width}} -> {', '.join(callees)}"
    for file, counts in trace.lines.items():
        yield ""
        for number, text in enumerate(job.files[file].splitlines(), start=1):
            yield f"{counts.get(number, ''):>8} {text}".rstrip()
    edges = sum(map(len, trace.edges.values()))
    ended = "ends" if execution.returned and not job.call else execution.words
    yield f"{edges} {'edge' if edges == 1 else 'edges'}; the program {ended}"
