"""Resolves the calls of a program once, however many answers are judged about it."""

from __future__ import annotations

from functools import lru_cache

from pytest_codereason.core import Program
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.call_graphs.resolving import Resolution, resolve_calls
from pytest_codereason.registry import language


def resolve_program(program: Program) -> Resolution | None:
    """What the text of a program says of its calls. None if nothing reads them, or it does not parse."""
    return _resolve(program.language, tuple(program.files.items()), program.entry)


@lru_cache(maxsize=64)  # several models and samples answer about one program
def _resolve(name: str, files: tuple[tuple[str, str], ...], entry: str) -> Resolution | None:
    lang = language(name)
    if not lang.has("calls"):
        return None
    try:
        return resolve_calls(lang.calls.read(dict(files), entry))
    except DoesNotParse:
        return None
