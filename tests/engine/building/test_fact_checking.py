"""What a script prints is its output: it is computed, checked, and compared after a perturbation."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from pytest_codereason.changes.perturbations.prints import Prints
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.engine.building import fact_checking
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.questions.authoring.further_calls import list_further_calls
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.engine.instances import make_instance
from tests.examples import mostly_slow

LANGUAGES = ("java", "javascript", "php", "python")


@pytest.fixture
def ran() -> list[Run]:
    """What the checker of a test has run."""
    return []


@pytest.fixture
def checker(sandbox: Sandbox, ran: list[Run]) -> FactChecker:
    async def run(job: Run) -> Execution:
        ran.append(job)
        return sandbox.run(job)

    return FactChecker(run)


def make_script(name: str, facts: Facts = Facts()) -> Program:
    """A script of several files from the examples of a language. It prints ``hello all``."""
    example = next(each for each in language(name).examples() if each.stdout == "hello all\n")
    return Program(language=name, files=example.files, entry=example.entry, facts=facts)


@pytest.mark.parametrize("name", mostly_slow(LANGUAGES, 2))
def test_a_script_must_print_what_is_recorded(name: str, checker: FactChecker) -> None:
    execution = asyncio.run(checker.check_output(make_script(name, Facts(output="hello all\n"))))
    assert execution.read_output(make_script(name)) == "hello all\n"
    with pytest.raises(
        Skip, match=r"^the recorded output is wrong: the program prints 'hello all\\n', recorded is 'hello all'$"
    ):
        asyncio.run(checker.check_output(make_script(name, Facts(output="hello all"))))


@pytest.mark.slow
@pytest.mark.parametrize("facts", [Facts(), Facts(output="hello all\n")], ids=["computed", "recorded"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_script_that_prints_more_is_not_asked_about(
    name: str, facts: Facts, checker: FactChecker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the perturbation says so or not."""
    script = make_script(name, facts)
    vanilla = perturb(script, parse("vanilla"), 3, "x", "output")
    assert asyncio.run(checker.check_perturbed(make_instance(script, vanilla)))
    with pytest.raises(
        Skip, match="the program is a script, whose output is what it prints, and prints adds to that output"
    ):
        perturb(script, parse("prints"), 3, "x", "output")
    monkeypatch.setattr(Prints, "prints", False)
    printing = perturb(script, parse("prints"), 3, "x", "output")
    with pytest.raises(Skip, match="the perturbed program prints something else"):
        asyncio.run(checker.check_perturbed(make_instance(script, printing)))


def test_a_print_that_another_file_reads_is_noticed(checker: FactChecker) -> None:
    files = {
        "main.py": "import catcher\n\ndef g(n):\n    return n\n\ndef f(n):\n    return catcher.catch(g, n)\n",
        "catcher.py": "import io\nimport sys\n\ndef catch(call, n):\n    kept, sys.stdout = sys.stdout, io.StringIO()\n"
        "    call(n)\n    text, sys.stdout = sys.stdout.getvalue(), kept\n    return text\n",
    }
    program = Program(language="python", files=files, entry="main.py", call="f(3)", facts=Facts(output=""))
    with pytest.raises(Skip, match="the program may read what it prints"):
        perturb(program, parse("prints"), 3, "x", "output")
    printing = replace(program, files={**files, "main.py": files["main.py"].replace("return n\n", "print(n)\n", 1)})
    with pytest.raises(Skip, match="the perturbed program returns something else"):
        asyncio.run(checker.check_perturbed(make_instance(program, printing)))


FAULTY = "def f(a):\n    if a:\n        raise KeyError(a)\n    return a\n"
#: A perturbed faulty program, and whether it ends as the faulty one does, which raises an error.
PERTURBED = {
    "def f(b):\n    if b:\n        raise KeyError(b)\n    return b\n": True,
    "def f(a):\n    if a:\n        raise ValueError(a)\n    return a\n": False,
    "def f(a):\n    return a\n": False,
}


@pytest.mark.parametrize(("source", "same"), PERTURBED.items())
@pytest.mark.parametrize("call", ["f(1)", ""])
def test_a_perturbed_faulty_program_must_end_as_the_faulty_one(
    source: str, same: bool, call: str, checker: FactChecker
) -> None:
    end, facts = "" if call else "\n\nprint(1)\nf(1)\n", Facts(fault=Fault(2))
    reference, program = (
        Program.from_source(language="python", source=text + end, call=call, facts=facts) for text in (FAULTY, source)
    )
    instance = make_instance(reference, program)
    if same:
        assert asyncio.run(checker.check_perturbed(instance))
    else:
        with pytest.raises(Skip, match="the perturbed program ends in another way than the faulty one"):
            asyncio.run(checker.check_perturbed(instance))


ONE_MORE = "def f(n):\n    return n + 1\n"


def make_function(source: str, *, call: str = "f(2)", facts: Facts = Facts(output=3)) -> Program:
    return Program.from_source(language="python", source=source, call=call, facts=facts)


