"""The steps to a right answer, in words, where a run of the program shows them."""

from __future__ import annotations

from pytest_codereason.core import Instance, Program, RunProgram
from pytest_codereason.core.execution import Run
from pytest_codereason.errors import DoesNotParse, MissingCapability, Skip
from pytest_codereason.languages.call_graphs.explaining import explain_calls
from pytest_codereason.registry import language


async def find_reasoning(instance: Instance, run: RunProgram) -> str:
    """The steps that its source gives for a question; of a call graph, why each edge fired, in the order of the text.

    Raises:
        Skip: Nothing shows the steps.
        SandboxError: The program could not be run.
    """
    program = instance.program
    if "reasoning" in program.facts:
        return program.facts.reasoning
    if instance.asks == "edges":
        return await explain_program(program, run)
    raise Skip("nothing shows the steps to the answer")


async def explain_program(program: Program, run: RunProgram) -> str:
    """Why each edge of a program fired: one line for each caller of its call graph.

    Raises:
        Skip: The language does not read calls, or a run gives another call graph.
        SandboxError: The program could not be run.
    """
    lang, edges = language(program.language), program.facts.edges
    execution = await run(
        Run(
            language=program.language,
            files=program.files,
            entry=program.entry,
            call=program.call,
            witnessed="lines",
        )
    )
    if execution.trace is None:
        raise Skip(f"the program {execution.words}")
    traced = {caller: sorted(callees) for caller, callees in execution.trace.edges.items() if callees}
    if traced != {caller: sorted(callees) for caller, callees in edges.items() if callees}:
        raise Skip("a run gives another call graph")
    try:
        facts = lang.calls.read(program.files, program.entry)
    except (DoesNotParse, MissingCapability) as error:
        raise Skip(f"the calls cannot be read: {error}") from error
    return explain_calls(facts, execution.trace, [caller for caller, callees in edges.items() if callees])
