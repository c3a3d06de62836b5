from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from pytest_codereason import registry
from pytest_codereason.core import digest
from pytest_codereason.core.language.pseudocode import (
    Assign,
    Block,
    FunctionDefinition,
    Literal,
    Mutate,
    Name,
    Operation,
    Return,
)
from pytest_codereason.errors import BadSetting, UsageError
from pytest_codereason.programs.sources import semtrace
from pytest_codereason.programs.sources.semtrace import SemTrace, TraceSpec, build, draw, output, render
from tests.programs.sources.traces import could_make

LISTING = TraceSpec(81, (-43, 88, -65, -74), (0, 2, 1, 3))


def source(seed: int = 2026, **settings: Any) -> SemTrace:
    return SemTrace.create(settings, seed=seed)


def test_the_example_of_the_paper() -> None:
    assert render(LISTING, "python") == (
        "def f(x):\n"
        "    arr = [0, 0, 0, 0]\n"
        "    arr[0] = x - 43\n"
        "    arr[2] = x - 65\n"
        "    arr[1] = x + 88\n"
        "    arr[3] = x - 74\n"
        "    return arr\n"
    )
    assert output(LISTING) == [38, 169, 16, 7]


def test_the_same_numbers_in_other_languages() -> None:
    assert render(LISTING, "javascript") == (
        "function f(x) {\n"
        "    const arr = [0, 0, 0, 0];\n"
        "    arr[0] = x - 43;\n"
        "    arr[2] = x - 65;\n"
        "    arr[1] = x + 88;\n"
        "    arr[3] = x - 74;\n"
        "    return arr;\n"
        "}\n"
    )
    assert render(LISTING, "php") == (
        "function f($x) {\n"
        "    $arr = [0, 0, 0, 0];\n"
        "    $arr[0] = $x - 43;\n"
        "    $arr[2] = $x - 65;\n"
        "    $arr[1] = $x + 88;\n"
        "    $arr[3] = $x - 74;\n"
        "    return $arr;\n"
        "}\n"
    )


def test_it_is_written_in_languages_whose_functions_stand_alone() -> None:
    assert semtrace.list_languages() == source().languages == ("python", "javascript", "php", "typescript")


@pytest.mark.parametrize("digits", [2, 6])
def test_a_program_is_what_the_printer_of_its_language_writes(digits: int) -> None:
    x, arr = Name("x", "int"), Name("arr", "list")
    for seed in range(30):
        spec = draw(seed, digits)
        sums = [Operation("-" if y < 0 else "+", (x, Literal(abs(y)))) for y in spec.values]
        lines = [Mutate(arr, "put", (Literal(i), sums[i])) for i in spec.order]
        body: Block = (Assign(arr, Literal((0,) * len(sums))), *lines, Return(arr))
        for language in semtrace.list_languages():
            printer = registry.language(language).printer
            assert [*printer.write_function(FunctionDefinition("f", (x,), "list", body))] == render(
                spec, language
            ).splitlines()


def test_languages_pair_program_by_program() -> None:
    trace_source = source(count=20)
    for name in trace_source.names("python"):
        programs = [trace_source.program(language, name, {}) for language in trace_source.languages]
        assert len({str(p.facts["output"]) for p in programs}) == 1
        assert len({p.call for p in programs}) == 1
        assert len({p.sha for p in programs}) == len(trace_source.languages) == 4


def test_python_agrees_on_every_output() -> None:
    trace_source = source(count=100)
    for name in trace_source.names("python"):
        program = trace_source.program("python", name, {"digits": 2 + int(name) % 5})
        space: dict[str, Any] = {}
        exec(program.source, space)
        assert eval(program.call, space) == program.facts["output"]


RUNNERS = {
    "javascript": (["node", "-e"], "{source}\nconsole.log(JSON.stringify({call}));"),
    "php": (["php", "-n", "-r"], "{source}\necho json_encode({call}), PHP_EOL;"),
}


@pytest.mark.parametrize("language", RUNNERS)
def test_the_other_interpreters_agree(language: str) -> None:
    command, script = RUNNERS[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} on this machine")
    trace_source = source(count=20)
    programs = [trace_source.program(language, name, {}) for name in trace_source.names(language)]
    text = "\n".join(
        script.format(source=p.source.replace("function f(", f"function f{i}("), call=p.call.replace("f(", f"f{i}("))
        for i, p in enumerate(programs)
    )
    printed = subprocess.run([*command, text], capture_output=True, text=True, check=True).stdout
    assert [json.loads(line) for line in printed.splitlines()] == [p.facts["output"] for p in programs]


