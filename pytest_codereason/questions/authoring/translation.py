"""Translations: a program in another language, taken only where it returns what the original does."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from pytest_codereason import registry
from pytest_codereason.core import (
    Completion,
    Finish,
    Language,
    Program,
    Rejected,
    RunProgram,
    Text,
    TextRequest,
)
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.reading import bounded
from pytest_codereason.core.text.python_trees import NO_TREE, parse
from pytest_codereason.errors import DoesNotParse, NotALiteral, Refused, Skip, UsageError
from pytest_codereason.questions.authoring._prompts import TemplateText
from pytest_codereason.questions.authoring.further_calls import End, evaluate, list_further_inputs
from pytest_codereason.questions.authoring.near_inputs import list_near_inputs
from pytest_codereason.questions.replies.pieces.blocks import read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.registry import language

LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Why a program is not asked about.
UNCALLABLE = "cannot be called there"
#: Most characters of a value or an error that a writer is told.
MAX_WORDS = 1_000
#: Fewest characters of an answer that no program holds by chance.
_LEAST_ANSWER = 8
_ENDINGS = {"rejected": "not a program", "limit": "does not end", "tampered": "ends without a result"}


@dataclass(frozen=True, slots=True)
class TranslatedCall:
    """A call and its value in another language."""

    call: str
    arguments: str
    output: str  #: a literal
    value: Any  #: what that literal stands for in the language


class TranslationText(TemplateText):
    """A Python program in the language that ``of`` names.

    The writer is never told the value that is expected. Called with the same arguments, the translation must return it.
    It must go with the original on other arguments too, and not have the value in its text: a translation that returns
    what somebody worked out beforehand says nothing of a model that reads it. No comment of it is kept.
    """

    name = "translation"
    version = 3
    templates = ("direct", "again")
    temperatures = (0.0, 0.0, 0.0, 0.0)
    unread: ClassVar[Mapping[Finish, str]] = {"refused": "refused", "too-long": "too long for the writer"}
    checks_original = True
    columns = ("name", "source", "call", "given", "output")

    def values(self, request: TextRequest) -> Mapping[str, object]:
        """The call of the program, and how the other language writes it.

        Raises:
            Skip: the other language has no such call.
        """
        program, target = request.program, language(request.of)
        return {
            "call": program.call,
            "target": target.title,
            "target_fence": target.fence,
            "target_call": _translate_call(request).call,
            "declaration": target.dialect.declaration.format(function=_name_function(program)),
        }

    def read(self, completion: Completion, request: TextRequest) -> str:
        """The longest block of code in the reply, in a uniform layout and without comments.

        Raises:
            Rejected: there is none.
        """
        blocks = read_blocks(read_spoken(completion.text))
        code = max((block.text for block in blocks if block.closed), key=len, default="").strip("\n")
        if not code.strip():
            raise Rejected("no code", "Your reply holds no complete block of code.")
        opening = language(request.of).opening
        text = (code if code.lstrip().startswith(opening) else f"{opening}\n{code}") + "\n"
        try:
            return _leave_out_comments(request.of, text)
        except DoesNotParse:
            return text  # the check says what is wrong with it

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Runs the translation: it must return what the original does and print nothing.

        Raises:
            Rejected: it does something else, or cannot be parsed.
            SandboxError: it could not be run.
        """
        target, translated = language(request.of), _translate_call(request)
        execution = await run(Run.from_source(language=target.name, source=text, call=translated.call, limits=LIMITS))
        if not execution.returned:
            reason = _ENDINGS.get(execution.ending, f"raises {execution.error}")
            raise Rejected(reason, f"Called as {translated.call}, it {execution.words[:MAX_WORDS]}.")
        if not target.values.equal(execution.value, translated.value):
            returned = f"Called as {translated.call}, it returns {_write_value(target, execution)}"
            raise Rejected("returns something else", f"{returned}, as the original does not.")
        if execution.stdout:
            raise Rejected("prints", "It prints something.")
        await _check_further(request, text, translated, run)
        try:
            await asyncio.to_thread(_parse, target, text, translated.call)
        except DoesNotParse as error:
            raise Rejected("not understood", f"It returns what it should, but cannot be parsed: {error}.") from None
        await asyncio.to_thread(_check_answer, request, text, translated)
        return 0

    def subjects(self, program: Program) -> Sequence[str]:
        """Every language there are translations to."""
        return [name for name in registry.list_names(Language) if name != program.language]

    def languages(self, request: TextRequest) -> Sequence[str]:
        """Both languages."""
        return (request.program.language, request.of)

    def header(self, subjects: Sequence[str]) -> Mapping[str, object]:
        """The language of the translations: a file has one.

        Raises:
            UsageError: there are several.
        """
        if len(subjects) != 1:
            raise UsageError(
                f"a file holds translations to one language: name it by --of, one of {', '.join(subjects)}"
            )
        return {"language": subjects[0]}

    def row(self, name: str, request: TextRequest, text: Text) -> Mapping[str, str] | None:
        """The translation, its call and its value; a program without a translation is left out."""
        if not text.value:
            return None
        translated = _translate_call(request)
        values = (name, text.value, translated.call, translated.arguments, translated.output)
        return dict(zip(self.columns, values, strict=True))


