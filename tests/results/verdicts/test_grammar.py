"""What gates can be written, and that every mistake is pointed at."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_codereason.errors import UsageError
from pytest_codereason.results.verdicts.gates import Bound, Gate, GateError, Quantity
from pytest_codereason.results.verdicts.grammar import parse_gate


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("semtrace.exact >= 0.8", Gate(Quantity("semtrace", "exact"), ">=", Bound(0.8))),
        ("semtrace.exact>=80%", Gate(Quantity("semtrace", "exact"), ">=", Bound(0.8))),
        ("  s.unresolved  <  .05 ", Gate(Quantity("s", "unresolved"), "<", Bound(0.05))),
        ("a.b.f1 == 1", Gate(Quantity("a.b", "f1"), "==", Bound(1.0))),
        (
            "call-graph.f1[language=java] > 33.3 %",
            Gate(Quantity("call-graph", "f1", (("language", "java"),)), ">", Bound(0.333)),
        ),
        (
            "s.exact[ perturbation=rename+dead-code(strength=3,density=1) , digits=2 ] <= 1",
            Gate(
                Quantity("s", "exact", (("perturbation", "rename+dead-code(strength=3,density=1)"), ("digits", "2"))),
                "<=",
                Bound(1),
            ),
        ),
        (
            "semtrace.exact >= baseline - 2%",
            Gate(Quantity("semtrace", "exact"), ">=", Bound(-0.02, from_baseline=True)),
        ),
        (
            "horizon.h50 >= baseline*0.8",
            Gate(Quantity("horizon", "h50"), ">=", Bound(0.8, from_baseline=True, is_factor=True)),
        ),
        ("s.exact > baseline", Gate(Quantity("s", "exact"), ">", Bound(0, from_baseline=True))),
        ("s.exact>=baseline+0.01", Gate(Quantity("s", "exact"), ">=", Bound(0.01, from_baseline=True))),
        (
            "drop( misleading.exact[perturbation=comments] ) <= 5%",
            Gate(Quantity("misleading", "exact", (("perturbation", "comments"),), is_drop=True), "<=", Bound(0.05)),
        ),
        ("truncated(misleading) <= 1%", Gate(Quantity("misleading", "truncated"), "<=", Bound(0.01))),
        (
            "truncated(a.b[language=php]) <= 1%",
            Gate(Quantity("a.b", "truncated", (("language", "php"),)), "<=", Bound(0.01)),
        ),
        ("drop.exact >= 1", Gate(Quantity("drop", "exact"), ">=", Bound(1))),
        ("baseline.exact >= baseline", Gate(Quantity("baseline", "exact"), ">=", Bound(0, from_baseline=True))),
        (
            "s.exact[model=b] >= s.exact[model=openai:a-1] - 3%",
            Gate(
                Quantity("s", "exact", (("model", "b"),)),
                ">=",
                Bound(-0.03, against=Quantity("s", "exact", (("model", "openai:a-1"),))),
            ),
        ),
        (
            "baseline.h50 >= baseline.h50[model=a]*0.8",
            Gate(
                Quantity("baseline", "h50"),
                ">=",
                Bound(0.8, is_factor=True, against=Quantity("baseline", "h50", (("model", "a"),))),
            ),
        ),
        (
            "drop(s.exact[model=b,p=*]) <= drop(s.exact[model=a,p=*])",
            Gate(
                Quantity("s", "exact", (("model", "b"), ("p", "*")), is_drop=True),
                "<=",
                Bound(0, against=Quantity("s", "exact", (("model", "a"), ("p", "*")), is_drop=True)),
            ),
        ),
    ],
)
def test_what_is_written_is_read(text: str, gate: Gate) -> None:
    assert parse_gate(text) == gate
    assert parse_gate(str(gate)) == gate


@pytest.mark.parametrize(
    ("text", "column", "complaint"),
    [
        ("", 1, "expected SUITE.METRIC, but the text ends"),
        ("semtrace.exact", 15, "expected >=, <=, ==, >, <, but the text ends"),
        ("semtrace.exact => 0.5", 16, "expected >="),
        ("semtrace.exact = 0.5", 16, "expected >=, <=, ==, >, <, not '='"),
        ("semtrace.exact >= high", 19, "expected a number such as 0.8 or 80%, or baseline, not 'high'"),
        ("semtrace.exact >=", 18, "expected a number"),
        ("semtrace.exact >= nan", 19, "not 'nan'"),
        ("semtrace.exact >= 0.5 or so", 23, "expected the end of the gate, not 'or'"),
        (f"s.exact >= {'9' * 400}", 12, "the number is too large"),
        ("semtrace >= 0.5", 1, "expected SUITE.METRIC, such as"),
        ("semtrace.exact[language=php >= 0.5", 29, "expected ']', not '>='"),
        ("semtrace.exact[php] >= 0.5", 19, "expected AXIS=VALUE, such as language=php, not ']"),
        ("semtrace.exact[] >= 0.5", 16, "expected AXIS=VALUE"),
        ("s.exact[digits=] >= 0.5", 16, "expected a value of digits"),
        ("semtrace.exact[digits=2,digits=4] >= 0.5", 25, "axis 'digits' occurs twice"),
        ("s.exact >= baseline - ", 23, "expected a number such as 0.02 or 2%"),
        ("s.exact >= baseline 2%", 21, "expected +, - or * and a number, such as baseline - 2%"),
        ("s.exact >= baseline - -2%", 23, "expected a number such as 0.02 or 2%"),
        ("s.exact >= baselin", 12, "or baseline, not 'baselin'"),
        ("s.exact >= s.exact[model] - 3%", 25, "expected AXIS=VALUE"),
        ("s.exact >= s.exact[model=a] 3%", 29, "expected +, - or * and a number"),
        ("s.exact >= s. - 3%", 12, "expected SUITE.METRIC"),
        ("drop(s.exact[perturbation=x] <= 5%", 30, "expected ')', not '<='"),
        ("dorp(s.exact) <= 5%", 1, "there is no dorp( ) here (did you mean 'drop'?)"),
        ("drop(drop(s.exact)) <= 5%", 6, "there is no drop( ) here"),
        ("truncated(s <= 5%", 13, "expected ')'"),
        ("truncated() <= 5%", 11, "expected the name of a suite"),
    ],
)
def test_a_mistake_is_pointed_at(text: str, column: int, complaint: str) -> None:
    with pytest.raises(GateError) as caught:
        parse_gate(text)
    first, shown, caret = str(caught.value).split("\n")
    assert first.startswith(f"gate {text!r}, column {column}: ")
    assert complaint in first
    assert shown == f"    {text}"
    assert caret.index("^") - 4 == column - 1 == caught.value.column - 1


_NAMES = st.text("abz019-_", min_size=1, max_size=8)
_VALUES = st.text("abz09+.: ", max_size=6).map(lambda text: f"x{text}y") | st.just("dead-code(strength=3,density=1)")
_WHERE = st.dictionaries(_NAMES, _VALUES, max_size=3).map(lambda where: tuple(where.items()))
_NUMBERS = st.floats(-1e6, 1e6).map(lambda number: number + 0.0)
_GATES = st.builds(
    Gate,
    st.builds(Quantity, st.lists(_NAMES, min_size=1, max_size=2).map(".".join), _NAMES, _WHERE, st.booleans()),
    st.sampled_from([">=", ">", "<=", "<", "=="]),
    st.builds(Bound, _NUMBERS, st.booleans())
    | st.builds(Bound, _NUMBERS, against=st.builds(Quantity, _NAMES, _NAMES, _WHERE.filter(bool), st.booleans())),
)


@given(_GATES)
def test_a_gate_is_read_as_it_was_written(gate: Gate) -> None:
    assert parse_gate(str(gate)) == gate


@given(_GATES, st.data())
def test_a_mutilated_gate_is_read_or_pointed_at(gate: Gate, data: st.DataObject) -> None:
    text = str(gate)
    place = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    check_reading(text[:place] + data.draw(st.text("()[]=,.<>%-+ ab0\n", max_size=3)) + text[place + cut :])


@given(st.text(max_size=40))
@example("s.exact[a=\n(")
@example("s.m >= 1e5")
def test_any_text_is_read_or_pointed_at(text: str) -> None:
    check_reading(text)


def check_reading(text: str) -> None:
    try:
        gate = parse_gate(text)
    except UsageError as error:
        column = error.column if isinstance(error, GateError) else 0
    else:
        assert parse_gate(str(gate)) == gate
        return
    assert 1 <= column <= len(text) + 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "drop( s.exact[ digits = 2 , model=m ] ) <=  baseline  -  3%",
            {
                "quantity": "s.exact",
                "suite": "s.",
                "metric": "exact",
                "axis digits": "digits",
                "value of digits": "2 ,",
                "axis model": "model",
                "value of model": "m ]",
                "baseline": "baseline",
                "sign": "-",
                "number": "3%",
            },
        ),
        ("truncated( s ) <= 1%", {"quantity": "tr", "suite": "s )", "metric": "truncated", "number": "1%"}),
        (" s.a.b  >=  5", {"quantity": "s.a", "suite": "s.a", "metric": "b ", "number": "5"}),
    ],
)
def test_a_gate_remembers_where_its_parts_begin(text: str, parts: dict[str, str]) -> None:
    columns = parse_gate(text).source.columns
    assert columns.keys() == parts.keys()
    assert {part: text[column - 1 :][: len(parts[part])] for part, column in columns.items()} == parts
