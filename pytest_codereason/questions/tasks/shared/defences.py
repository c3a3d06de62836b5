"""Defences against misleading text in a program: an instruction, or a rewriting before the question.

The defences ``ignore-comments`` and ``code-only`` add a sentence to the prompt; the first is CodeCrash's, the second
ours. With the defence ``refactor`` the model first rewrites
the program, and is then asked about its own rewriting (CodeCrash, section 4.3). Only a task can ask a model, so a
defence is a step of the task and no stage. The rewriting is run: records say whether it still does the same.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace

from pytest_codereason.core import (
    ABSENT,
    Ask,
    Axis,
    Completion,
    Instance,
    Language,
    Metric,
    Program,
    ask_model,
    run_program,
)
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import DoesNotParse, TakesTooLong
from pytest_codereason.questions.replies.pieces.blocks import CodeBlock, read_blocks
from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.registry import language

NONE, IGNORE, REFACTOR, CODE_ONLY = "none", "ignore-comments", "refactor", "code-only"


def make_defence_axis(*defences: str) -> Axis:
    """The axis of the defences that a task has besides ``none``."""
    return Axis.of_words("defence", (NONE, *defences), rewriting=frozenset({REFACTOR} & {*defences}))


AXIS = make_defence_axis(IGNORE, REFACTOR, CODE_ONLY)
_ONLY = (AXIS.name, REFACTOR)
METRICS = (
    Metric(name="rewritten", title="Program rewritten", only=_ONLY),
    Metric(name="rewrite_kept", title="Rewriting does the same", only=_ONLY),
)
#: The least number of tokens that a rewriting may take. A longer program may take one for each of its characters.
ROOM = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The program that is asked about, and how the model's rewriting of the program went."""

    instance: Instance  #: with the rewriting as its program; unchanged where there is no rewriting
    metrics: Mapping[str, float] = field(default_factory=dict)
    execution: Execution | None = None  #: of the rewriting, ``None`` where there is none


def describe_defence(instance: Instance) -> dict[str, bool]:
    """The values ``ignore_comments`` and ``code_only`` of a template."""
    defence = instance.axes.get(AXIS.name)
    return {"ignore_comments": defence == IGNORE, "code_only": defence == CODE_ONLY}


def rewrite_program(instance: Instance) -> Generator[Ask | Run, Completion | Execution, Rewriting]:
    """Lets the model rewrite the program where the defence says so, and runs the rewriting."""
    if instance.rewriting is None:
        return Rewriting(instance=instance)
    program, lang = instance.program, language(instance.language)
    lang.require(("syntax", "runner"), f"the defence {REFACTOR}")
    function = program.function
    code = program.source.rstrip("\n")
    messages, prefill = instance.rewriting.render(
        [], {"code": code, "language": lang.title, "fence": lang.fence, "function": function}
    )
    truth = f"```{lang.fence}\n{_drop_comments(lang, code)}\n```"
    completion = yield from ask_model(
        Ask(
            messages=messages,
            prefill=prefill,
            truth=truth,
            guess=lambda _: truth,
            run=Run.from_program(program),
            reply=lambda _: truth,
            room=max(ROOM, len(code)),
        )
    )
    text = f"{prefill if completion.prefilled else ''}{completion.text}"
    source = read_program(text, lang, program, cut=completion.finish == "length")
    if source is None:
        return Rewriting(instance=instance, metrics={"rewritten": 0.0})
    # What a model wrote has no map to the lines and names of what it read.
    facts = program.facts.replace(edges=ABSENT, fault=ABSENT)
    after = program.replace_source(source, facts=facts)
    execution = yield from run_program(Run.from_program(after))
    kept = execution.returned and lang.values.equal(execution.read_output(program), program.facts["output"])
    return Rewriting(
        instance=replace(instance, program=after),
        metrics={"rewritten": 1.0, "rewrite_kept": float(kept)},
        execution=execution,
    )


def read_program(reply: str, lang: Language, program: Program, *, cut: bool = False) -> str | None:
    """The rewritten program in a reply, ``None`` if there is none, or where it takes too long to read.

    The program is the last code block that the language can parse and that defines the called function. In a reply
    without a block it is the whole reply. A block that the limit on the length ``cut`` off does not count.
    """
    try:
        return _read_program(reply, lang, program.source, program.call, cut=cut)
    except TakesTooLong:
        return None


@bounded("reply")
def _read_program(reply: str, lang: Language, original: str, call: str, *, cut: bool) -> str | None:
    function = call.partition("(")[0].rpartition(".")[2]
    text = read_spoken(reply)
    blocks = read_blocks(text) or [CodeBlock(text, closed=False)]
    for block in reversed(blocks):
        if cut and not block.closed:
            continue
        missing = original.startswith(lang.opening) and lang.opening not in block.text
        source = f"{lang.opening}\n" * missing + block.text.strip("\n") + "\n"
        try:
            names = [each.name.rpartition(".")[2] for each in lang.syntax.parse(source).functions]
        except DoesNotParse:
            continue
        if function in names:
            return source
    return None


def _drop_comments(lang: Language, code: str) -> str:
    """The program without its comments; unchanged where it cannot be parsed."""
    try:
        return lang.syntax.normalise(code).text.rstrip("\n")
    except DoesNotParse:
        return code
