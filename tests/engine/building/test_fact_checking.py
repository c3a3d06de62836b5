"""What a script prints is its output: it is computed, checked, and compared after a perturbation."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from pytest_codereason.changes.perturbations.prints import Prints
from pytest_codereason.changes.stages.perturbation import parse, perturb
from pytest_codereason.core import Facts, Fault, Program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.errors import Skip
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.engine.instances import make_instance

LANGUAGES = ("java", "javascript", "php", "python")


@pytest.fixture
def checker(sandbox: Sandbox) -> FactChecker:
    async def run(job: Run) -> Execution:
        return sandbox.run(job)

    return FactChecker(run)


def make_script(name: str, facts: Facts = Facts()) -> Program:
    """A script of several files from the examples of a language. It prints ``hello all``."""
    example = next(each for each in language(name).examples() if each.stdout == "hello all\n")
    return Program(language=name, files=example.files, entry=example.entry, facts=facts)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_script_must_print_what_is_recorded(name: str, checker: FactChecker) -> None:
    execution = asyncio.run(checker.check_output(make_script(name, Facts(output="hello all\n"))))
    assert execution.read_output(make_script(name)) == "hello all\n"
    with pytest.raises(
        Skip, match=r"^the recorded output is wrong: the program prints 'hello all\\n', recorded is 'hello all'$"
    ):
        asyncio.run(checker.check_output(make_script(name, Facts(output="hello all"))))


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
