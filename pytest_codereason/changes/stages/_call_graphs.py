"""The call graph of a program after its text has changed: the same functions, perhaps under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.facts import ABSENT, Movement, OwnFact
from pytest_codereason.core.language.tracing import Body
from pytest_codereason.errors import Skip

#: The name of the fact that a program with a call graph has while it is changed.
_BODY_LINES = "body_lines"


class _BodyLines(OwnFact):
    """The lines on which the bodies of each file begin, in the order of the tracer."""

    def __init__(self, lines: Mapping[str, Sequence[int]]) -> None:
        self.lines = lines

    def move(self, movement: Movement) -> _BodyLines:
        """The lines of the same bodies after a change."""
        return _BodyLines(
            {file: [movement.move_line(file, line) for line in lines] for file, lines in self.lines.items()}
        )


def mark_bodies(program: Program, files: Sequence[str]) -> Program:
    """The program with a fact that follows the bodies of these files through a change, for :func:`follow_call_graph`.

    Raises:
        DoesNotParse: A file cannot be read.
    """
    speaker = registry.language(program.language)
    if "edges" not in program.facts or not speaker.has("tracer"):
        return program
    lines = {file: [body.line for body in _list_bodies(program.language, file, program.files[file])] for file in files}
    return program.replace_source(program.source, facts=program.facts.replace(**{_BODY_LINES: _BodyLines(lines)}))


def follow_call_graph(before: Program, after: Program) -> Program:
    """``after`` with the call graph of ``before`` under the names that its functions have now.

    A change may rename or move the functions of a file or add functions to it. It may not do the last and one of the
    others at once.

    Args:
        before: the program of :func:`mark_bodies`.
        after: the same program after one change.

    Raises:
        DoesNotParse: A file cannot be read.
        MissingCapability: The language has no tracer, which knows the names.
        Skip: Nobody can tell which function is which.
    """
    moved = after.facts.get(_BODY_LINES)
    facts = after.facts.replace(**{_BODY_LINES: ABSENT}) if moved else after.facts
    if "edges" in before.facts and before.files != after.files:
        pairs: list[tuple[Body, Body]] = []
        for file in before.files:
            if before.files[file] != after.files[file]:
                old, new = (_list_bodies(p.language, file, p.files[file]) for p in (before, after))
                pairs += _pair_bodies(old, new, moved.lines.get(file, ()) if isinstance(moved, _BodyLines) else ())
        rename = registry.language(before.language).tracer.follow_renames(pairs)
        edges = {rename(caller): tuple(map(rename, callees)) for caller, callees in before.facts.edges.items()}
        facts = facts.replace(edges=edges)
    return after if facts is after.facts else after.replace_source(after.source, facts=facts)


@lru_cache(maxsize=64)
def _list_bodies(language: str, file: str, text: str) -> tuple[Body, ...]:
    """The bodies of one file. They are cached, because one text is the start of several changes."""
    return tuple(registry.language(language).tracer.list_bodies({file: text}, file))


def _pair_bodies(before: Sequence[Body], after: Sequence[Body], moved: Sequence[int]) -> Iterator[tuple[Body, Body]]:
    """The bodies of one file with those that they have become.

    Args:
        moved: the line of each body of ``before`` after the change; empty if nobody knows the lines.
    """
    if len(before) == len(after):
        if len(moved) == len(before):
            # The code of a file outside of functions begins where the file does, whatever stands there now.
            lines = [line if body.callable or body.line > 1 else 0 for line, body in zip(moved, before, strict=True)]
            before = [before[place] for place in sorted(range(len(before)), key=lines.__getitem__)]
            after = sorted(after, key=lambda body: body.line)
        yield from zip(before, after, strict=True)
        return
    now = {body.name: body for body in after}
    for body in before:
        if body.name not in now:
            raise Skip(f"the call graph names {body.name}, which the change takes away or renames")
        yield body, now[body.name]
