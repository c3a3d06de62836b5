"""Faults: which line of a program is made wrong, chosen so that somebody can observe it."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pytest_codereason import registry
from pytest_codereason.changes.perturbations._wrong_values import list_wrong_inputs
from pytest_codereason.core import (
    Completion,
    FaultOperator,
    Injection,
    Language,
    Message,
    Program,
    Rejected,
    RunProgram,
    TextKind,
    TextRequest,
    derive_seed,
)
from pytest_codereason.core.edit_maps import Applied
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.code_files import list_code
from pytest_codereason.core.text.edits import Replace, apply
from pytest_codereason.core.text.planting import ChosenFault, WantedFault, plant
from pytest_codereason.errors import DoesNotParse, MissingCapability, Skip, blame
from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs

#: The same limits as for all programs that are run before a question, so that an execution serves both.
LIMITS = Limits(cpu_s=5, wall_s=30.0)
#: Why a fault is not planted, in words that follow a number.
EQUIVALENT, NO_PROGRAM, ENDLESS = "equivalent: nobody can observe it", "does not compile", "never ends"
UNREADABLE, UNSTEADY, UNKNOWN = "ends without a result", "gives something else each time", "is no fault of the program"
HIDDEN = "hidden: the correct program ends with an error"
EARLIER = "is another one"
#: Calls with other arguments that are tried where the program's own call shows no difference: with slips in them twice
#: so many and a few, then so many with an argument at a corner of its type.
CALLS, CORNERS = 8, 32
#: Raised whenever faults are taken in another order.
ORDER = 1
#: How many results of checks, and lists of faults, are remembered.
MOST_REMEMBERED = 20_000
MOST_LISTS = 500


class FaultText(TextKind):
    """One fault, as :class:`ChosenFault` writes it. Only the rule writes such a text, because no model is needed.

    The rule takes the faults that an operator makes, in a drawn order that is the same for each program. It takes the
    first that compiles, ends, and changes what the program does; for the second fault of a program the second.
    """

    name = "fault"
    version = 2
    by_rule = True
    per_question = True

    def ask(self, request: TextRequest) -> tuple[Message, ...]:
        """Nobody is asked.

        Raises:
            Skip: always.
        """
        raise Skip("only the rule chooses faults")

    def read(self, completion: Completion, request: TextRequest) -> str:
        """Nothing is read.

        Raises:
            Rejected: always.
        """
        raise Rejected("only the rule chooses faults")

    def candidates(self, request: TextRequest, draws: Draws) -> Sequence[str]:
        """The faults of the operator in the wanted quarter, in a drawn order: the same for each number and suite.

        Raises:
            Skip: there is no place for such a fault, or the program cannot be read.
        """
        wanted = WantedFault.read(request.of)
        faults = [fault.text for fault in _list_faults(request.program, wanted) if wanted.quarter in (0, fault.quarter)]
        if not faults:
            raise Skip(f"there is no place for such a fault: {wanted.words}")
        seed = derive_seed(0, "fault", ORDER, wanted.operator, wanted.quarter, request.program.sha)
        return Draws(seed).shuffle(faults)

    async def check(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """Plants the fault and runs the program, which must do something else than the correct one.

        Raises:
            Rejected: nobody can observe the fault, it does not compile or end, or it is another than the wanted one.
            SandboxError: a program could not be run.
        """
        await self.check_frozen(text, request, run)
        wanted, earlier = WantedFault.read(request.of), 0
        if wanted.number > 1:
            order = await asyncio.to_thread(self.candidates, request, Draws(0))
            for other in order[: order.index(text)]:
                earlier += not await _find_objection(request.program, other, wanted, run)
        if objection := await _find_objection(request.program, text, wanted, run):
            raise Rejected(objection)
        if earlier != wanted.number - 1:
            raise Rejected(EARLIER)
        return 0

    async def check_frozen(self, text: str, request: TextRequest, run: RunProgram) -> int:
        """The operator makes this fault. Nothing is run: whoever froze the fault has observed it.

        Raises:
            Rejected: the operator does not make it in that quarter.
        """
        try:
            order = await asyncio.to_thread(self.candidates, request, Draws(0))
        except Skip as skip:
            raise Rejected(str(skip)) from None
        if text not in order:
            raise Rejected(UNKNOWN)
        return 0

    def explain_none(self, rejections: Counter[str]) -> str:
        """Which faults there would be, and why none of them is planted."""
        if rejections[EARLIER]:
            return f"there are too few such faults that can be observed: {rejections[EARLIER]}"
        counts = ", ".join(f"{count} {reason.partition(':')[0]}" for reason, count in rejections.most_common())
        if rejections.keys() == {EQUIVALENT}:
            return f"every such fault is equivalent, nobody can observe it: {counts}"
        return f"no such fault will do: {counts}"

    def count_rejections(self, rejections: Counter[str]) -> Mapping[str, int]:
        """Every fault that will not do; others come before the second and the third that will."""
        return {reason.partition(":")[0]: count for reason, count in rejections.items() if reason != EARLIER}

    def subjects(self, program: Program) -> Sequence[str]:
        """The faults of every shipped operator, one for each."""
        return [WantedFault(name).of for name in registry.list_shipped(FaultOperator)]


def draw_faults(program: Program, operator: str) -> list[str]:
    """Every fault of one kind, in a drawn order, as texts that nobody has checked; none where there is no place."""
    try:
        return list(FaultText().candidates(TextRequest("fault", program, WantedFault(operator).of), Draws(0)))
    except Skip:
        return []


class _ListedFault(NamedTuple):
    text: str
    quarter: int


_lists: OrderedDict[tuple[str, str], tuple[_ListedFault, ...]] = OrderedDict()
_objections: OrderedDict[tuple[str, str, bool], str] = OrderedDict()


def _list_faults(program: Program, wanted: WantedFault) -> tuple[_ListedFault, ...]:
    """Every fault that an operator makes of a program, of each file with code."""
    key = (program.sha, wanted.operator)
    if key not in _lists:
        while len(_lists) >= MOST_LISTS:
            _lists.popitem(last=False)
        kind: type[FaultOperator] = registry.find(FaultOperator, wanted.operator)
        lang = registry.language(program.language)
        try:
            lang.require(kind.capabilities, f"the fault {kind.name}")
            _lists[key] = tuple(
                fault
                for file in list_code(program, lang.suffixes)
                for fault in _list_in_view(lang, kind, program.view(file))
            )
        except DoesNotParse as error:
            raise Skip(f"the program cannot be read: {error}") from error
        except MissingCapability as error:
            raise Skip(str(error)) from error
    return _lists[key]


def _list_in_view(lang: Language, kind: type[FaultOperator], view: Program) -> list[_ListedFault]:
    with blame(kind):
        injections = kind().list_injections(view)
    faults = []
    for injection in injections:
        faulty = apply(view.source, [Replace(injection.span, injection.text)]).text
        line, also = _find_lines(lang, faulty, injection)
        text = ChosenFault(view.entry, injection.span, injection.text, line, also).write()
        faults.append(_ListedFault(text, 1 + 4 * (line - 1) // max(1, len(faulty.rstrip("\n").split("\n")))))
    return faults


def _find_lines(lang: Language, faulty: str, injection: Injection) -> tuple[int, tuple[int, ...]]:
    """The line to blame, and the lines that are as much to blame: before a gap, the last line of code."""
    line = faulty.count("\n", 0, injection.span.start + injection.blame) + 1
    if not injection.omission:
        return line, ()
    try:
        code = _list_code_lines(lang.syntax.normalise(faulty), faulty)
    except DoesNotParse:  # it is turned down when it is run
        return line, ()
    before = max((other for other in code if other < line), default=None)
    after = min((other for other in code if other >= line), default=None)
    if after is None:
        return before or line, ()
    return after, () if before is None else (before,)


def _list_code_lines(normalised: Applied, source: str) -> set[int]:
    """The lines that hold more than blanks and comments, which a uniform layout drops."""
    lines, line = set[int](), 1
    for at, character in enumerate(source):
        if character == "\n":
            line += 1
        elif not character.isspace() and line not in lines and normalised.offset(at) is not None:
            lines.add(line)
    return lines


async def _find_objection(program: Program, text: str, wanted: WantedFault, run: RunProgram) -> str:
    """Why a fault is not planted; empty if it will do. The answer is remembered, because running takes long."""
    key = (program.sha, text, wanted.observed)
    if key not in _objections:
        objection = await _observe(program, ChosenFault.read(text), wanted, run)
        while len(_objections) >= MOST_REMEMBERED:
            _objections.popitem(last=False)
        _objections[key] = objection
    return _objections[key]


async def _observe(program: Program, fault: ChosenFault, wanted: WantedFault, run: RunProgram) -> str:
    """Runs a program without and with a fault.

    Raises:
        Skip: the correct program does not end by itself, or not the same twice.
    """
    lang, faulty = registry.language(program.language), plant(program, fault)
    equal = _choose_comparison(lang, program)
    if not wanted.observed and not await _can_run(program, run):
        return await asyncio.to_thread(_check_syntax, lang, faulty.files[fault.file])
    right = await _run(program, run)
    if right.ending not in ("returned", "raised"):
        raise Skip(f"the program {right.words}")
    wrong = await _run(faulty, run)
    match wrong.ending:
        case "rejected":
            return NO_PROGRAM
        case "limit":
            return ENDLESS
        case "tampered":
            return UNREADABLE
    if not wrong.ends_as(await _run(faulty, run, attempt=1), equal):
        return UNSTEADY
    if not wrong.ends_as(right, equal):
        if not right.ends_as(await _run(program, run, attempt=1), equal):
            raise Skip("the program gives something else each time")
        return ""
    for call in _list_calls(lang, program):
        other = await _run(program, run, call)
        if other.returned and not other.ends_as(await _run(faulty, run, call), equal):
            return ""
    return EQUIVALENT if right.returned else HIDDEN


def _choose_comparison(lang: Language, program: Program) -> Callable[[Any, Any], bool]:
    """How values compare; a script has none."""
    return lang.values.equal if program.call else (lambda left, right: True)


async def _can_run(program: Program, run: RunProgram) -> bool:
    """Whether a program gives a result. One that needs a package may end with an error before a fault is reached."""
    return (await _run(program, run)).returned


async def _run(program: Program, run: RunProgram, call: str | None = None, *, attempt: int = 0) -> Execution:
    wanted = Run.from_program(program, call=call, limits=LIMITS)
    return await run(replace(wanted, attempt=attempt) if attempt else wanted)


def _check_syntax(lang: Language, source: str) -> str:
    return NO_PROGRAM if lang.syntax.check(source) else ""


def _list_calls(lang: Language, program: Program) -> list[str]:
    """Calls of a program with other arguments of the same types; none of a script."""
    function, _, rest = program.call.partition("(")
    arguments = program.facts.get("input", rest.rstrip().removesuffix(")"))
    if not program.call.strip().endswith(")") or not lang.has("values") or not lang.has("dialect"):
        return []
    draws = Draws(derive_seed(0, "fault", "calls", program.sha))
    inputs = list_wrong_inputs(lang, arguments, draws, CALLS)
    if lang.has("syntax"):
        code = lang.syntax.parse(program.source, program.call)
        inputs += list_corner_inputs(lang, code, arguments, CORNERS)
    return [f"{function}({other})" for other in dict.fromkeys(inputs)]
