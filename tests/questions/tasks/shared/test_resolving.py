"""Programs are resolved once for all that is said about their answers."""

from __future__ import annotations

from pytest_codereason.core import Program
from pytest_codereason.questions.tasks.call_graph import find_kinds
from pytest_codereason.questions.tasks.shared.resolving import resolve_program


def test_a_program_is_resolved_once() -> None:
    source = "def f(): pass\nf()\n"
    first, second = (Program.from_source(language="python", source=source) for _ in range(2))
    resolution = resolve_program(first)
    assert resolution is not None
    assert resolve_program(second) is resolution
    assert find_kinds(first, {"main": ["main.f"]}) == {("main", "main.f"): "direct"}


def test_a_program_that_cannot_be_read_has_no_kinds() -> None:
    for language, source in (("python", "def f(\n"), ("php", "<?php\nf();\n")):
        program = Program.from_source(language=language, source=source)
        assert resolve_program(program) is None
        assert find_kinds(program, {"main": ["main.f"]}) == {}
