"""Made-up programs in which a few names mean many things: under other names, node computes the same."""

from __future__ import annotations

import json
from random import Random

import pytest

from tests.languages.javascript_programs import JAVASCRIPT, needs_node, outcomes, rename_all

#: ``A``, ``B`` are names, ``E`` is an expression, ``S`` a few statements.
EXPRESSIONS = (
    "A", "typeof A", "(A = B)", "({A}).A", "((A) => B)('x')", "((x = A, B) => [x, B])(void [], null)",
    "(({A = B}) => A)({})", "(function A() { return typeof B })()",
)  # fmt: skip
SIMPLE = ("var A = E;", "let A = E;", "var A;", "A = E;", "log(E);", "var {A, B: d = E} = {A: []};")
NESTED = (
    "{ S }", "function A(B) { S return E }", "{ function A() { S } S }", "try { S throw [] } catch (A) { S }",
    "for (let A of [null]) { S }", "for (var A in {x: E}) { S }", "class A { static B() { S } }",
    "switch (E) { case null: S default: S }", "A: for (;;) { S break A }",
    "(function (A, B_ = () => A) { S log(B_()) })(null);",
)  # fmt: skip
#: What a program logs, and the type of what it throws. Names that it does not declare are forgotten afterwards.
FRAME = """const said = [], log = (x) => said.push(typeof x === "function" ? "f" : typeof x + JSON.stringify(x));
try { new Function("log", $)(log); } catch (error) { said.push(error.constructor.name); }
for (const name of ["a", "b", "c"]) delete globalThis[name];
return said;"""


def program(random: Random) -> str:
    def draw(template: str, depth: int) -> str:
        a, b = (random.choice("abc") for _ in "AB")
        parts = []
        for character in template:
            match character:
                case "A":
                    parts.append(a)
                case "B":
                    parts.append(b)
                case "E":
                    parts.append(draw(random.choice(EXPRESSIONS), depth))
                case "S":
                    parts.append(statements(depth - 1))
                case _:
                    parts.append(character)
        return "".join(parts)

    def statements(depth: int) -> str:
        choices = SIMPLE + NESTED if depth > 0 else SIMPLE
        return " ".join(draw(random.choice(choices), depth) for _ in range(random.randrange(3)))

    return random.choice(["", "'use strict'; "]) + " ".join(statements(4) for _ in range(3))


def assert_same(programs: list[str]) -> None:
    variants = [rename_all(source) for source in programs]
    laid_out = [JAVASCRIPT.syntax.normalise(source).text for source in variants]
    results = outcomes([FRAME.replace("$", json.dumps(source)) for source in (*programs, *variants, *laid_out)])
    before, after, normal = (results[i : i + len(programs)] for i in range(0, len(results), len(programs)))
    # Two declarations of one name may be an error; programs that node does not read are none.
    valid = [i for i, result in enumerate(before) if "SyntaxError" not in result]
    assert [(programs[i], variants[i]) for i in valid if not before[i] == after[i] == normal[i]] == []
    assert len(valid) > len(programs) // 4


@pytest.mark.slow
@needs_node
def test_names_that_mean_many_things() -> None:
    random = Random(0)
    assert_same([program(random) for _ in range(200)])


@pytest.mark.slow
@needs_node
def test_names_that_mean_many_things_many_times() -> None:
    random = Random(1)
    assert_same([program(random) for _ in range(1200)])
