"""Which fault is planted: programs run in the sandbox, and the operators are those that ship."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_codereason.core import Facts, Program, Rejected, TextRequest
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.engine.building.authoring import write_by_rule
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.errors import NoText, Skip
from pytest_codereason.questions.authoring.fault import CALLS, EQUIVALENT, FaultText


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    opened = Executor("auto")
    yield opened
    opened.close()


def make_request(source: str, call: str = "", of: str = "operator-swap/0/1", **facts: Any) -> TextRequest:
    program = Program.from_source(language="python", source=source, call=call, facts=Facts(**facts))
    return TextRequest("fault", program, of, place="fault")


def choose(executor: Executor, request: TextRequest) -> ChosenFault:
    async def write() -> str:
        return (await write_by_rule(request, executor.run)).value

    return ChosenFault.read(asyncio.run(write()))


def run_faulty(executor: Executor, request: TextRequest, fault: ChosenFault) -> Execution:
    return executor.execute(Run.from_program(plant(request.program, fault)))


TWO = "def f(a, b):\n    x = a + b\n    y = a * b\n    return x - y\n"


@pytest.mark.slow
def test_each_number_is_another_fault_that_is_observed(executor: Executor) -> None:
    requests = [make_request(TWO, "f(3, 4)", f"operator-swap/0/{number}") for number in (1, 2, 3)]
    faults = [choose(executor, request) for request in requests]
    assert {fault.line for fault in faults} == {2, 3, 4}
    for request, fault in zip(requests, faults, strict=True):
        assert run_faulty(executor, request, fault).value != -5
    with pytest.raises(Skip, match="there are too few such faults that can be observed: 3"):
        choose(executor, make_request(TWO, "f(3, 4)", "operator-swap/0/4"))


def test_a_fault_stands_in_its_quarter(executor: Executor) -> None:
    for quarter, line in ((2, 2), (3, 3), (4, 4)):
        assert choose(executor, make_request(TWO, "f(3, 4)", f"operator-swap/{quarter}/1")).line == line
    with pytest.raises(Skip, match="there is no place for such a fault: operator-swap in quarter 1"):
        choose(executor, make_request(TWO, "f(3, 4)", "operator-swap/1/1"))


def test_a_fault_that_the_call_hides_is_observed_by_calls_with_other_arguments(executor: Executor) -> None:
    request = make_request("def f(a):\n    return 5 + a\n", "f(0)", input="0")
    fault = choose(executor, request)
    assert run_faulty(executor, request, fault).value == 5, "the call itself shows nothing"


@pytest.mark.slow
def test_a_fault_is_observed_far_from_the_arguments_of_the_call(executor: Executor) -> None:
    request = make_request("def f(a):\n    return len(a) < 9 or a != 'none'\n", "f('nine')", "boolean-logic/0/1")
    fault = choose(executor, request)
    faulty = Run.from_program(plant(request.program, fault), call="f('none')")
    assert executor.execute(faulty).value is False, "only the text that the program names shows the fault"


@pytest.mark.slow
def test_a_fault_that_nobody_observes_is_equivalent(executor: Executor) -> None:
    dead = make_request("def f(a):\n    b = a + 1\n    return a\n", "f(2)")
    with pytest.raises(Skip, match="every such fault is equivalent, nobody can observe it: 1 equivalent"):
        choose(executor, dead)
    text = FaultText().candidates(dead, Draws(0))[0]
    tried: list[Run] = []

    async def run(wanted: Run) -> Execution:
        tried.append(wanted)
        return await executor.run(wanted)

    fresh = dead._replace(
        program=Program.from_source(language="python", source="\n" + dead.program.source, call="f(2)")
    )
    with pytest.raises(Rejected, match=EQUIVALENT):
        asyncio.run(FaultText().check(FaultText().candidates(fresh, Draws(0))[0], fresh, run))
    assert len({job.call for job in tried}) > CALLS
    with pytest.raises(Rejected, match="is no fault of the program"):
        asyncio.run(FaultText().check_frozen(text, fresh, run))


def test_a_program_that_cannot_be_run_gets_a_fault_where_that_is_allowed(executor: Executor) -> None:
    source = "import no_such_package\n\n\ndef f(a):\n    return a + 1\n"
    assert choose(executor, make_request(source, "f(1)", "operator-swap/0/1/unobserved")).line == 5
    with pytest.raises(Skip, match="no such fault will do: 1 hidden"):
        choose(executor, make_request(source, "f(1)"))
    with pytest.raises(Skip, match="1 equivalent"):
        choose(executor, make_request("def f(a):\n    return a + 1\n\n\nf(1)\n", of="operator-swap/0/1/unobserved"))


def test_faults_that_are_passed_over_are_counted(executor: Executor) -> None:
    counts = []
    for number in (1, 2):
        source = "def f(a):\n    b = a + a\n    c = a * 1\n    return a - 1\n\n\nprint(f(5))\n"
        request = make_request(source, of=f"operator-swap/0/{number}")
        try:
            counts.append(asyncio.run(write_by_rule(request, executor.run)).rejections)
        except NoText as error:
            counts.append(error.rejections["fault"])
    assert counts[0].get("equivalent", 0) <= 2
    assert counts[1] == {"equivalent": 2}, "there is one fault that will do, and it failed for nothing"


def test_a_script_is_observed_by_what_it_prints(executor: Executor) -> None:
    request = make_request("def f(a):\n    return a + 1\n\n\nf(1)\nprint(f(2))\n")
    assert run_faulty(executor, request, choose(executor, request)).stdout == "1\n"
    with pytest.raises(Skip, match="equivalent"):
        choose(executor, make_request("def f(a):\n    return a + 1\n\n\nf(1)\n"))


def test_a_program_that_gives_something_else_each_time_gets_no_fault(executor: Executor) -> None:
    source = "def f(a):\n    return a + id(object()) % 7919 + hash('x') % 7919\n"
    with pytest.raises(Skip, match="something else each time"):
        choose(executor, make_request(source, "f(1)"))


def test_a_fault_that_never_ends_is_left_out(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(n):\n    while n > 0:\n        n = n - 1\n    return n\n"

    async def run(wanted: Run) -> Execution:  # as the sandbox says it, after the processor time it allows
        faulty = "n = n + 1" in wanted.source
        return Execution(ending="limit", limit="cpu") if faulty else await executor.run(wanted)

    with pytest.raises(Skip, match="no such fault will do: 1 never ends"):
        asyncio.run(write_by_rule(make_request(source, "f(3)"), run))


def test_a_file_beside_the_entry_gets_faults_too(executor: Executor) -> None:
    files = {"main.py": "from lib import side\nprint(side(2))\n", "lib.py": "def side(n):\n    return n + 1\n"}
    program = Program(language="python", files=files, entry="main.py")
    fault = choose(executor, TextRequest("fault", program, "operator-swap/0/1"))
    assert (fault.file, fault.line) == ("lib.py", 2)


def test_where_something_is_missing_the_line_before_the_gap_is_to_blame_too(executor: Executor) -> None:
    body = ["total = 0", "for n in items:", "    total += n", "    # done", "    print(n)", "return total"]
    source = "def f(items):\n" + "".join(f"    {line}\n" for line in body)
    wanted = [f"deleted-statement/0/{number}" for number in range(1, 6)]
    faults = []
    for of in wanted:
        try:
            faults.append(choose(executor, make_request(source, "f([1, 2])", of)))
        except Skip:
            break
    gaps = {(fault.line, fault.also) for fault in faults}
    assert (4, (3,)) in gaps or (5, (3,)) in gaps, gaps  # without `total += n`
    assert all(source_line(source, fault) for fault in faults)


def source_line(source: str, fault: ChosenFault) -> bool:
    """Whether the lines that are to blame hold code."""
    faulty = (source[: fault.span.start] + fault.text + source[fault.span.end :]).split("\n")
    return all(
        faulty[line - 1].strip() and not faulty[line - 1].strip().startswith("#") for line in (fault.line, *fault.also)
    )


def test_the_choice_is_the_same_for_every_suite_and_process() -> None:
    request = make_request(TWO, "f(3, 4)")
    assert FaultText().candidates(request, Draws(1)) == FaultText().candidates(request, Draws(2))
    again = request._replace(of=WantedFault("operator-swap", 0, 2).of)
    assert FaultText().candidates(again, Draws(3)) == FaultText().candidates(request, Draws(1))
