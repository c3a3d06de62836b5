"""A program as a folder: its files, its specification, what it prints, and its call graph.

    inventory/
      main.py            the file that is run; others may lie beside it and below it
      specification.md   what the program should do, in words
      output.txt         all that the program prints
      callgraph.json     ``{"main": ["main.price"], "main.price": ["main.tax"]}``
      program.json       where the program comes from: ``{"repository": "owner/name", "licence": "MIT", ...}``

Only the files of the program must be there. A set of programs is ``LANGUAGE/NAME/``, as the third study publishes its
own set (TraceEval, ``benchmark/<language>/<id>/``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_codereason.core import ABSENT, Facts, Language, Program
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.files import caps
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.errors import UsageError

SPECIFICATION = "specification.md"
OUTPUT = "output.txt"
CALL_GRAPH = "callgraph.json"
ORIGIN = "program.json"


def read_program(folder: Path, language: Language, *, origin: str = "") -> Program:
    """The program of a folder, with the facts that lie beside it.

    Its entry is the file that ``program.json`` names, else the one called ``main``, else the only one.

    Args:
        folder: The program's folder.
        language: Files with its suffixes are the program's.
        origin: Where the program comes from.

    Raises:
        UsageError: The folder has no program, or a file in it cannot be read, or nobody can tell the entry.
    """
    paths = sorted(path for path in folder.rglob("*") if path.suffix in language.suffixes and path.is_file())
    files = {path.relative_to(folder).as_posix(): _read_text(path) for path in paths}
    if not files:
        raise UsageError(f"{shorten_path(folder)} has no file of {language.title} ({', '.join(language.suffixes)})")
    return Program(
        language=language.name,
        files=files,
        entry=_read_entry(folder, files) or _find_entry(folder, files),
        facts=Facts(
            output=_read_fact(folder / OUTPUT),
            specification=_read_fact(folder / SPECIFICATION),
            edges=read_call_graph(folder / CALL_GRAPH) if (folder / CALL_GRAPH).is_file() else ABSENT,
        ),
        origin=origin,
    )


def write_facts(folder: Path, *, output: str, edges: Edges | None) -> None:
    """Writes what a program prints, and its call graph, beside the program."""
    (folder / OUTPUT).write_text(output, encoding="utf-8")
    if edges is not None:
        listed = {caller: list(edges[caller]) for caller in sorted(edges)}
        (folder / CALL_GRAPH).write_text(json.dumps(listed, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_call_graph(path: Path) -> dict[str, list[str]]:
    """The call graph of a file, ``{caller: [callees]}``.

    Raises:
        UsageError: The file cannot be read, or holds something else.
    """
    payload = _read_json(path)
    if not isinstance(payload, Mapping):
        raise UsageError(f'{shorten_path(path)}: a call graph is an object, {{"caller": ["callee"]}}')
    for caller, callees in payload.items():
        if not isinstance(callees, list) or not all(isinstance(callee, str) for callee in callees):
            raise UsageError(f"{shorten_path(path)}: the callees of {caller!r} are no list of names")
    return {caller: list(dict.fromkeys(callees)) for caller, callees in payload.items()}


def read_origin(folder: Path) -> dict[str, str]:
    """Where a program comes from, as ``program.json`` beside it says; nothing without that file.

    Raises:
        UsageError: The file cannot be read, or is no object.
    """
    path = folder / ORIGIN
    if not path.is_file():
        return {}
    payload = _read_json(path)
    if not isinstance(payload, Mapping):
        raise UsageError(f'{shorten_path(path)}: no object such as {{"repository": "owner/name"}}')
    return {name: value for name, value in payload.items() if isinstance(value, str)}


def _read_json(path: Path) -> Any:
    try:
        return json.loads(_read_text(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{shorten_path(path)}: no JSON: {error}") from error


def _read_entry(folder: Path, files: Mapping[str, str]) -> str:
    """The entry that ``program.json`` names; empty if it names none."""
    entry = read_origin(folder).get("entry", "")
    if entry and entry not in files:
        raise UsageError(f"{shorten_path(folder)}: there is no file {entry!r}, which {ORIGIN} names as the entry")
    return entry


def _find_entry(folder: Path, files: Mapping[str, str]) -> str:
    """The file called ``main`` that lies highest, or the only file."""
    if len(files) == 1:
        return next(iter(files))
    mains = [name for name in files if name.rpartition("/")[2].lower().startswith("main.")]
    depth = min((name.count("/") for name in mains), default=0)
    highest = [name for name in mains if name.count("/") == depth]
    if len(highest) == 1:
        return highest[0]
    many = (
        f"{highest[0]} and {highest[1]} are both called main"
        if highest
        else f"none of its {len(files)} files is called main"
    )
    raise UsageError(f'{shorten_path(folder)}: {many}; write {{"entry": "FILE"}} into {ORIGIN}')


def _read_text(path: Path) -> str:
    try:
        return caps.read_capped(path, caps.MOST_TEXT).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{shorten_path(path)}: cannot be read: {error}") from error


def _read_fact(path: Path) -> Any:
    return _read_text(path) if path.is_file() else ABSENT
