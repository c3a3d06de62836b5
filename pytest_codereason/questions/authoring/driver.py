"""Drivers: a file of a repository with stubs and calls added, taken only where its functions are as they were."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pytest_codereason.core import Completion, Finish, Rejected, RunProgram, TextKind, TextRequest
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.facts import Edges
from pytest_codereason.core.language.driving import names_target
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import DoesNotParse, Refused, Skip
from pytest_codereason.languages.call_graphs.checking import list_unexplained
from pytest_codereason.languages.call_graphs.resolving import resolve_calls
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.registry import language

LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Edges between two different functions that a program must show.
LEAST_EDGES = 2
#: Most characters of an error, and most names of functions, that a writer is told.
_MAX_WORDS, _MAX_NAMES = 1_000, 5
_ENDINGS = {"rejected": "did not compile", "limit": "did not end", "tampered": "ended without a result"}
#: A function by its name, and its text without blanks.
_Texts = Counter[tuple[str, str]]


class DriverText(TemplateText):
    """The entry of a program as a writer made it run by itself.

    The program of the request is a file that need not run. Every function of its entry must stand in the text with the
    same name and, but for layout and comments, the same body. What else stands in the text is judged by the language:
    it may add calls, and stubs of imports, but nothing that hides, patches or reaches what watches the run. The text
    must run, and its run must show calls.
    """

    name = "driver"
    version = 3
    templates = ("direct", "again")
    temperatures = (0.0, 0.0, 0.0)
    max_tokens = 16_384
    unread: ClassVar[Mapping[Finish, str]] = {**TextKind.unread, "too-long": "had a file too long"}

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """The path of the file, and how a program of the language starts.

        Raises:
            Skip: the file cannot be parsed, so no copy of it could be checked.
        """
        program = request.program
        try:
            _list_functions(program.language, program.source)
        except DoesNotParse as error:
            raise Skip(f"cannot be parsed: {error}") from error
        return {"path": request.of or program.entry, "start": language(program.language).drivers.start}

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The longest block of code in the reply.

        Raises:
            Rejected: there is none.
        """
        blocks = read_blocks(read_spoken(completion.text))
        code = max((block.text for block in blocks if block.closed), key=len, default="").strip("\n")
        if not code.strip():
            raise Rejected("gave no code", "Your reply holds no complete block of code.")
        return code + "\n"

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Compares the functions, runs the program, and looks at its calls.

        Raises:
            Rejected: a function is missing or was changed, or the program does not run or shows too few calls.
            SandboxError: the program could not be run.
        """
        program = request.program
        try:
            before = await asyncio.to_thread(_list_functions, program.language, program.source)
            after = await asyncio.to_thread(_list_functions, program.language, text)
        except DoesNotParse as error:
            raise Rejected("could not be parsed", f"The program cannot be parsed: {error}.") from None
        if lost := sorted({name for name, _ in before - after}):
            listed = ", ".join(lost[:_MAX_NAMES])
            raise Rejected("changed a function", f"These functions are missing or not as they were: {listed}.")
        try:
            await asyncio.to_thread(_check_additions, program.language, program.source, text)
        except Refused as refused:
            raise Rejected("does more than add calls", f"A driver adds calls and nothing else: {refused}.") from None
        plain = Run.from_source(language=program.language, source=text, limits=LIMITS)
        execution = await run(replace(plain, witnessed="calls"))
        if not execution.returned or execution.trace is None:
            reason = _ENDINGS.get(execution.ending, f"raised {execution.error}")
            raise Rejected(reason, f"Run in a sandbox, it {execution.words[:_MAX_WORDS]}.")
        _check_calls(execution, execution.trace.edges, {name for name, _ in before})
        await asyncio.to_thread(_check_explained, plain, execution.trace.edges)
        return 0

    def languages(self, request: TextRequest) -> Sequence[str]:
        """The language of the file."""
        return (request.program.language,)


def _check_calls(execution: Execution, edges: Edges, names: set[str]) -> None:
    """Raises ``Rejected`` unless functions of the file are called, and the program prints something."""
    pairs = [(caller, callee) for caller, callees in edges.items() for callee in callees if caller != callee]
    if len(pairs) < LEAST_EDGES:
        raise Rejected("showed too few calls", f"Its run shows {len(pairs)} calls between two functions.")
    if not any(names_target(callee, name) for _, callee in pairs for name in names):
        raise Rejected("called none of the functions", "Its run calls none of the file's own functions.")
    if not execution.stdout.strip():
        raise Rejected("printed nothing", "It prints nothing.")


def _check_explained(job: Run, edges: Edges) -> None:
    """Raises ``Rejected`` if a call of the run is one that no text makes."""
    spoken = language(job.language)
    if spoken.has("calls") and (
        wrong := list_unexplained(resolve_calls(spoken.calls.read(job.files, job.entry)), edges)
    ):
        called = " calls ".join(wrong[0])
        raise Rejected(
            "has a call that its text does not explain", f"In its run {called}, which its text does not say."
        )


@bounded("after")
def _check_additions(name: str, before: str, after: str) -> None:
    language(name).drivers.check_additions(before, after)


@bounded("source")
def _list_functions(name: str, source: str) -> _Texts:
    """The functions of a program, in a uniform layout and without comments."""
    syntax = language(name).syntax
    text = syntax.normalise(source).text
    functions = syntax.parse(text).functions
    return Counter((one.name, "".join(text[one.span.start : one.span.end].split())) for one in functions)
