"""Which lines of a changed program are its own."""

from __future__ import annotations

from pytest_codereason.core import Program
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.changes import move
from pytest_codereason.core.text.edits import Edit, Insert, Replace, apply
from pytest_codereason.core.text.own_lines import OWN_LINES, remember_lines

SOURCE = "def f(n):\n    m = n\n\n    return m\n"


def test_lines_that_a_change_adds_are_not_its_own() -> None:
    program = remember_lines(Program(language="python", files={"main": SOURCE, "lib": "x = 1\n"}, entry="main"))
    at, name = SOURCE.index("    return"), SOURCE.index("m = n")
    edits: list[Edit] = [Insert(at, "    z = 3\n"), Replace(Span(name, name + 1), "Var_1")]
    changed = move(program, apply(SOURCE, edits))
    assert changed.source == "def f(n):\n    Var_1 = n\n\n    z = 3\n    return m\n"
    own = changed.facts[OWN_LINES].list_lines(changed)
    assert own == {("main", 1), ("main", 2), ("main", 5), ("lib", 1)}


def test_a_line_of_which_nothing_is_left_is_not_its_own() -> None:
    program = remember_lines(Program.from_source(language="python", source="a = 1\nb = 2\n", call=""))
    changed = move(program, apply(program.source, [Replace(Span(0, 5), "c")]))
    assert changed.facts[OWN_LINES].list_lines(changed) == {(program.entry, 2)}