def test_the_reasoning_follows_the_code() -> None:
    reasoning = build(LISTING, "php").facts["reasoning"]
    steps = [line for line in reasoning.splitlines() if line.startswith("$arr[")]
    assert steps == [
        "$arr[0] = 81 - 43 = 38",
        "$arr[2] = 81 - 65 = 16",
        "$arr[1] = 81 + 88 = 169",
        "$arr[3] = 81 - 74 = 7",
    ]
    assert reasoning.endswith("[38, 169, 16, 7].")
    assert "x to 81" in reasoning


# Uniformity. The seeds are fixed, so these pass or fail for good; at alpha = 0.001 a right generator would
# fail one in a thousand of them.
ALPHA = 0.001


@cache
def draw_specs(digits: int) -> list[TraceSpec]:
    return [draw(seed * 7 + 1, digits) for seed in range(20_000)]


def fits(counts: Sequence[int]) -> bool:
    """Whether the counts could be those of equally likely cases."""
    from scipy import stats  # takes longer to import than all else here

    return bool(stats.chisquare(counts).pvalue > ALPHA)


def uniform(values: Sequence[int], low: int, high: int, bins: int) -> bool:
    width = (high - low + 1) / bins
    counts = Counter(int((value - low) / width) for value in values)
    assert low <= min(values)
    assert max(values) <= high
    return fits([counts[b] for b in range(bins)])


@pytest.mark.parametrize("digits", [2, 6])
@pytest.mark.slow
def test_numbers_are_uniform(digits: int) -> None:
    specs = draw_specs(digits)
    assert uniform([len(s.values) for s in specs], 4, 10, 7)
    assert uniform([s.x for s in specs], 10 ** (digits - 1), 10**digits - 1, 90)
    for element in range(4):
        assert uniform([s.values[element] for s in specs], -(10**digits), 10**digits - 1, 200)


def test_every_order_is_as_likely() -> None:
    short = [s.order for s in draw_specs(2) if len(s.order) == 4]
    orders = Counter(short)
    assert len(orders) == 24
    assert fits(list(orders.values()))


def test_the_last_element_stands_anywhere() -> None:
    for length in range(4, 11):
        places = Counter(s.order.index(length - 1) for s in draw_specs(2) if len(s.order) == length)
        assert fits([places[p] for p in range(length)])


