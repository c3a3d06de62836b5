"""Hints: a wrong output or input of a program that is easy to believe."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from pytest_codereason.changes.perturbations._wrong_values import has_type_of
from pytest_codereason.changes.perturbations.hint import list_wrong_literals
from pytest_codereason.core import (
    EMPTY,
    Completion,
    Language,
    Message,
    Program,
    Rejected,
    RunProgram,
    TextKind,
    TextRequest,
    digest,
)
from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import NotALiteral, Refused, Skip
from pytest_codereason.questions.authoring._prompts import show_program
from pytest_codereason.questions.replies.arguments import read_call_arguments
from pytest_codereason.questions.replies.final_answers import write_answer
from pytest_codereason.questions.replies.values import read_value
from pytest_codereason.questions.templates.loading import load
from pytest_codereason.registry import language

#: A program that uses this much processor time counts as endless; one that merely waits says nothing about itself.
LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Why a text is rejected, in words that follow a number.
TRUE, NO_LITERAL, OTHER_TYPE = "repeated the truth", "gave no literal", "gave another type"
RIGHT_TOO, ENDLESS, NO_COMMENT = (
    "gave another right input",
    "gave an endless call",
    "gave text that no comment can hold",
)
#: Most characters of a text, unless the truth is as long. Every prompt about the program holds the text.
MOST_CHARACTERS = 2_000
TOO_LONG = "gave too long a text"
#: The rank of an input with which the call fails: one with which the call returns something is easier to believe.
FAILS = 1


class HintText(TextKind):
    """A wrong ``output`` or ``input``, written as a literal on one line.

    An output has the type of the true one. An input is literals with which the program does not return its output.
    """

    name = "hint"
    version = 2

    def ask(self, request: TextRequest) -> tuple[Message, ...]:
        """Shows the program with its true output in a test."""
        program, lang = request.program, language(request.program.language)
        before, after = lang.values.assertion(program.call)
        values = {
            **show_program(request),
            "call": program.call,
            "function": program.function,
            "value": lang.values.write(program.facts["output"]),
            "before": before,
            "after": after,
        }
        messages, _ = load(self.name, request.of).render([], values)
        return messages

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The literal, or the arguments of the call, that the reply ends with.

        Raises:
            Rejected: it ends with none.
        """
        lang = language(request.program.language)
        if request.of == "output":
            answer = read_value(completion.text, language=lang, call=request.program.call)
            if answer is None or answer.value is None:
                raise Rejected(NO_LITERAL)
            return lang.values.write(answer.value.value)
        candidate = read_call_arguments(completion.text, language=lang, function=request.program.function)
        if candidate is not None and candidate.text in request.candidates:
            return candidate.text
        if candidate is None or candidate.arguments is None:
            raise Rejected(NO_LITERAL)
        return candidate.arguments.text

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """A text is good if it is wrong and a comment can hold it. An input is tried by calling the program with it.

        Raises:
            Rejected: it is right, too long, no literal, of another type, or no comment can hold it.
            SandboxError: the program could not be run.
        """
        program, lang = request.program, language(request.program.language)
        of_rule = text in request.candidates
        if len(text) > MOST_CHARACTERS and len(text) > 2 * len(_write_truth(lang, request)):
            raise Rejected(TOO_LONG)
        try:
            if request.of == "output":
                await asyncio.to_thread(_check_output, lang, program, text)
                arguments = ""
            else:
                arguments = await asyncio.to_thread(_check_input, lang, program, text, of_rule=of_rule)
        except NotALiteral:
            raise Rejected(NO_LITERAL) from None
        try:
            lang.dialect.comment(text)
        except Refused:
            raise Rejected(NO_COMMENT) from None
        return 0 if request.of == "output" else await _rank_input(lang, program, arguments, run)

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """Slips in the true output or input."""
        try:
            return list_wrong_literals(language(request.program.language), request.program, request.of, draws)
        except (Skip, NotALiteral):
            return ()

    def write_reply(self, text: str) -> str:
        """The text between the tags that the question asks for."""
        return write_answer(text)

    def subjects(self, program: Program) -> Sequence[str]:
        """The output, and the input where it is known."""
        return tuple(fact for fact in ("output", "input") if fact in program.facts)

    def digest_for(self, model: Mapping[str, object] = EMPTY) -> str:
        """Covers the templates too."""
        templates = [load(self.name, of).sha for of in ("output", "input")]
        return digest(self.version, dict(model), self.temperatures, templates)


@bounded("text")
def _check_output(lang: Language, program: Program, text: str) -> None:
    value, truth = lang.values.read(text).value, program.facts["output"]
    if lang.values.equal(value, truth):
        raise Rejected(TRUE)
    # An empty map may be written as an empty list is, so the truth is also taken as its literal reads.
    if not has_type_of(value, truth) and not has_type_of(value, lang.values.read(lang.values.write(truth)).value):
        raise Rejected(OTHER_TYPE)


@bounded("text")
def _check_input(lang: Language, program: Program, text: str, *, of_rule: bool) -> str:
    """The arguments to call the program with.

    Text of a writer or a file is never run: its arguments are written anew. The rule keeps the form of the true input.
    """
    truth = program.facts["input"]
    read = None if of_rule else lang.values.read_arguments(text)
    try:
        known = list(lang.values.read_arguments(truth).values)
    except NotALiteral:  # calling the program shows whether the text is another input
        right = text == truth
    else:
        right = lang.values.equal(list((read or lang.values.read_arguments(text)).values), known)
    if right:
        raise Rejected(TRUE)
    return text if read is None else read.text


def _write_truth(lang: Language, request: TextRequest) -> str:
    facts = request.program.facts
    return lang.values.write(facts["output"]) if request.of == "output" else str(facts["input"])


async def _rank_input(lang: Language, program: Program, arguments: str, run: RunProgram) -> int:
    """How easy a wrong input is to believe."""
    execution = await run(Run.from_program(program, call=f"{program.function}({arguments})", limits=LIMITS))
    if execution.limit:
        raise Rejected(ENDLESS)
    if not execution.returned:
        return FAILS
    if lang.values.equal(execution.value, program.facts["output"]):
        raise Rejected(RIGHT_TOO)
    return 0
