"""Facts by execution: what a program returns is computed where nobody says it, and checked where a suite asks for it.

That happens in the process that owns the question, just before it is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from pytest_codereason.authoring.hints import BY_RULE, Text, Texts
from pytest_codereason.core import Instance, Program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.engine.refuting import fault
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.perturbations.hint import say
from pytest_codereason.registry import language
from pytest_codereason.suites.suite import Suite

#: A program that uses this much processor time does not end; one that merely waits says nothing about itself.
LIMITS = Limits(cpu_s=5, wall_s=30.0)


class FactChecker:
    """Completes and checks the facts of instances by running their programs."""

    def __init__(self, run: Callable[[Run], Awaitable[Execution]]) -> None:
        self._run = run

    async def settled(self, suite: Suite, instance: Instance) -> tuple[Instance, str]:
        """The instance with its program's ``output``, and the sandbox's tier, empty where nothing was run.

        Stages may have taken lines away, so the program is run as its source gave it.

        Raises:
            Skip: the program returns nothing, or something else than its facts say.
            SandboxError: it could not be run, or took too long.
        """
        program = instance.reference or instance.program
        if not (suite.checks if "output" in program.facts else "output" in suite.task.needs):
            return instance, ""
        execution = await self._execution(program)
        if execution.limit == "time":
            raise SandboxError(f"what the program returns is not known: it {execution.words}")
        if not execution.returned:
            raise Skip(f"the program {execution.words}")
        if "output" in program.facts:
            values, recorded = language(program.language).values, program.facts["output"]
            if not values.equal(execution.value, recorded):
                raise Skip(f"the program returns {values.write(execution.value)}, recorded is {values.write(recorded)}")
            return instance, execution.tier
        reference = instance.reference and _with_output(instance.reference, execution)
        program = _with_output(instance.program, execution)
        return replace(instance, program=program, reference=reference), execution.tier

    async def verified(self, instance: Instance, texts: Texts | None = None) -> tuple[Instance, str]:
        """The instance, seen to return what the original does, with a hint that is wrong; and the sandbox's tier.

        ``texts`` has what its hint is to say, unless that is for the rule alone; worked examples keep the rule's.

        Raises:
            Skip: the perturbation broke the program, or no wrong hint is left; no question is asked about it.
            SandboxError: it could not be run, or took too long.
            ModelError: the writer of a hint gave no answer.
        """
        facts = instance.program.facts
        if "output" in facts:
            expected = facts["output"]
        elif instance.reference:
            expected = (await self._execution(instance.reference)).value
        execution = await self._execution(instance.program)
        if execution.limit == "time":
            raise SandboxError(f"what the perturbed program returns is not known: it {execution.words}")
        if not execution.returned:
            raise Skip(f"perturbed, the program {execution.words}")
        if not language(instance.language).values.equal(execution.value, expected):
            raise Skip("perturbed, the program returns something else")
        program = await self._misled(instance.program, instance.reference or instance.program, texts)
        shots = tuple([await self._misled(shot, shot) for shot in instance.shots])
        return replace(instance, program=program, shots=shots), execution.tier

    async def _misled(self, program: Program, original: Program, texts: Texts | None = None) -> Program:
        """The program with hints at what is wrong: as somebody wrote them, else as the rule does.

        The fact ``hint_by`` says who did, and why it was the rule where it was to be another.
        """
        for hinted in program.facts.get("hints", ()):
            if not hinted.words:  # none is shown
                continue
            text = await texts.text(original, hinted.of) if texts else BY_RULE
            if text.value and (why := await self._fault(original, hinted.of, text.value)):
                text = Text(reason=why)  # in a file, of which anybody may be the author
            value = text.value or hinted.values[0]
            if not text.value and hinted.of == "input":
                value = await self._wrong_input(original, hinted.values)
            program = say(program, hinted, value)
            program = replace(program, facts=program.facts.replace(hint_by=text.author))
        return program

    async def _wrong_input(self, original: Program, values: Sequence[str]) -> str:
        """The first input whose call returns something else, else the first whose call fails."""
        failing = ""
        for value in values:
            execution = await self.called(original, value)
            if not execution.returned:
                failing = failing or value
            elif not language(original.language).values.equal(execution.value, original.facts["output"]):
                return value
        if not failing:
            raise Skip("every input that could be hinted at gives the output")
        return failing

    async def _fault(self, program: Program, of: str, text: str) -> str:
        return await fault(program, of, text, lambda given: self.called(program, given))

    async def called(self, program: Program, arguments: str) -> Execution:
        """What comes of calling a program's function with other arguments."""
        function = program.call.partition("(")[0]
        return await self._execution(replace(program, call=f"{function}({arguments})"))

    async def _execution(self, program: Program) -> Execution:
        return await self._run(Run.from_program(program, limits=LIMITS))


def _with_output(program: Program, execution: Execution) -> Program:
    return replace(program, facts=program.facts.replace(output=execution.value))
