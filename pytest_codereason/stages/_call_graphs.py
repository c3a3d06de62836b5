"""The call graph of a program after its text has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_codereason import registry
from pytest_codereason.core import Program
from pytest_codereason.core.tracing import Body
from pytest_codereason.errors import Skip


def follow_call_graph(before: Program, after: Program) -> Program:
    """``after`` with the call graph of ``before`` under the names that its functions have now.

    A change may rename the functions of a file or add functions to it, but not both at once.

    Raises:
        DoesNotParse: A file cannot be read.
        MissingCapability: The language has no tracer, which knows the names.
        Skip: Nobody can tell which function is which.
    """
    if "edges" not in before.facts or before.files == after.files:
        return after
    tracer = registry.language(before.language).tracer
    pairs = [
        pair
        for file in before.files
        if before.files[file] != after.files[file]
        for pair in _pair_bodies(*(tracer.list_bodies({file: p.files[file]}, file) for p in (before, after)))
    ]
    rename = tracer.follow_renames(pairs)
    edges = {rename(caller): tuple(map(rename, callees)) for caller, callees in before.facts.edges.items()}
    return after.replace_source(after.source, facts=after.facts.replace(edges=edges))


def _pair_bodies(before: Sequence[Body], after: Sequence[Body]) -> Iterator[tuple[Body, Body]]:
    """The bodies of one file with those that they have become."""
    if len(before) == len(after):
        yield from zip(before, after, strict=True)
        return
    now = {body.name: body for body in after}
    for body in before:
        if body.name not in now:
            raise Skip(f"the call graph names {body.name}, which the change takes away or renames")
        yield body, now[body.name]
