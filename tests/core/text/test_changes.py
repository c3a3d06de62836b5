"""A change carries the call and the facts of a program along."""

from __future__ import annotations

import builtins
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.execution import Run
from pytest_codereason.core.facts import Movement, OwnFact
from pytest_codereason.core.language.structure import Binding, BindingKind, Span, Use
from pytest_codereason.core.text.changes import Change, change, move, rename, rename_qualified
from pytest_codereason.core.text.edits import Edit, Insert, Replace, apply
from pytest_codereason.errors import BadEdit, LostPlace, Refused
from pytest_codereason.programs.sources._examples import EXAMPLES
from pytest_codereason.programs.sources._examples import program as example_program
from pytest_codereason.programs.sources.cruxeval import CruxEval
from pytest_codereason.sandbox import Sandbox

SOURCE = "def g(x):\n    return x\ndef f(a, b):\n    return g(a) + b\n"


@dataclass(frozen=True)
class Named(OwnFact):
    """A fact that is the name of a function."""

    name: str

    def move(self, movement: Movement) -> Named:
        return Named(movement.move_name(self.name))


def program(**facts: Any) -> Program:
    return Program.from_source(language="python", source=SOURCE, call="f(1, b=2)", facts=Facts(**facts))


def binding(
    name: str, *places: int, kind: BindingKind = "function", call: tuple[int, ...] = (), function: str = ""
) -> Binding:
    uses = [Use(Span(at, at + len(name))) for at in places]
    uses += [Use(Span(at, at + len(name)), in_call=True) for at in call]
    return Binding(name=name, kind=kind, function=function, uses=tuple(uses))


G = binding("g", 4, SOURCE.index("g(a)"))
F = binding("f", SOURCE.index("f(a"), call=(0,))


def test_names_are_swapped() -> None:
    after = change(program(own=Named("f")), rename({F: "g", G: "f"}))
    assert after.source == SOURCE.replace("f(", "?(").replace("g(", "f(").replace("?(", "g(")
    assert after.call == "g(1, b=2)"
    assert after.facts == Facts(own=Named("g"))


def test_a_use_is_written_by_its_template() -> None:
    name = Binding(name="a", kind="variable", function="", uses=(Use(Span(0, 1)), Use(Span(6, 7), template="a: {}")))
    after = change(Program.from_source(language="javascript", source="a; ({ a })", call=""), rename({name: "b"}))
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
    after = change(program(fault=Fault(4), output=3, reasoning="f calls g"), Change(edits=tuple(edits)))
    assert after.facts == Facts(fault=Fault(5, "main"), output=3)
    with pytest.raises(BadEdit, match="the change removes line 2"):
        change(program(fault=Fault(2)), Change(edits=(Replace(Span(10, 23), ""),)))


def test_the_text_of_a_fault_is_carried() -> None:
    at = SOURCE.index("g(a)")
    before = Fault(4, also=(3,), spans=(Span(at, at + 4), Span(10, 23)))
    moved = change(program(fault=before), Change(edits=(Insert(at, "\\\n"),)))
    assert moved.facts.fault.line == 5
    assert moved.source[slice(*moved.facts.fault.spans[0])] == "g(a)"
    with pytest.raises(LostPlace, match=r"removes or tears the text that a fact names: g\(a\)"):
        change(program(fault=before), Change(edits=(Replace(Span(at, at + 4), ""),)))
    alone = change(program(fault=before), Change(edits=(Replace(Span(10, 23), ""),))).facts.fault
    assert (alone.also, len(alone.spans)) == ((), 1), "the line before the gap is removed, the faulty one is left"
    with pytest.raises(ValueError, match="one text for each of its lines, or none"):
        program(fault=Fault(4, spans=before.spans))


def test_nothing_changes_without_edits() -> None:
    assert change(program(output=1), Change()) == program(output=1)


def test_what_is_not_rewritten_stays() -> None:
    before = Program.from_source(
        language="python", source="a", call="f()", facts=Facts(output=1), origin="here", licence="MIT"
    )
    before = replace(before, repository="there", written_by=(("driver", "openai:x"),))
    after = before.replace_source("b", "g()", Facts())
    assert after == replace(before, files={"main": "b"}, call="g()", facts=Facts())
    assert all(getattr(before, field.name) for field in fields(Program)), "a new field is to be carried along too"


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
    assert rename_qualified(name, names) == after


def rotate_names(original: Program) -> Program:
    """The program with its names handed round: every safe name becomes the next one."""
    bindings = registry.language(original.language).syntax.parse(original.source, original.call).bindings
    risky = {b.name for b in bindings if b.unsafe}
    names = [n for n in dict.fromkeys(b.name for b in bindings) if n not in risky and not hasattr(builtins, n)]
    following = dict(zip(names, [*names[1:], *names[:1]], strict=True))
    return change(original, rename({b: following[b.name] for b in bindings if b.name in following}))


def run_program(sandbox: Sandbox, variant: Program) -> Any:
    execution = sandbox.run(Run.from_program(variant))
    assert execution.returned, f"{variant.source}\n{variant.call} {execution.words}"
    return execution.value


@pytest.mark.slow
@pytest.mark.parametrize("language", ["python", "javascript", "php", "java"])
def test_programs_with_their_names_handed_round_return_the_same(language: str, sandbox: Sandbox) -> None:
    for example in EXAMPLES:
        before = example_program(example, language)
        after = rotate_names(before)
        assert after.source != before.source
        assert after.facts["input"] == before.facts["input"]
        assert registry.language(language).values.equal(run_program(sandbox, after), before.facts["output"])


@pytest.mark.slow
@pytest.mark.skipif("CODEREASON_DATA" not in os.environ, reason="CODEREASON_DATA names no folder with cruxeval.jsonl")
def test_all_of_cruxeval_with_names_handed_round_returns_the_same(sandbox: Sandbox) -> None:
    source = CruxEval.create({}, seed=0)
    programs = [rotate_names(source.program("python", name, {})) for name in source.names("python")]
    ends = sandbox.run_all([Run.from_source(language="python", source=p.source, call=p.call) for p in programs])
    equal = registry.language("python").values.equal
    pairs = zip(programs, ends, strict=True)
    failing = [p.origin for p, end in pairs if not (end.returned and equal(end.value, p.facts["output"]))]
    assert failing == []


def test_an_input_that_is_spelt_otherwise_stays_where_the_call_does() -> None:
    program = Program.from_source(
        language="python", source="def f(a, b):\n    return a\n", call="f(1,2)", facts=Facts(output=1, input="1, 2")
    )
    moved = move(program, apply(program.source, [Insert(0, "# first\n")]))
    assert moved.facts["input"] == "1, 2"
