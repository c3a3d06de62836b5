"""Gates that end a cell: which do, when they are decided, and that the verdict at the end is then the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from pytest_codereason.core.adaptive import Seen
from pytest_codereason.results.runs.run_info import RunInfo, parse_run
from pytest_codereason.results.statistics.rounds import leave_open
from pytest_codereason.results.verdicts.cell_gates import explain_end, read_cell_gates
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.results.verdicts.verdict import Decision
from tests.results.statistics.readers import PLACES as PLACES_TO_4096
from tests.results.statistics.readers import RULES, Reader, ask
from tests.results.synthetic_curves import CHOSEN, PLACES, judge_gate, make_curve_data, make_curve_run

INT = {"language": "python", "state": "int"}
LIST = {"language": "python", "state": "list"}
AXES_TO_4096 = {"language": ["python"], "steps": list(PLACES_TO_4096)}


def make_info(*gates: str, models: Sequence[str] = ("m",), stops: bool = True, **suite: Any) -> RunInfo:
    run = make_curve_run(models, **{"adaptive": CHOSEN, **suite})
    return parse_run({**run, "gates": list(gates), "stop_when_decided": stops})


def see(reader: Reader, each: int = 12) -> dict[float, Seen]:
    """Answers of which exactly the expected share is right at every place."""
    return {float(place): Seen(each * reader.chance(place), each, left=5) for place in PLACES}


@pytest.mark.parametrize(
    ("gate", "is_decided"),
    [
        ("horizon.h50[state=int] >= 4", True),
        ("horizon.h50[state=int] >= 64", True),
        ("horizon.h50[state=int] <= 64", True),
        ("horizon.h50[state=int] >= 15", False),
        ("horizon.h50[state=int,language=python] < 17", False),
        ("horizon.h50[state=int] == 16", False),
        ("horizon.h50[state=int] == 100", True),
        ("horizon.lapse[state=int] <= 20%", True),
        ("horizon.lapse[state=int] <= 2%", False),
    ],
)
def test_a_gate_about_a_cell_alone_decides_it(gate: str, is_decided: bool) -> None:
    gates = read_cell_gates(make_info(gate))
    assert gates.find("horizon", "m", INT)(see(Reader(16, 2.0))) is is_decided
    assert gates.find("horizon", "m", LIST) is leave_open, "no gate is about the other cell"


def test_every_gate_about_a_cell_must_be_decided() -> None:
    answers = see(Reader(16, 2.0))
    for second, is_decided in (
        ("horizon.h50[state=int] >= 64", True),
        ("horizon.h50[state=int] >= 15", False),
        ("horizon.h50[state=list] >= 15", True),
        ("horizon.h50 >= 1", False),
        ("horizon.h50[state=*] >= 64", True),
        ("horizon.h50[state=*] >= 15", False),
        ("horizon.h50[state=int] >= baseline * 0.1", False),
        ("horizon.h50[state=int,model=n] >= 15", True),
        ("other.exact >= 90%", True),
    ):
        info = make_info("horizon.h50[state=int] >= 4", second, models=("m", "n"))
        assert read_cell_gates(info).find("horizon", "m", INT)(answers) is is_decided, second


def test_no_cell_ends_so_unless_the_user_wants_it() -> None:
    gates = read_cell_gates(make_info("horizon.h50[state=int] >= 4", stops=False))
    assert gates.find("horizon", "m", INT) is leave_open


def test_nothing_is_decided_without_answers_or_by_answers_that_are_cut_off() -> None:
    is_decided = read_cell_gates(make_info("horizon.h50[state=int] >= 64")).find("horizon", "m", INT)
    assert not is_decided({float(place): Seen(left=5) for place in PLACES})
    assert not is_decided({float(place): Seen(cut=5, left=5) for place in PLACES})
    near = see(Reader(16, 2.0))
    assert is_decided(near)
    assert not is_decided({place: seen._replace(cut=20.0 * (place > 8)) for place, seen in near.items()})


@pytest.mark.parametrize(
    ("gate", "reason"),
    [
        ("horizon.h50[state=int] >= 4", ""),
        ("horizon.lapse[state=int,language=python] <= 5%", ""),
        ("horizon.h50 >= 4", "it is about several cells; name one value of state"),
        ("horizon.h50[state=int] >= baseline * 0.8", "it needs the baseline, which no record holds"),
        ("horizon.h50[state=int] >= horizon.h50[state=int,model=n] * 0.8", "it needs the cell of another model"),
    ],
)
def test_why_a_gate_ends_no_cell(gate: str, reason: str) -> None:
    assert explain_end(parse_gate(gate), make_info().suites["horizon"]) == reason


def test_a_suite_that_asks_everything_has_no_cell_to_end() -> None:
    for adaptive in (None, {**CHOSEN, "asking": "grid"}):
        suite = make_info(adaptive=adaptive).suites["horizon"]
        assert explain_end(parse_gate("horizon.h50[state=int] >= 4"), suite) == "horizon asks every question"


def test_what_a_cell_has_decided_the_end_decides_alike() -> None:
    """The same answers give the same draws, and the limits at the end are narrower."""
    data = make_curve_data({"int": Reader(16, 2.0)}, programs=4)
    rows, rungs = data.select_suite("horizon"), {float(place): Seen(left=1) for place in PLACES}
    for place, outcome in zip(rows["axes.steps"].astype(float), rows["outcome"].astype(str), strict=True):
        right, scored, *_ = rungs[place]
        rungs[place] = Seen(right + (outcome == "correct"), scored + 1, left=1)
    decided, at_end = set[str](), set[str]()
    for limit in PLACES[1:]:
        text = f"horizon.h50[state=int] >= {limit}"
        if read_cell_gates(make_info(text)).find("horizon", "m", INT)(rungs):
            decided.add(text)
        if judge_gate(text, data).verdict in (Decision.PASS, Decision.FAIL):
            at_end.add(text)
    assert "horizon.h50[state=int] >= 4" in decided
    assert decided < at_end < {f"horizon.h50[state=int] >= {limit}" for limit in PLACES[1:]}


def test_a_fail_must_be_the_surer_the_more_gates_are_judged() -> None:
    """One of many may fail by chance alone."""
    text, answers = "horizon.h50[state=int] >= 64", see(Reader(16, 2.0), each=2)
    for others, is_decided in ((0, True), (200, False)):
        gates = [text, *(f"horizon.h50[state=list] >= {2 + number}" for number in range(others))]
        assert read_cell_gates(make_info(*gates)).find("horizon", "m", INT)(answers) is is_decided


@pytest.mark.slow
def test_looking_after_every_round_lets_few_gates_pass_or_fail_wrongly() -> None:
    """The worst case is a limit at the horizon itself: just above it every PASS is wrong, just below every FAIL."""
    draws, readers, passed, failed = np.random.default_rng(1), 250, 0, 0
    for number in range(readers):
        reader = Reader(2 ** draws.uniform(1, 11), draws.uniform(0.8, 2.2), draws.uniform(0, 0.05))
        info = make_info(f"horizon.h50 >= {reader.h50:f}", axes=AXES_TO_4096)
        is_decided = read_cell_gates(info).find("horizon", "m", {"language": "python"})
        low, high = ask(reader, RULES, seed=number, is_decided=is_decided).curve.log_h50(np.array([0.05, 0.95]))
        passed += low >= np.log2(reader.h50)
        failed += high < np.log2(reader.h50)
    allowed = 0.05 + 2 * (0.05 * 0.95 / readers) ** 0.5  # and two standard errors for the luck of these readers
    assert 0 < passed / readers <= allowed
    assert 0 < failed / readers <= allowed
