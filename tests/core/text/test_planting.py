"""A fault is planted in one file, and the facts follow."""

from __future__ import annotations

import pytest

from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.language.structure import Span
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.errors import BadEdit

LIB = "def side(n):\n    # twice\n    return n + n\n"
PROGRAM = Program(
    language="python",
    files={"main.py": "from lib import side\nprint(side(2))\n", "lib.py": LIB},
    entry="main.py",
    facts=Facts(output="4\n", specification="Prints 4.", edges={"main": ["lib.side"]}, executed=1),
)
AT = LIB.index("+")


def test_the_file_changes_and_the_line_is_a_fact_of_it() -> None:
    faulty = plant(PROGRAM, ChosenFault("lib.py", Span(AT, AT + 1), "-", 3))
    assert faulty.files["lib.py"] == LIB.replace("+", "-")
    assert (faulty.entry, faulty.files["main.py"]) == (PROGRAM.entry, PROGRAM.files["main.py"])
    assert faulty.facts.fault == Fault(3, "lib.py", spans=(Span(AT, AT + 1),))
    assert {*faulty.facts} == {"fault", "specification"}, "output, edges and steps are those of the correct program"


@pytest.mark.parametrize(
    ("source", "right", "wrong", "blamed"),
    [
        ("return n + n\n", "+", "-", "-"),
        ("return f(a, b)\n", "a, b", "b, a", "b, a"),
        ("return x < 10\n", "<", "<=", "<="),
        ("return x[n]\n", "n", "n + 1", "+ 1"),
        ("return x[n + 1]\n", "n + 1", "n", "n"),
        ("return 60\n", "60", "6", "6"),
        ("return not a\n", "not ", "", "a"),
        ("if (a && b) {}\n", " && b", "", "a"),
        ("if (a && b) {}\n", "a && ", "", "b"),
        ("return a && b\n}\n", " && b", "", "a"),
        ("return (\n  a && b)\n", "a && ", "", "b"),
        ("if (a && b /* why */) {}\n", " && b", "", "a"),
        ("f(a and b, c)\n", " and b", "", "a"),
    ],
)
def test_what_differs_is_to_blame(source: str, right: str, wrong: str, blamed: str) -> None:
    at = source.index(right)
    program = Program.from_source(language="python", source=source)
    faulty = plant(program, ChosenFault("main", Span(at, at + len(right)), wrong, source.count("\n", 0, at) + 1))
    assert faulty.source[slice(*faulty.facts.fault.spans[0])] == blamed


def test_a_missing_statement_is_blamed_on_both_lines() -> None:
    source = "a()  # one\nb()\n\n# two\nc()\n"
    at = source.index("b()")
    faulty = plant(
        Program.from_source(language="python", source=source), ChosenFault("main", Span(at, at + 4), "", 4, (1,))
    )
    assert [faulty.source[slice(*span)] for span in faulty.facts.fault.spans] == ["c()", "a()  # one"]


def test_a_missing_last_statement_is_blamed_on_the_end_of_the_line_above() -> None:
    source = "if n: raise Blocked\nn -= 1\n"
    at = source.index("n -= 1")
    faulty = plant(Program.from_source(language="python", source=source), ChosenFault("main", Span(at, at + 7), "", 1))
    assert [faulty.source[slice(*span)] for span in faulty.facts.fault.spans] == ["Blocked"]


def test_a_fault_is_written_and_read() -> None:
    fault = ChosenFault("lib.py", Span(3, 5), 'a "é"\n', 3, (2,))
    assert ChosenFault.read(fault.write()) == fault
    for wanted in (WantedFault("off-by-one"), WantedFault("mine.faults:Slip", 2, 3, observed=False)):
        assert WantedFault.read(wanted.of) == wanted


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"file": "lib.py", "span": [1], "text": "", "line": 1, "also": []}'])
def test_other_texts_are_no_faults(text: str) -> None:
    with pytest.raises(ValueError, match="no fault"):
        ChosenFault.read(text)


@pytest.mark.parametrize(
    "fault",
    [
        ChosenFault("other.py", Span(0, 1), "", 1),
        ChosenFault("lib.py", Span(0, 1_000), "", 1),
        ChosenFault("lib.py", Span(AT, AT + 1), "-", 9),
    ],
)
def test_a_fault_of_another_program_is_refused(fault: ChosenFault) -> None:
    with pytest.raises(BadEdit):
        plant(PROGRAM, fault)
