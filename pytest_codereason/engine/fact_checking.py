"""Runs programs to complete and check their facts, just before a question is asked.

The output of a program is computed where its source does not know it, and checked where a suite says ``check = true``.
"""

from __future__ import annotations

from dataclasses import replace

from pytest_codereason.core import Instance, Program, RunProgram
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.registry import language
from pytest_codereason.suites.suite import Suite

#: A program that uses this much processor time counts as endless. A program that only waits may still end.
LIMITS = Limits(cpu_s=5, wall_s=30.0)


class FactChecker:
    """Completes and checks the facts of instances by running their programs."""

    def __init__(self, run: RunProgram) -> None:
        self._run = run

    async def complete_output(self, suite: Suite, instance: Instance) -> tuple[Instance, str]:
        """The instance with the output of its program, and the tier of the sandbox; no tier where nothing was run.

        The program that is run is the reference, because stages may have taken lines away from the program shown.

        Raises:
            Skip: the program returns nothing, or something else than its facts say.
            SandboxError: the program could not be run, or took too long.
        """
        program = instance.reference or instance.program
        execution = await self.check_original(suite, program)
        if execution is None:
            return instance, ""
        if "output" in program.facts:
            return instance, execution.tier
        reference = instance.reference and _with_output(instance.reference, execution)
        program = _with_output(instance.program, execution)
        return replace(instance, program=program, reference=reference), execution.tier

    async def check_original(self, suite: Suite, program: Program) -> Execution | None:
        """What a program returns before any stage; ``None`` where the suite neither needs nor checks the output.

        Raises:
            Skip: the program returns nothing, or something else than its facts say.
            SandboxError: the program could not be run, or took too long.
        """
        if not (suite.checks if "output" in program.facts else "output" in suite.task.needs):
            return None
        return await self.check_output(program)

    async def check_output(self, program: Program) -> Execution:
        """The execution of a program that returns what its facts say.

        Raises:
            Skip: the program returns nothing, or something else than its facts say.
            SandboxError: the program could not be run, or took too long.
        """
        execution = await self._run_program(program)
        if execution.limit == "time":
            raise SandboxError(f"what the program returns is not known: it {execution.words}")
        if not execution.returned:
            raise Skip(f"the program {execution.words}")
        if "output" in program.facts:
            values, recorded = language(program.language).values, program.facts["output"]
            if not values.equal(execution.value, recorded):
                raise Skip(f"the program returns {values.write(execution.value)}, recorded is {values.write(recorded)}")
        return execution

    async def check_perturbed(self, instance: Instance) -> str:
        """Runs the program of an instance, which must return what the reference returns; gives the tier of the sandbox.

        Raises:
            Skip: the perturbation broke the program. No question is asked about it.
            SandboxError: the program could not be run, or took too long.
        """
        facts = instance.program.facts
        if "output" in facts:
            expected = facts["output"]
        else:
            expected = (await self.check_output(instance.reference or instance.program)).value
        execution = await self._run_program(instance.program)
        if execution.limit == "time":
            raise SandboxError(f"what the perturbed program returns is not known: it {execution.words}")
        if not execution.returned:
            raise Skip(f"perturbed, the program {execution.words}")
        if not language(instance.language).values.equal(execution.value, expected):
            raise Skip("perturbed, the program returns something else")
        return execution.tier

    async def _run_program(self, program: Program) -> Execution:
        return await self._run(Run.from_program(program, limits=LIMITS))


def _with_output(program: Program, execution: Execution) -> Program:
    return replace(program, facts=program.facts.replace(output=execution.value))
