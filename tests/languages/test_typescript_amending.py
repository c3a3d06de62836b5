"""Comparisons in TypeScript that look like arguments of types are those that its compiler reads as comparisons."""

from __future__ import annotations

import pytest

from pytest_codereason.languages.javascript.syntax.tree import parse_source as parse_javascript
from pytest_codereason.languages.typescript import TypeScript
from pytest_codereason.languages.typescript.amending import may_amend
from pytest_codereason.languages.typescript.blanking import blank
from pytest_codereason.languages.typescript.parsing import parse_source
from pytest_codereason.sandbox import Sandbox
from tests.questions.moments.watching import watch

COMPARISONS = (
    "at < xs.length && left > -1",
    "at < xs.length && left > (n - 1)",
    "at < xs.length || left > [0][0]",
    "at < xs.length && left > +n",
    "at < a.b.c || left > 1 && at < d.e && left > -2",
    "max(a < b, c > -1)",
    "max(a < b, c > [1])",
    "a < b.c.d > -e",
    "a < b & c > -1",
    "a < b | c > x",
    "at < xs.length && /* or more */ left > /* less */ -1",
)
#: With what is left of each.
TYPES = {
    "new Map<string, number>([])": "new Map([])",
    "pick<number | string>(a)": "pick(a)",
    "pick<A & B>(-1)": "pick(-1)",
    "pick<'a && b'>(-1)": "pick(-1)",
    "pick<Map<string, number>>(-a)": "pick(-a)",
    "pick<a.B> in c": "pick in c",
    "pick<a.B> instanceof c": "pick instanceof c",
    "[pick<a.B>, -1]": "[pick, -1]",
}


@pytest.mark.parametrize("text", COMPARISONS)
@pytest.mark.parametrize("around", ["while ({}) {{ at++; }}", "const found = {};", "use({});"])
def test_a_comparison_stays_one(text: str, around: str) -> None:
    source = around.format(text)
    assert blank(source) == source
    tree = parse_source(source)
    assert [tree.text(node) for node in tree.find_nodes("binary_expression")] == [
        source[node.start_byte : node.end_byte] for node in parse_javascript(source).find_nodes("binary_expression")
    ]


@pytest.mark.parametrize(("text", "left"), TYPES.items())
def test_arguments_of_types_stay_some(text: str, left: str) -> None:
    assert blank(f"const found = {text};").replace(" ", "") == f"const found = {left};".replace(" ", "")


def test_sites_have_the_operators_of_the_text() -> None:
    code = TypeScript().syntax.parse("function f(a: number, b: number[]) {\n  return a < b.length && a > -1;\n}\n")
    assert [site.form for site in code.sites_of("operator")] == ["<", "&&", ">", "-"]


def test_such_a_program_runs_as_it_is_written(sandbox: Sandbox) -> None:
    source = """function scan(values: number[]): number {
    let at = 0;
    let depth = 0;
    while (at < values.length && depth > -3) {
        depth = depth - values[at];
        at = at + 1;
    }
    return at;
}
"""
    run = watch(sandbox, source, "scan([1, 1, 1, 1, 1])", "typescript")
    assert run.execution.value == 3


@pytest.mark.parametrize(
    ("source", "may"),
    [
        ("const found = new Map<string, number>();", False),
        ("const f = (x: number) => -x;", False),
        ("if (a && b) {}", False),
        ("if (a < b && c > d) {}", True),
        ("g(a < b, c > -1);", True),
    ],
)
def test_most_programs_are_read_once(source: str, may: bool) -> None:
    assert may_amend(source) is may


def test_comments_behind_types_are_passed_over_once() -> None:
    """If each comment could end at the end of any other, this would take years."""
    text = f"pick<A>{' /**/' * 30};"
    assert blank(text) == text.replace("<A>", "   ")
