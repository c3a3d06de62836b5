"""Programs of one file and of several: text, digest, and the views that perturbations see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Axis, AxisValue, Facts, Fault, Program, derive_seed, digest
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.changes import Change, change
from pytest_codereason.core.text.edits import Insert, Replace

ONE = Program.from_source(language="python", source="def f(n):\n    return n\n", call="f(1)")
TWO = Program(
    language="python",
    files={"app.py": "from lib import g\ndef f():\n    return g()\n", "lib.py": "def g():\n    return 1\n"},
    entry="app.py",
    call="f()",
    facts=Facts(edges={"app.f": ("lib.g",)}, fault=Fault(2, "lib.py"), input=""),
)


def test_a_program_of_one_file_has_the_digest_of_its_text() -> None:
    assert ONE.sha == digest("python", "def f(n):\n    return n\n", "f(1)")
    assert replace(ONE, files={"other.py": ONE.source}, entry="other.py").sha == ONE.sha


def test_every_file_and_the_entry_count_in_the_digest_of_several() -> None:
    shas = {TWO.sha, replace(TWO, entry="lib.py").sha, replace(TWO, files={**TWO.files, "lib.py": ""}).sha, ONE.sha}
    assert len(shas) == 4
    assert replace(TWO, facts=Facts()).sha == TWO.sha


def test_several_files_are_shown_below_their_paths_the_entry_last() -> None:
    assert ONE.text == ONE.source
    assert TWO.text == f"=== lib.py ===\n{TWO.files['lib.py']}\n=== app.py ===\n{TWO.files['app.py']}"


def test_a_run_has_the_files_of_its_program() -> None:
    run = Run.from_program(TWO, call="g()", limits=Limits(cpu_s=1))
    assert (run.files, run.entry, run.call, run.limits.cpu_s) == (TWO.files, "app.py", "g()", 1)
    assert Run.from_program(ONE) == Run.from_source(language="python", source=ONE.source, call="f(1)")
    runs = {Run.from_program(ONE), Run.from_program(ONE), Run.from_program(TWO)}
    assert len(runs) == 2


def test_a_view_has_one_file_as_its_entry_and_gives_the_change_back() -> None:
    second = TWO.view("lib.py")
    assert (second.source, second.call) == (TWO.files["lib.py"], "")
    view = change(second, Change(edits=(Insert(0, "# new\n"), Replace(Span(4, 5), "h")), names={"g": "h"}))
    program = TWO.accept_view(view)
    assert (program.entry, program.call) == ("app.py", "f()")
    assert program.files == {"app.py": TWO.files["app.py"], "lib.py": "# new\ndef h():\n    return 1\n"}
    assert program.facts.fault == Fault(3, "lib.py")
    assert program.facts.edges == TWO.facts.edges
    assert TWO.view("app.py") is TWO
    assert TWO.accept_view(TWO) is TWO


def test_a_fault_without_a_file_is_in_the_entry() -> None:
    program = replace(TWO, facts=Facts(fault=Fault(2)))
    assert program.facts.fault == Fault(2, "app.py")
    assert program.view("lib.py").facts.fault == Fault(2, "app.py"), "a view has another entry"
    moved = change(program, Change(edits=(Insert(0, "# new\n"),)))
    assert moved.facts.fault == Fault(3, "app.py")


def test_a_fault_in_a_file_that_is_not_there_is_refused() -> None:
    message = r"the fault is in the file 'main', which the program does not have: it has 'app.py', 'lib.py'"
    with pytest.raises(ValueError, match=message):
        replace(TWO, facts=Facts(fault=Fault(2, "main")))


@given(st.lists(st.one_of(st.text(), st.integers(), st.booleans(), st.floats(allow_nan=False)), max_size=4))
def test_a_seed_is_the_beginning_of_the_digest(parts: list[AxisValue]) -> None:
    """Parts that Python takes for equal, such as 1 and True, or 0.0 and -0.0, give other seeds."""
    for first in (1, True, 1.0, 0.0, -0.0):
        assert derive_seed(7, first, *parts) == int(digest(7, first, *parts)[:16], 16)


def test_a_program_with_another_text_keeps_all_else() -> None:
    whole = replace(TWO, origin="here", licence="MIT", repository="r")
    assert whole.replace_source("x = 1\n") == replace(whole, files={**TWO.files, "app.py": "x = 1\n"})
    assert whole.replace_source("x = 1\n", "g()", Facts(output=1)).facts == Facts(output=1)
    with pytest.raises(ValueError, match="which the program does not have"):
        whole.replace_source("x = 1\n", facts=Facts(fault=Fault(1, "other.py")))


def test_an_axis_of_words_takes_them_and_begins_with_the_first() -> None:
    axis = Axis.of_words("pair", ("equal", "different"))
    assert (axis.default, axis.allowed, axis.short) == ("equal", "equal, different", "pair")
    assert axis.accepts("different")
    assert not any(map(axis.accepts, ("other", "", None, 1, ["equal"])))
    assert Axis.of_words("pair", ("equal", "different"), default="different").default == "different"