def test_other_arguments_are_checked_in_one_run_of_each_program(
    checker: FactChecker, ran: list[Run], sandbox: Sandbox
) -> None:
    reference, changed = make_function(ONE_MORE), make_function("def f(m):\n    return 1 + m\n")
    calls, _ = list_further_calls(reference, changed)
    assert len(calls) > 3
    checked = asyncio.run(checker.check_perturbed(make_instance(reference, changed)))
    assert checked.calls == 1 + len(calls)
    assert checked.tier == sandbox.tier
    assert len(ran) == 2, "its own call was seen beside the others"
    asyncio.run(checker.check_perturbed(make_instance(reference, changed)))
    assert len(ran) == 3, "how the reference ends is known by now"
    asyncio.run(checker.check_perturbed(make_instance(reference, reference)))
    assert len(ran) == 4


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (
            "def f(m):\n    return m + 1 if m == 2 else 7\n",
            r"returns something else for f\(.*\): the reference does not$",
        ),
        (
            "def f(m):\n    if m != 2:\n        raise KeyError(m)\n    return 3\n",
            r"raises KeyError for f\(.*\): the reference does not$",
        ),
        (
            "import os\ndef f(m):\n    return 3 if m == 2 else os._exit(1)\n",
            r"ends without a result: .* for f\(.*\): the reference does not$",
        ),
        ("def f(m):\n    return m\n", "returns something else$"),
        ("def f(m):\n    return [][m]\n", "raises IndexError"),
    ],
)
def test_a_change_that_shows_for_other_arguments_is_refused(source: str, complaint: str, checker: FactChecker) -> None:
    with pytest.raises(Skip, match=f"^the perturbed program {complaint}"):
        asyncio.run(checker.check_perturbed(make_instance(make_function(ONE_MORE), make_function(source))))


@pytest.mark.slow
def test_other_arguments_that_are_just_too_slow_refute_nothing(
    checker: FactChecker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_checking, "FURTHER_LIMITS", Limits(cpu_s=1, wall_s=0.2))
    changed = make_function("import time\ndef f(m):\n    while m != 2:\n        time.sleep(9)\n    return 3\n")
    checked = asyncio.run(checker.check_perturbed(make_instance(make_function(ONE_MORE), changed)))
    assert checked.calls == 1


def test_arguments_for_which_the_reference_is_not_steady_do_not_count(checker: FactChecker) -> None:
    source = "import random\ndef f(n):\n    return n + 1 if n >= 0 else random.random()\n"
    reference, changed = (
        make_function(source),
        make_function(source.replace("(n)", "(m)").replace("n + 1 if n >", "m + 1 if m >")),
    )
    calls, _ = list_further_calls(reference, changed)
    steady = [call for call in calls if "-" not in call]
    assert 0 < len(steady) < len(calls)
    checked = asyncio.run(checker.check_perturbed(make_instance(reference, changed)))
    assert checked.calls == 1 + len(steady)


def test_only_so_many_references_are_remembered(
    checker: FactChecker, ran: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fact_checking, "KEPT_REFERENCES", 2)
    programs = [make_function(f"{ONE_MORE}\n\nx = {number}\n") for number in range(3)]
    runs = []
    for place in (0, 1, 1, 2, 1, 0):
        before = len(ran)
        asyncio.run(checker.check_perturbed(make_instance(programs[place], programs[place])))
        runs.append(len(ran) - before)
    assert runs == [2, 2, 1, 2, 1, 2], "the third took the place of the first"


@pytest.mark.slow
def test_an_output_is_that_of_two_runs_or_none(checker: FactChecker, monkeypatch: pytest.MonkeyPatch) -> None:
    unsteady = make_function("import time\ndef f(n):\n    return time.monotonic_ns()\n", facts=Facts())
    with pytest.raises(Skip, match=r"^the program returns something else each time: \d+, then \d+$"):
        asyncio.run(checker.check_output(unsteady))
    with pytest.raises(Skip, match=r"^the program raises KeyError"):
        asyncio.run(checker.check_output(make_function("def f(n):\n    raise KeyError(n)\n")))
    monkeypatch.setattr(fact_checking, "LIMITS", Limits(cpu_s=1, wall_s=0.2))
    endless = make_function("import time\ndef f(n):\n    time.sleep(9)\n")
    with pytest.raises(SandboxError, match=r"^the output of the program is unknown: it "):
        asyncio.run(checker.check_output(endless))
    monkeypatch.setattr(fact_checking, "FURTHER_LIMITS", Limits(cpu_s=1, wall_s=0.2))
    faulty = replace(endless, facts=Facts(fault=Fault(2)))
    for reference, program in ((make_function(ONE_MORE), endless), (faulty, faulty)):
        with pytest.raises(SandboxError, match=r"^the output of the perturbed program is unknown: it "):
            asyncio.run(checker.check_perturbed(make_instance(reference, program)))


def test_a_faulty_program_that_returns_is_seen_beside_other_arguments(checker: FactChecker, ran: list[Run]) -> None:
    facts = Facts(fault=Fault(2))
    reference, changed = (make_function(f"def f({n}):\n    return {n} - 1\n", facts=facts) for n in "nm")
    checked = asyncio.run(checker.check_perturbed(make_instance(reference, changed)))
    assert (checked.calls > 4, len(ran)) == (True, 2)
    other = make_function("def f(m):\n    return m - 2\n", facts=facts)
    with pytest.raises(Skip, match="the perturbed program ends in another way than the faulty one: it "):
        asyncio.run(checker.check_perturbed(make_instance(reference, other)))


def test_an_output_that_nobody_recorded_is_that_of_the_reference(checker: FactChecker) -> None:
    reference, changed = (make_function(source, facts=Facts()) for source in (ONE_MORE, "def f(m):\n    return m\n"))
    with pytest.raises(Skip, match=r"^the perturbed program returns something else$"):
        asyncio.run(checker.check_perturbed(make_instance(reference, changed)))
    alone = replace(make_instance(reference, reference), reference=None)
    assert asyncio.run(checker.check_perturbed(alone)).calls > 4
