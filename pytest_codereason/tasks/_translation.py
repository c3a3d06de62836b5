"""Translation: a program in another language, taken only where it returns what the original does.

Not a task of suites: ``codereason translate`` asks it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pytest_codereason.core import (
    Ask,
    Axis,
    Completion,
    Instance,
    Language,
    Message,
    Metric,
    Outcome,
    Program,
    Steps,
    Task,
    Verdict,
    ask_model,
    run_program,
)
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.errors import DoesNotParse, NotALiteral, Refused
from pytest_codereason.registry import language
from pytest_codereason.replies.blocks import read_blocks
from pytest_codereason.replies.spoken import read_spoken
from pytest_codereason.tasks.prompting import prompting_axis
from pytest_codereason.templates.loading import load

#: How often a writer is asked about one program: once, and again with what was wrong.
ATTEMPTS = 4
LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Why a program is not asked about.
UNCALLABLE = "cannot be called there"
TARGETS = ("javascript", "php", "java")


@dataclass(frozen=True, slots=True)
class Carried:
    """A call and its value in another language."""

    call: str
    given: str  #: the arguments of the call
    output: str  #: a literal
    value: Any  #: what that literal is to the language


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a translation will not do: as it is counted, and as the writer is told."""

    kind: str
    words: str


class Translation(Task):
    """Asks for a translation until one returns what is recorded, at most ``ATTEMPTS`` times."""

    name = "translation"
    version = 1
    needs = frozenset({"input", "output"})
    metrics = (Metric(name="kept", title="Kept"),)
    executes = True
    axes: ClassVar[Mapping[str, Axis]] = {
        "prompting": prompting_axis("direct"),
        "target": Axis(
            name="target",
            default="javascript",
            allowed=", ".join(TARGETS),
            accepts=lambda value: value in TARGETS,
            short="target",
        ),
    }

    def steps(self, instance: Instance) -> Steps:
        """Asks, runs what comes, and asks again with what came of it."""
        lang, target = language(instance.language), language(str(instance.axes["target"]))
        try:
            carried = carry(instance.program, target)
        except NotALiteral as error:
            return Verdict(outcome="skipped", expected="", reason=f"{UNCALLABLE}: {error}")
        given = {
            "code": instance.program.source.strip("\n"),
            "language": lang.title,
            "fence": lang.fence,
            "call": instance.program.call,
            "target": target.title,
            "target_fence": target.fence,
            "target_call": carried.call,
            "function": carried.call.partition("(")[0],
        }
        messages, _ = instance.template.render([], given)
        for _ in range(ATTEMPTS):
            completion = yield from ask_model(Ask(messages=messages, truth="", guess=lambda _: ""))
            code = found(completion, target)
            if isinstance(code, Fault):
                fault = code
            else:
                run = Run.from_source(language=target.name, source=code, call=carried.call, limits=LIMITS)
                wrong = judged((yield from run_program(run)), target, code, carried)
                if wrong is None:
                    return Verdict(outcome="correct", expected=carried.output, answer=code, metrics={"kept": 1.0})
                fault = wrong
            if completion.finish == "too-long":
                break
            again, _ = load(self.name, "again").render([], {**given, "fault": fault.words})
            messages = (*messages, Message("assistant", completion.text), *again)
        outcome: Outcome = completion.finish if completion.finish in ("refused", "too-long") else "wrong"
        return Verdict(outcome=outcome, expected=carried.output, reason=fault.kind, metrics={"kept": 0.0})


def found(completion: Completion, target: Language) -> str | Fault:
    """The program of a reply: its longest block of code."""
    if completion.finish == "refused":
        return Fault("refused", "There is none.")
    if completion.finish == "too-long":
        return Fault("too long for the writer", "There is none.")
    blocks = read_blocks(read_spoken(completion.text))
    code = max((block.text for block in blocks if block.closed), key=len, default="").strip("\n")
    if not code.strip():
        return Fault("no code", "Your reply holds no complete block of code.")
    opened = target.name != "php" or code.lstrip().startswith("<?php")
    return (code if opened else f"<?php\n{code}") + "\n"


def judged(execution: Execution, target: Language, code: str, carried: Carried) -> Fault | None:
    """What is wrong with a translation, ``None`` where it returns what is recorded and nothing else is to be said."""
    if not execution.returned:
        kind = {
            "raised": f"raises {execution.error}",
            "rejected": "not a program",
            "limit": "does not end",
            "tampered": "ends without a result",
        }[execution.ending]
        return Fault(kind, f"Called as {carried.call}, it {execution.words[:1_000]}.")
    if not target.values.equal(execution.value, carried.value):
        returned = f"Called as {carried.call}, it returns {_said(target, execution.value)}"
        return Fault("returns something else", f"{returned}, as the original does not.")
    if execution.stdout:
        return Fault("prints", "It prints something.")
    try:
        target.syntax.parse(code, carried.call)
    except DoesNotParse as error:
        return Fault("not understood", f"It returns what it should, but cannot be parsed: {error}.")
    return None


def _said(target: Language, value: Any) -> str:
    try:
        text = target.values.write(value)
    except (TypeError, ValueError, NotALiteral):
        return "a value that has no literal"
    return text if len(text) <= 1_000 else f"{text[:1_000]} and so on"


def carry(program: Program, target: Language) -> Carried:
    """The call of a Python program in another language: its arguments in the order of the parameters.

    Raises:
        NotALiteral: an argument or the value is none, or has no literal there.
    """
    function, read = program.call.partition("(")[0].strip(), language(program.language).values.read
    try:
        values = [read(text).value for text in _ordered(program, function)]
        given = ", ".join(target.values.write(value) for value in values)
        output = target.values.write(program.facts["output"])
        value = target.values.read(output).value
    except (TypeError, ValueError, SyntaxError, Refused) as error:
        raise NotALiteral(str(error)) from error
    name = f"Problem.{function}" if target.name == "java" else function
    return Carried(f"{name}({given})", given, output, value)


def _ordered(program: Program, function: str) -> list[str]:
    """The arguments of the call, and the defaults of parameters before the last that it names."""
    called = ast.parse(program.call.strip(), mode="eval").body
    functions = [n for n in ast.parse(program.source).body if isinstance(n, ast.FunctionDef) and n.name == function]
    if not (isinstance(called, ast.Call) and functions):
        raise NotALiteral(f"{program.call} is no call of a function of the program")
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
    return [ast.unparse(node) for node in (*called.args, *(named.get(n, defaults.get(n)) for n in rest[:last])) if node]
