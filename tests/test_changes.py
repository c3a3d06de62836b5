"""A change carries the call and the facts of a program along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pytest_codereason.changes import Change, change, rename, renamed
from pytest_codereason.core import Program
from pytest_codereason.edits import Edit, Insert, Replace
from pytest_codereason.errors import BadEdit, Refused
from pytest_codereason.structure import Binding, BindingKind, Span, Use

SOURCE = "def g(x):\n    return x\ndef f(a, b):\n    return g(a) + b\n"


def program(**facts: Any) -> Program:
    return Program(language="python", source=SOURCE, call="f(1, b=2)", facts=facts)


def binding(
    name: str, *places: int, kind: BindingKind = "function", call: tuple[int, ...] = (), function: str = ""
) -> Binding:
    uses = [Use(Span(at, at + len(name))) for at in places]
    uses += [Use(Span(at, at + len(name)), in_call=True) for at in call]
    return Binding(name=name, kind=kind, function=function, uses=tuple(uses))


G = binding("g", 4, SOURCE.index("g(a)"))
F = binding("f", SOURCE.index("f(a"), call=(0,))


def test_names_are_swapped() -> None:
    after = change(program(edges={"f": ["g"], "g": []}), rename({F: "g", G: "f"}))
    assert after.source == SOURCE.replace("f(", "?(").replace("g(", "f(").replace("?(", "g(")
    assert after.call == "g(1, b=2)"
    assert after.facts == {"edges": {"g": ["f"], "f": []}}


def test_a_use_is_written_by_its_template() -> None:
    name = Binding(name="a", kind="variable", function="", uses=(Use(Span(0, 1)), Use(Span(6, 7), template="a: {}")))
    after = change(Program(language="javascript", source="a; ({ a })", call=""), rename({name: "b"}))
    assert after.source == "b; ({ a: b })"


def test_an_unsafe_name_is_refused() -> None:
    risky = Binding(name="f", kind="function", function="", uses=(), unsafe="eval reads it")
    with pytest.raises(Refused, match="f cannot be renamed: eval reads it"):
        rename({risky: "g"})


def test_arguments_follow_the_call() -> None:
    b = binding("b", SOURCE.index("b):"), SOURCE.rindex("b"), kind="parameter", call=(5,), function="f")
    after = change(program(input="1, b=2"), rename({b: "rest", F: "long_name"}))
    assert after.call == "long_name(1, rest=2)"
    assert after.facts["input"] == "1, rest=2"


def test_the_line_of_a_fault_is_carried() -> None:
    edits: list[Edit] = [Insert(0, "# new\n"), Replace(Span(SOURCE.index("g(a)"), SOURCE.index("g(a)") + 4), "g(\na)")]
    after = change(program(line=4, output=3, reasoning="f calls g"), Change(edits=tuple(edits)))
    assert after.facts == {"line": 5, "output": 3}
    with pytest.raises(BadEdit, match="the change removes line 2"):
        change(program(line=2), Change(edits=(Replace(Span(10, 23), ""),)))


def test_nothing_changes_without_edits() -> None:
    assert change(program(output=1), Change()) == program(output=1)


@pytest.mark.parametrize(
    ("name", "names", "after"),
    [
        ("f", {"f": "h"}, "h"),
        ("outer.f", {"f": "h"}, "outer.f"),
        ("outer.f", {"outer": "o", "outer.f": "h"}, "o.h"),
        ("outer.f.f", {"outer.f": "h"}, "outer.h.f"),
        ("a.b", {"a": "b", "b": "a"}, "b.b"),
        (
            "shop.Cart:add(shop.Item[],int)",
            {"shop.Item": "Thing", "shop.Cart": "Basket"},
            "shop.Basket:add(shop.Thing[],int)",
        ),
        ("Map$Entry:of(java.util.List<Map$Entry>)", {"Map$Entry": "Pair"}, "Map$Pair:of(java.util.List<Map$Pair>)"),
        ("ff", {"f": "h"}, "ff"),
        ("<module>", {"module": "h"}, "<module>"),
    ],
)
def test_qualified_names(name: str, names: Mapping[str, str], after: str) -> None:
    assert renamed(name, names) == after
