"""Builds questions as they are asked: with every text, every fact, and a program that was seen to do what it should.

    spec → program with its output → texts requested → texts → stages → output of the reference → run of what is shown

Every step is given the question as the step before left it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pytest_codereason.core import Instance, Program, RunProgram, Spec, Text, TextRequest
from pytest_codereason.core.execution import Execution
from pytest_codereason.engine.building.authoring import (
    Commission,
    list_authors,
    list_reused,
    may_be_commissioned,
    provide_text,
)
from pytest_codereason.engine.building.drafts import (
    CountTokens,
    apply_stages,
    begin,
    count_nothing,
    draft_texts,
    request_texts,
)
from pytest_codereason.engine.building.fact_checking import FactChecker
from pytest_codereason.errors import SandboxError, Skip
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.registry import language


class Built(NamedTuple):
    """A question, built as far as a step has come."""

    instance: Instance
    tier: str = ""  #: the isolation in which the last program of it was run; empty while none was


class Builder:
    """Builds the questions of suites::

        question = await Builder(executor.run).build(suite, spec)

    Args:
        run: runs programs.
        count_tokens: counts tokens by the tokenizer of the model that is asked.
        writer: writes the texts that a suite has no file of. Without one the rule writes them.
    """

    def __init__(
        self, run: RunProgram, *, count_tokens: CountTokens = count_nothing, writer: Commission | None = None
    ) -> None:
        self._run = run
        self._count_tokens = count_tokens
        self._writer = writer
        self._facts = FactChecker(run)

    async def build(self, suite: Suite, spec: Spec) -> Built:
        """The question as it is asked.

        Raises:
            Skip: this question cannot be built, or its changed program does something else than the reference.
            ModelError: the writer gave no answer.
            SandboxError: a program could not be run, or took too long.
        """
        return await self.verify(await self.complete(suite, spec))

    async def complete(self, suite: Suite, spec: Spec) -> Built:
        """The question as it is shown, before its changed program is run.

        Raises:
            Skip: this question cannot be built.
            ModelError: the writer gave no answer.
            SandboxError: a program could not be run, or took too long.
        """
        begun = await self.begin(suite, spec)
        requests = request_texts(suite, begun.instance)
        await self._verify_draft(suite, begun, requests)
        worded = await self._provide_texts(suite, begun, requests)
        shown = apply_stages(suite, worded.instance, self._count_tokens)
        return await self._complete_output(suite, Built(shown, begun.tier))

    async def begin(self, suite: Suite, spec: Spec) -> Built:
        """The question before any stage, with the output of its program where a suite asks for one.

        Stages and texts, such as a hint that names a wrong output, then find the output as if the source knew it.

        Raises:
            Skip: the program returns nothing, or not the same twice; or the task asks about a call that it lacks.
            SandboxError: the program could not be run, or took too long.
        """
        begun = begin(suite, spec)
        program = begun.program
        if suite.task.needs_call and not program.call:
            raise Skip(f"the program is a script, and the task {suite.task.name} asks about a call")
        if "output" in program.facts:
            return Built(begun)
        execution = await self._check_original(suite, program)
        if execution is None:
            return Built(begun)
        return Built(replace(begun, program=_add_output(program, execution)), execution.tier)

    async def verify(self, built: Built) -> Built:
        """The question, once its program was seen to do what the reference does, if a stage changed it.

        Raises:
            Skip: a stage broke the program. No question is asked about it.
            SandboxError: the program could not be run, or took too long.
        """
        if not built.instance.verify:
            return built
        checked = await self._facts.check_perturbed(built.instance)
        return Built(replace(built.instance, checked_calls=checked.calls), checked.tier)

    async def _verify_draft(self, suite: Suite, begun: Built, requests: Sequence[TextRequest]) -> None:
        """Verifies the question with the rule's texts before a writer is paid. With its texts it is verified again."""
        owed = [each for each in requests if may_be_commissioned(each) and each.kind not in suite.texts]
        if self._writer is None or not owed or not self._writer.owes(suite, owed):
            return
        draft = apply_stages(suite, draft_texts(begun.instance, requests), self._count_tokens)
        if draft.verify:
            await self.verify(await self._complete_output(suite, Built(draft)))

    async def _provide_texts(self, suite: Suite, begun: Built, requests: Sequence[TextRequest]) -> Built:
        """The question with its texts, and with their authors."""
        if not requests:
            return begun
        if not requests[0].by_rule:  # else it is not asked about
            await self._check_original(suite, requests[0].program)
        write = self._writer.for_suite(suite) if self._writer else None
        texts: dict[str, Text] = {}
        for request in requests:
            texts[request.place] = await provide_text(request, suite.texts.get(request.kind), write, self._run)
        authors = {**begun.instance.texts_by, **list_authors(requests, texts)}
        worded = replace(begun.instance, texts=texts, texts_by=authors, texts_reused=list_reused(requests, texts))
        return begun._replace(instance=worded)

    async def _complete_output(self, suite: Suite, built: Built) -> Built:
        """The question with the output of its program.

        The program that is run is the reference, because stages may have taken lines away from the program shown.
        """
        instance = built.instance
        program = instance.reference or instance.program
        execution = await self._check_original(suite, program)
        if execution is None:
            return built
        if "output" not in program.facts:
            reference = instance.reference and _add_output(instance.reference, execution)
            instance = replace(instance, program=_add_output(instance.program, execution), reference=reference)
        return Built(instance, execution.tier or built.tier)

    async def _check_original(self, suite: Suite, program: Program) -> Execution | None:
        """What a program returns before any stage; ``None`` if the suite neither needs nor checks the output.

        Raises:
            Skip: the program returns nothing, or something else than its facts say.
            SandboxError: the program could not be run, or took too long.
        """
        if not (suite.checks if "output" in program.facts else "output" in suite.task.needs):
            return None
        spoken = language(program.language)
        if "output" in program.facts and not spoken.has("runner"):
            raise SandboxError(
                f"the language {spoken.name} has no runner, so recorded outputs cannot be checked: to trust them, "
                "write check = false in [source]"
            )
        return await self._facts.check_output(program)


def _add_output(program: Program, execution: Execution) -> Program:
    return replace(program, facts=program.facts.replace(output=execution.read_output(program)))
