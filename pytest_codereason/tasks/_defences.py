"""Defences against misleading text in a program: an instruction, or a rewriting before the question.

With the defence ``refactor`` the model first writes the program anew and is then asked about what it
wrote (CodeCrash, section 4.3). The rewriting is run, so that it is known whether it still does the same.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace

from pytest_codereason.core import Ask, Axis, Completion, Instance, Language, Metric, Program, asked, ran
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.registry import language
from pytest_codereason.tasks.extraction import MAX_REPLY, spoken

NONE, IGNORE, REFACTOR = "none", "ignore-comments", "refactor"
DEFENCES = (NONE, IGNORE, REFACTOR)
AXIS = Axis(
    name="defence",
    default=NONE,
    allowed=", ".join(DEFENCES),
    accepts=lambda value: value in DEFENCES,
    short="defence",
    rewriting=frozenset({REFACTOR}),
)
_ONLY = (AXIS.name, REFACTOR)
METRICS = (
    Metric(name="rewritten", title="Program rewritten", only=_ONLY),
    Metric(name="rewrite_kept", title="Rewriting does the same", only=_ONLY),
)
#: Tokens that a rewriting may take at least; one of a long program as many as that has characters.
ROOM = 2_000
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_PHP = "<?php"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The program that is asked about, and what the model's own rewriting of it came to."""

    instance: Instance  #: with the rewriting in place of its program; as it was where there is none
    metrics: Mapping[str, float] = field(default_factory=dict)
    execution: Execution | None = None  #: of the rewriting, ``None`` where there is none


def rewritten(instance: Instance) -> Generator[Ask | Run, Completion | Execution, Rewriting]:
    """Has the model rewrite the program where its defence says so, and runs what it wrote."""
    if instance.rewriting is None:
        return Rewriting(instance=instance)
    program, lang = instance.program, language(instance.language)
    function = program.call.partition("(")[0]
    code = program.source.rstrip("\n")
    messages, prefill = instance.rewriting.render(
        [], {"code": code, "language": lang.title, "fence": lang.fence, "function": function}
    )
    reply = f"```{lang.fence}\n{_uncommented(lang, code)}\n```"
    completion = yield from asked(
        Ask(
            messages=messages,
            prefill=prefill,
            truth=reply,
            guess=lambda _: reply,
            run=Run(language=program.language, source=program.source, call=program.call),
            reply=lambda _: reply,
            room=max(ROOM, len(code)),
        )
    )
    text = f"{prefill if completion.prefilled else ''}{completion.text}"
    source = found(text, lang, program, cut=completion.finish == "length")
    if source is None:
        return Rewriting(instance=instance, metrics={"rewritten": 0.0})
    execution = yield from ran(Run(language=program.language, source=source, call=program.call))
    kept = execution.returned and lang.values.equal(execution.value, program.facts["output"])
    return Rewriting(
        instance=replace(instance, program=replace(program, source=source)),
        metrics={"rewritten": 1.0, "rewrite_kept": float(kept)},
        execution=execution,
    )


def found(reply: str, lang: Language, program: Program, *, cut: bool = False) -> str | None:
    """The rewritten program in a reply, ``None`` where there is none.

    The last fenced block that the language can read and that defines the called function; where there is
    no fence at all, the whole reply if it is such a program. A block that the limit on the length ``cut``
    off is none.
    """
    function = program.call.partition("(")[0].rpartition(".")[2]
    for block in _blocks(spoken(reply[-MAX_REPLY:].replace("\r\n", "\n")), cut=cut):
        source = block.strip("\n") + "\n"
        if program.source.startswith(_PHP) and _PHP not in source:
            source = f"{_PHP}\n{source}"
        try:
            names = [each.name.rpartition(".")[2] for each in lang.syntax.parse(source).functions]
        except DoesNotParse:
            continue
        if function in names:
            return source
    return None


def _blocks(text: str, *, cut: bool) -> list[str]:
    """What stands between fences, the last first; the whole text where there is none."""
    fences = list(_FENCE.finditer(text))
    if not fences:
        return [] if cut else [text]
    ends = [*(fence.start() for fence in fences), len(text)]
    closed = len(fences) if cut else len(fences) + 1
    return [text[fences[i].end() : ends[i + 1]] for i in range(0, len(fences), 2) if i + 1 < closed][::-1]


def _uncommented(lang: Language, code: str) -> str:
    """The program without its comments, as it is where it cannot be read."""
    try:
        return lang.syntax.normalise(code).rstrip("\n")
    except DoesNotParse:
        return code