async def _check_further(request: TextRequest, text: str, translated: TranslatedCall, run: RunProgram) -> None:
    """Calls both programs with other arguments.

    The translation must agree wherever the arguments are near those of the call. At corners one call in two may differ:
    whole numbers and texts have other limits in other languages.

    Raises:
        Rejected: the translation returns one value whatever the arguments are, or goes other ways than the original.
        SandboxError: a program could not be run.
    """
    program, target = request.program, language(request.of)
    source = language(program.language)
    own = _order_arguments(program, _name_function(program))
    drawn = await asyncio.to_thread(list_near_inputs, source, [text for _, text in own])
    near = [", ".join(start + text for (start, _), text in zip(own, texts, strict=True)) for texts in drawn]
    corners = await asyncio.to_thread(list_further_inputs, program.language, program.source, program.call)
    equal = target.values.equal
    for inputs, strict in ((near, True), (corners, False)):
        pairs = await _call_both(request, text, translated, inputs, run)
        telling = [pair for pair in pairs if not equal(pair[0].value, translated.value)]
        ends = [end for _, end in pairs if end.returned]
        if telling and ends and all(equal(end.value, translated.value) for end in ends):
            raise Rejected("returns a constant", "It returns the same value whatever its arguments are.")
        judged = pairs if strict else [pair for pair in pairs if pair[1].returned]
        wrong = [other for other, end in judged if not (end.returned and equal(end.value, other.value))]
        if len(wrong) > (0 if strict else len(judged) // 2):
            raise Rejected(
                "differs on other arguments",
                f"Called as {wrong[0].call[:MAX_WORDS]}, it does not return what the original does.",
            )


async def _call_both(
    request: TextRequest, text: str, translated: TranslatedCall, inputs: Sequence[str], run: RunProgram
) -> list[tuple[TranslatedCall, End]]:
    """What the original returns for each of these arguments, and how the translation ends; without calls it refuses.

    Raises:
        Rejected: the translation does not come to an end with them.
        SandboxError: a program could not be run.
    """
    program, target = request.program, language(request.of)
    calls = [f"{program.function}({arguments})" for arguments in inputs]
    known = []
    for call, end in zip(calls, (await evaluate(program, calls, run, LIMITS))[1:], strict=False):
        with suppress(NotALiteral):
            if end.returned:
                facts = program.facts.replace(output=end.value)
                known.append(translate_call(program.replace_source(program.source, call=call, facts=facts), target))
    if not known:
        return []
    translation = Program.from_source(language=target.name, source=text, call=translated.call)
    ends = (await evaluate(translation, [other.call for other in known], run, LIMITS))[1:]
    if not ends:
        raise Rejected("differs on other arguments", "Called with other arguments, it does not come to an end.")
    return list(zip(known, ends, strict=True))


@bounded("text")
def _check_answer(request: TextRequest, text: str, translated: TranslatedCall) -> None:
    """Refuses a translation whose text tells the answer.

    Raises:
        Rejected: it has a comment, which may, or the program does as a literal that the original does not have.
    """
    lang = language(request.of)
    if lang.syntax.parse(text, translated.call).comments:
        raise Rejected("has a comment", "Leave out all comments.")
    plain = lang.syntax.normalise(text).text
    answer = _strip(translated.output)
    if len(answer) >= _LEAST_ANSWER and answer in _strip(plain) and answer not in _strip(request.program.source):
        raise Rejected("tells the answer", "It holds a value that the original works out.")


def _strip(text: str) -> str:
    """A text without blanks and quotes, which languages write in their own ways."""
    return re.sub(r"[\s'\"`\\]", "", text)


@bounded("text")
def _leave_out_comments(name: str, text: str) -> str:
    return language(name).syntax.normalise(text).text


@bounded("text")
def _parse(target: Language, text: str, call: str) -> None:
    target.syntax.parse(text, call)


def _translate_call(request: TextRequest) -> TranslatedCall:
    try:
        return translate_call(request.program, language(request.of))
    except NotALiteral as error:
        raise Skip(f"{UNCALLABLE}: {error}") from error


def _write_value(target: Language, execution: Execution) -> str:
    try:
        text = target.values.write(execution.value)
    except (TypeError, ValueError, NotALiteral):
        return "a value that has no literal"
    return text if len(text) <= MAX_WORDS else f"{text[:MAX_WORDS]} and so on"


def translate_call(program: Program, target: Language) -> TranslatedCall:
    """The call of a Python program in another language: its arguments in the order of the parameters.

    Raises:
        NotALiteral: an argument or the value is none, or has no literal there.
    """
    function, read = _name_function(program), language(program.language).values.read
    try:
        values = [read(text).value for _, text in _order_arguments(program, function)]
        arguments = ", ".join(target.values.write(value) for value in values)
        output = target.values.write(program.facts["output"])
        value = target.values.read(output).value
    except (TypeError, Refused, *NO_TREE) as error:
        raise NotALiteral(str(error)) from error
    return TranslatedCall(target.dialect.call_function(function, arguments), arguments, output, value)


def _name_function(program: Program) -> str:
    return program.function.strip()


def _order_arguments(program: Program, function: str) -> list[tuple[str, str]]:
    """The arguments of the call, and the defaults of parameters before the last that it names.

    Each stands with what a call has before it: ``n=`` if the parameter takes its argument by name alone.
    """
    called = parse(program.call.strip(), "eval").body
    functions = [n for n in parse(program.source).body if isinstance(n, ast.FunctionDef) and n.name == function]
    if not (isinstance(called, ast.Call) and functions):
        raise NotALiteral(f"{program.call} is not a call of a function of the program")
    takes = functions[-1].args
    names = [arg.arg for arg in (*takes.posonlyargs, *takes.args, *takes.kwonlyargs)]
    plain = [*takes.posonlyargs, *takes.args]
    start = len(plain) - len(takes.defaults)
    defaults = {arg.arg: node for arg, node in zip(plain[start:], takes.defaults, strict=True)}
    defaults |= {arg.arg: node for arg, node in zip(takes.kwonlyargs, takes.kw_defaults, strict=True) if node}
    named = {keyword.arg: keyword.value for keyword in called.keywords}
    if None in named or named.keys() - set(names) or (named and len(called.args) > len(plain)):
        raise NotALiteral("its arguments cannot be put in order")
    rest = names[len(called.args) :]
    last = max((rest.index(name) + 1 for name in rest if name in named), default=0)
    missing = [name for name in rest[:last] if name not in named and name not in defaults]
    if missing:
        raise NotALiteral(f"no argument for {missing[0]}")
    by_name = {arg.arg for arg in takes.kwonlyargs}
    given = [(f"{name}=" if name in by_name else "", named.get(name) or defaults[name]) for name in rest[:last]]
    return [(start, ast.unparse(node)) for start, node in (*(("", node) for node in called.args), *given)]
