"""Runs programs to see that they do what their facts, or their references, say.

The output of a program is the value of its call, or what a script prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pytest_codereason.core import Instance, Program, RunProgram
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.text.wording import clip
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.questions.authoring.further_calls import (
    End,
    evaluate,
    find_difference,
    list_further_calls,
    run_calls,
    tells,
)
from pytest_codereason.registry import language

#: A program that uses this much processor time counts as endless. A program that only waits may still end.
LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Of all further calls together. Other arguments may make a program endless.
FURTHER_LIMITS = Limits(cpu_s=2, wall_s=15.0)

#: Runs of a reference after a change ends otherwise than it: does it do so itself?
TURNS = 5
#: References whose ends are kept: the changes of one program follow each other.
KEPT_REFERENCES = 256


class Checked(NamedTuple):
    """How a changed program was checked."""

    tier: str  #: of the sandbox
    calls: int  #: on how many calls it did what the reference does, its own among them


class FactChecker:
    """Checks programs by running them."""

    def __init__(self, run: RunProgram) -> None:
        self._run = run
        #: how the further calls of the last references end; empty where one of them does not let this be seen
        self._ends: dict[str, list[End]] = {}

    async def check_output(self, program: Program) -> Execution:
        """The execution of a program that returns what its facts say.

        A program without a recorded output is run twice: an output that differs each time is no right answer.

        Raises:
            Skip: the program returns nothing, something else than its facts say, or not the same twice.
            SandboxError: the program could not be run, or took too long.
        """
        execution = await self._run_original(program)
        output = execution.read_output(program)
        if "output" in program.facts:
            recorded = program.facts["output"]
            if not _equal_outputs(program, output, recorded):
                words = f"{_write_output(program, output)}, recorded is {_write_output(program, recorded)}"
                raise Skip(f"the recorded output is wrong: the program {_name_act(program)} {words}")
        else:
            second = (await self._run_original(program, attempt=1)).read_output(program)
            if not _equal_outputs(program, output, second):
                words = f"{_write_output(program, output)}, then {_write_output(program, second)}"
                raise Skip(f"the program {_name_act(program)} something else each time: {words}")
        return execution

    async def _run_original(self, program: Program, *, attempt: int = 0) -> Execution:
        """The execution of a program that gives an output."""
        execution = await self._run_program(program, attempt=attempt)
        if execution.limit == "time":
            raise SandboxError(f"the output of the program is unknown: it {execution.words}")
        if not execution.returned:
            raise Skip(f"the program {execution.words}")
        return execution

    async def check_perturbed(self, instance: Instance) -> Checked:
        """Runs the program of an instance, which must do what the reference does.

        It must return what the reference returns. If the reference has a fault, it must end as the reference does,
        which may raise an error. The same holds for other arguments of the call, as far as they can be had: an error
        must then be of the same type. Other arguments are left out for which the reference differs from run to run, or
        grows too deep or too large.

        Raises:
            Skip: the perturbation broke the program. No question is asked about it.
            SandboxError: the program could not be run, or took too long.
        """
        program, reference = instance.program, instance.reference or instance.program
        known, calls = list_further_calls(reference, program)
        right = await self._evaluate_reference(reference, known)
        ends = await evaluate(program, calls, self._run, FURTHER_LIMITS) if right else []
        execution = await self._check_entry(instance, right, ends)
        if right and not ends:
            await self._find_unseen(program, calls)
        agreed = await self._check_further(program, reference, known, right, ends) if ends else 0
        return Checked(execution.tier, 1 + agreed)

    async def _find_unseen(self, program: Program, calls: Sequence[str]) -> None:
        """Looks for the call of a changed program whose end cannot be seen, while that of its reference can.

        Raises:
            Skip: there is one, and it was not just too slow.
        """
        for call in calls:
            execution = await run_calls(program, [call], self._run, FURTHER_LIMITS)
            if execution is not None and not execution.returned and execution.ending != "limit":
                raise Skip(f"the perturbed program {execution.words} for {clip(call, 200)}: the reference does not")

    async def _evaluate_reference(self, reference: Program, calls: Sequence[str]) -> list[End]:
        """How the calls of a reference end; empty if one of them does not let this be seen."""
        if not calls:
            return []
        if reference.sha not in self._ends:
            ends = await evaluate(reference, calls, self._run, FURTHER_LIMITS)
            while len(self._ends) >= KEPT_REFERENCES:
                del self._ends[next(iter(self._ends))]
            self._ends[reference.sha] = ends
        return self._ends[reference.sha]

    async def _check_entry(self, instance: Instance, right: Sequence[End], ends: Sequence[End]) -> Execution:
        """The execution of the changed program's own call, which does what it should."""
        program, facts = instance.program, instance.program.facts
        if "fault" in facts and "output" not in facts and instance.reference is not None:
            if ends and ends[0].returned and not find_difference(program, right, ends, [0]):
                return ends[0].execution
            return await self._check_faulty(program, instance.reference)
        if "output" in facts:
            expected = facts["output"]
        else:
            reference = instance.reference or program
            expected = (await self.check_output(reference)).read_output(reference)
        if ends and ends[0].returned and _equal_outputs(program, ends[0].value, expected):
            return ends[0].execution
        execution = await self._run_program(program)
        if execution.limit == "time":
            raise SandboxError(f"the output of the perturbed program is unknown: it {execution.words}")
        if not execution.returned:
            raise Skip(f"the perturbed program {execution.words}")
        if not _equal_outputs(program, execution.read_output(program), expected):
            raise Skip(f"the perturbed program {_name_act(program)} something else")
        return execution

    async def _check_further(
        self, program: Program, reference: Program, calls: Sequence[str], right: Sequence[End], ends: Sequence[End]
    ) -> int:
        """On how many further calls a program ends as its reference.

        Raises:
            Skip: on one of them it ends in another way.
        """
        several = language(program.language).runner.several
        wanted = [place for place in range(1, len(right)) if tells(right[place], several)]
        different = find_difference(program, right, ends, wanted)
        for attempt in range(1, 1 + TURNS):  # the order of a map may be one of two
            if not different:
                return len(wanted)
            again = await evaluate(reference, calls, self._run, FURTHER_LIMITS, attempt=attempt)
            unsteady = find_difference(program, right, again, wanted) if again else wanted
            wanted = [place for place in wanted if place not in unsteady]
            different = [place for place in different if place in wanted]
        if different:
            call = clip(calls[different[0] - 1], 200)
            raise Skip(f"the perturbed program {ends[different[0]].words} for {call}: the reference does not")
        return len(wanted)

    async def _check_faulty(self, program: Program, reference: Program) -> Execution:
        """Runs a perturbed program with a fault, and the one that it was made of."""
        expected, execution = await self._run_program(reference), await self._run_program(program)
        if "time" in (expected.limit, execution.limit):
            raise SandboxError(f"the output of the perturbed program is unknown: it {execution.words}")

        def equal(left: Any, right: Any) -> bool:
            return not program.call or _equal_outputs(program, left, right)

        # A perturbation may print beside the value of a call.
        if not execution.ends_as(expected, equal, prints=not program.call):
            raise Skip(f"the perturbed program ends in another way than the faulty one: it {execution.words}")
        return execution

    async def _run_program(self, program: Program, *, attempt: int = 0) -> Execution:
        return await self._run(replace(Run.from_program(program, limits=LIMITS), attempt=attempt))


def _equal_outputs(program: Program, left: Any, right: Any) -> bool:
    """Whether two outputs are the same: values as the language has it, texts that a script printed by character."""
    return bool(left == right) if not program.call else language(program.language).values.equal(left, right)


def _write_output(program: Program, output: Any) -> str:
    return language(program.language).values.write(output) if program.call else f"'{clip(str(output), 200)}'"


def _name_act(program: Program) -> str:
    return "returns" if program.call else "prints"