def test_numbers_do_not_hang_together() -> None:
    pairs = [(s.values[0] // 20 + 5, s.values[1] // 20 + 5) for s in draw_specs(2)]
    table = [[0] * 10 for _ in range(10)]
    for left, right in pairs:
        table[left][right] += 1
    from scipy import stats

    assert stats.chi2_contingency(table).pvalue > ALPHA


def test_both_ends_are_reached() -> None:
    values = {y for s in draw_specs(2) for y in s.values}
    assert (min(values), max(values)) == (-100, 99)
    assert {s.x for s in draw_specs(2)} == set(range(10, 100))


@pytest.mark.parametrize("digits", range(2, 7))
def test_what_is_drawn_could_be_made(digits: int) -> None:
    trace_source = source(count=200, digits=digits)
    for i in range(200):
        assert could_make(trace_source._find_series({})[i], digits)
    assert all(could_make(spec, digits) for spec in trace_source._find_series({}).examples)


@pytest.mark.parametrize(
    "spec",
    [
        TraceSpec(9, (0,) * 4, (0, 1, 2, 3)),
        TraceSpec(100, (0,) * 4, (0, 1, 2, 3)),
        TraceSpec(10, (0,) * 3, (0, 1, 2)),
        TraceSpec(10, (0,) * 11, tuple(range(11))),
        TraceSpec(10, (100, 0, 0, 0), (0, 1, 2, 3)),
        TraceSpec(10, (-101, 0, 0, 0), (0, 1, 2, 3)),
        TraceSpec(10, (0,) * 4, (0, 1, 2, 2)),
    ],
)
def test_what_is_out_of_range_could_not(spec: TraceSpec) -> None:
    assert not could_make(spec, 2)


def test_no_two_programs_are_the_same() -> None:
    trace_source = source()
    programs = {trace_source.program("python", name, {}).sha for name in trace_source.names("python")}
    shots = {p.sha for p in trace_source.shots("python", "0000", {}, 8)}
    assert len(programs) == 800
    assert len(shots) == 8
    assert not programs & shots


def test_a_program_that_comes_twice_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [draw(seed, 2) for seed in range(40)]
    monkeypatch.setattr(semtrace, "draw", lambda seed, digits: few[seed % 40])
    trace_source = source(count=30)
    texts = [trace_source.program("python", name, {}).source for name in trace_source.names("python")]
    assert len(set(texts)) == 30
    again = source(count=25)
    assert [again.program("python", f"{i:04d}", {}).source for i in reversed(range(25))][::-1] == texts[:25]


def test_a_program_depends_neither_on_count_nor_on_order() -> None:
    few, many = source(count=10), source(count=1000)
    names = list(many.names("php"))
    random.Random(0).shuffle(names)
    late = {name: many.program("php", name, {}) for name in names}
    for name in few.names("php"):
        assert few.program("php", name, {}) == late[name]


def test_seed_and_digits_change_every_program() -> None:
    trace_source, other = source(count=5), source(seed=1, count=5)
    for name in trace_source.names("python"):
        same = {trace_source.program("python", name, {"digits": d}).sha for d in range(2, 7)}
        assert len(same | {other.program("python", name, {}).sha}) == 6


SCRIPT = """
import sys
from pytest_codereason import registry
from pytest_codereason.core import digest
from pytest_codereason.core.language.pseudocode import Assign, Block, Literal, Mutate, Name, Operation, Return
from pytest_codereason.programs.sources.semtrace import SemTrace
made = SemTrace.create({"count": 50}, seed=2026)
names = list(made.names("python"))
programs = {(l, n): made.program(l, n, {"digits": 3}) for n in names[::int(sys.argv[1])] for l in made.languages}
print(digest([(p.source, p.call, p.facts["output"]) for _, p in sorted(programs.items())]))
"""


@pytest.mark.slow
def test_the_same_in_every_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, step],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed, step in (("0", "1"), ("1", "-1"), ("12345", "1"))
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def test_the_generator_does_not_drift() -> None:
    """If this fails on purpose, raise VERSION: stored answers belong to the programs of before."""
    trace_source = source()
    contents = [
        (p.source, p.call, p.facts["output"])
        for digits in (2, 6)
        for language in ("python", "javascript", "php")
        for p in (
            *(trace_source.program(language, name, {"digits": digits}) for name in ("0000", "0007", "0799")),
            *trace_source.shots(language, "0000", {"digits": digits}, 2),
        )
    ]
    assert digest(contents) == "0dd9c5775d60388a66602710a606c081279c2fe6f9d6444d188a7f4cfab7f075"


def test_names_have_four_digits_or_more() -> None:
    names = list(source(count=10_002).names("python"))
    assert (names[0], names[9_999], names[10_001]) == ("0000", "9999", "10001")


@pytest.mark.parametrize("name", ["0800", "1", "00001", "x", "-001", "../x", "٠٠٠١", ""])
def test_unknown_names_are_said(name: str) -> None:
    with pytest.raises(UsageError, match="0000 to 0799"):
        source().program("python", name, {})


def test_more_shots_than_there_are() -> None:
    with pytest.raises(UsageError, match="8 worked examples"):
        source().shots("python", "0000", {}, 9)


def test_shots_are_shared_by_all_programs() -> None:
    trace_source = source()
    assert trace_source.shots("python", "0000", {}, 2) == trace_source.shots("python", "0001", {}, 2)
    assert trace_source.shots("python", "0000", {}, 2)[:1] == trace_source.shots("python", "0000", {}, 1)
    assert trace_source.shots("python", "0000", {}, 0) == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("count", 0),
        ("count", 100_001),
        ("count", True),
        ("count", "800"),
        ("digits", 1),
        ("digits", 7),
        ("digits", 2.0),
        ("seed", "x"),
        ("number", 3),
    ],
)
def test_bad_settings_name_their_key(key: str, value: object) -> None:
    with pytest.raises(BadSetting, match=key) as caught:
        SemTrace.create({key: value}, seed=2026)
    assert caught.value.key == key


def test_settings_and_identity() -> None:
    trace_source = source(seed=5, count=3, digits=4)
    assert trace_source.identity == {"name": "semtrace", "version": 1, "count": 3, "digits": 4, "seed": 5}
    assert source(seed=5).identity["count"] == 800
    assert SemTrace.create({"seed": 6}, seed=5).identity["seed"] == 6
    assert trace_source.program("python", "0000", {}) == trace_source.program("python", "0000", {"digits": 4})


def test_the_axis_takes_two_to_six_digits() -> None:
    axis = SemTrace.axes["digits"]
    assert [v for v in (1, 2, 6, 7, True, 2.0, "2") if axis.accepts(v)] == [2, 6]
    assert axis.changes_program
