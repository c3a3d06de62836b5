"""A second way to the calls of PHP programs: the debugger Xdebug sees the same functions called by the same ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.core import Program
from tests.corpus.upkeep import list_folders, load
from tests.languages.xdebug import needs_debugger
from tests.languages.xdebug_calls import alias_twins, list_generators, trace_calls

#: Programs that call by other names than they declare: through ``__call``, or a method of a trait that is renamed.
MOST_WITHOUT = 4


@needs_debugger
@pytest.mark.slow
def test_the_debugger_sees_the_same_calls(tmp_path: Path) -> None:
    without, compared = [], 0
    for folder in list_folders():
        if folder.parent.name != "php":
            continue
        program, twins = load(folder), alias_twins(load(folder))
        try:
            found = trace_calls(program, tmp_path / folder.name)
        except LookupError:
            without.append(folder.name)
            continue
        ours = {(twins.get(a, a), twins.get(b, b)) for a, called in program.facts.edges.items() for b in called}
        assert ours <= found, folder.name
        generators = list_generators(program)  # each time that one goes on, the debugger sees a call
        assert {edge for edge in found - ours if edge[1] not in generators} == set(), folder.name
        compared += len(ours)
    assert compared > 500
    assert len(without) <= MOST_WITHOUT, without


@needs_debugger
def test_the_debugger_knows_no_trace(tmp_path: Path) -> None:
    source = "<?php function f() { return g(fn() => g(null)); } function g($x) { return $x ? $x() : 1; } f();"
    program = Program(language="php", files={"main.php": source}, entry="main.php", call="")
    assert trace_calls(program, tmp_path) == {
        ("main", "main.f"),
        ("main.f", "main.g"),
        ("main.g", "main.f.<closure1>"),
        ("main.f.<closure1>", "main.g"),
    }
