"""The places that a perturbation may change: the parsed program, without what another file may use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._code_views import FileOfSeveral, RenamedCode
from pytest_codereason.core import Program
from pytest_codereason.core.language.structure import Binding, Code
from pytest_codereason.core.recent import keep_recent
from pytest_codereason.core.text.changes import change, rename

#: Characters of the programs whose structure is kept: 4 MB, and ten programs of 100 lines. More made generation slower,
#: because Python's collector visits all that is kept for long.
_KEPT = 40_000


def parse_program(program: Program) -> Code:
    """The structure of a program's entry.

    The last few are cached: several perturbations of one program, and several axis values, begin with the same text.

    In a program of several files, names that another file may use are left alone. Only variables of functions and
    functions within functions can be renamed, not top-level names, and not parameters, which another file may name in a
    call. A fresh name occurs in no file.

    Raises:
        DoesNotParse: The text is no program of its language.
    """
    if len(program.files) == 1:
        return parse_text(program.language, program.source, program.call)
    others = tuple([text for file, text in program.files.items() if file != program.entry])
    return _parse_among(program.language, program.source, program.call, others)


@keep_recent(_KEPT)
def parse_text(language: str, source: str, call: str) -> Code:
    """The structure of a program of one file."""
    return registry.language(language).syntax.parse(source, call)


@keep_recent(_KEPT)
def _parse_among(language: str, source: str, call: str, others: tuple[str, ...]) -> Code:
    """The structure of one file of a program with others."""
    return FileOfSeveral(parse_text(language, source, call), [_list_taken(language, text) for text in others])


def rename_bindings(program: Program, code: Code, names: Mapping[Binding, str]) -> Program:
    """The program under new names. A perturbation that follows need not parse it: most of it stands as in ``code``."""
    made = rename(names, code.functions if program.facts.follow_names else ())
    renamed = change(program, made)
    if len(program.files) == 1:
        words = frozenset([*(binding.name for binding in names), *names.values()])
        known = (renamed.language, renamed.source, renamed.call)
        parse_text.keep(RenamedCode(*known, (code.source, code.call), made.edits, words), *known)
    return renamed


@lru_cache(maxsize=256)
def _list_taken(language: str, source: str) -> frozenset[str]:
    """The identifiers of a file beside the one that is changed: the same for every change of a program."""
    return parse_text(language, source, "").taken
