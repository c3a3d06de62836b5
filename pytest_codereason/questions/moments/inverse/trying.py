"""Tries many calls of a program: at corners of its types, and some changes away from the recorded call.

Example: fifty calls are evaluated in one run, and the moments of that run say what each of them did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from pytest_codereason.core import Ask, Completion, Language, Program, run_program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.language.moments import Moments
from pytest_codereason.errors import DoesNotParse, NotALiteral, Skip
from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs
from pytest_codereason.questions.authoring.near_inputs import list_drifted_inputs
from pytest_codereason.questions.moments.inverse.aims import WitnessedCall
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

CORNERS, DRIFTED = 40, 500
#: Calls of one run, at first and once a run has failed, and the lines that they may run if each runs as many as the
#: recorded call.
_LARGE, _SMALL, _BATCH_LINES = 200, 50, 50_000
#: Lines of all calls together, by the same count: some two seconds. A clock would draw others on a slower machine.
_LINES = 400_000
#: Runs that may fail: one call is endless, or all together run too many lines.
_FAILED = 4
#: Characters of arguments that are tried.
_MOST_TEXT = 1_000
_LIMITS = Limits(cpu_s=1, wall_s=15.0)

Trying = Generator[Ask | Run, Completion | Execution, "TriedCalls"]


@dataclass(frozen=True, slots=True)
class TriedCalls:
    """The recorded call and all that were tried."""

    recorded: WitnessedCall
    corners: Sequence[WitnessedCall]
    drifted: Sequence[WitnessedCall]
    #: the arguments of those corners that come to mind without a look at the program, such as empty lists
    blind: Collection[str] = ()
    #: the lines that run once for each item of an argument, whatever the items are
    plain: Collection[ProgramLine] = ()


def try_calls(run: WitnessedRun) -> Trying:
    """Tries calls of the program of a run.

    Raises:
        Skip: the program has no calls that can be tried, or does not parse.
    """
    lang, program = run.language, run.program
    text = take_arguments(lang, program)
    lines = len(run.moments.lines)
    try:
        blind, seen = (
            list_corner_inputs(lang, lang.syntax.parse(source, program.call), text, CORNERS, every=True)
            for source in ("", program.source)
        )
    except DoesNotParse as error:
        raise Skip(f"the program does not parse: {error}") from error
    corners = [*dict.fromkeys([*blind, *seen])]
    count = min(DRIFTED, _LINES // max(1, lines))
    drifted = [other for other in list_drifted_inputs(lang, text, count) if other not in corners]
    counts = Counter(place for place, events in run.visits.items() for _ in events if _is_asked(run, place))
    recorded = WitnessedCall(text, run.execution.returned, counts)
    tried_corners = yield from _try_all(run, corners)
    tried_drifted = yield from _try_all(run, drifted)
    plain = frozenset(_find_plain(lang, [recorded, *tried_corners, *tried_drifted]))
    return TriedCalls(recorded, tried_corners, tried_drifted, frozenset(blind), plain)


def _is_asked(run: WitnessedRun, place: ProgramLine) -> bool:
    """Whether a line may be asked about: in the recorded call nothing but the text says how often it runs."""
    return run.is_ours(place) and place not in run.unordered


def _find_plain(lang: Language, calls: Sequence[WitnessedCall]) -> Iterator[ProgramLine]:
    """The lines that run as often as an argument has items, or says itself, give or take the same number."""
    measured = [(call, _measure_arguments(lang, call.arguments)) for call in calls if call.returned]
    for place in dict.fromkeys(place for call in calls for place in call.counts):
        ran = [(call.counts[place], sizes) for call, sizes in measured if call.counts.get(place)]
        apart: set[tuple[int, int]] | None = None
        for times, sizes in ran:
            own = {(number, times - size) for number, size in enumerate(sizes) if size is not None}
            apart = own if apart is None else apart & own
        if apart and len({times for times, _ in ran}) > 1:
            yield place


@lru_cache(maxsize=4096)
def _measure_arguments(lang: Language, text: str) -> tuple[int | None, ...]:
    """How many items each argument has; a whole number counts as itself."""
    try:
        values = lang.values.read_arguments(text).values
    except NotALiteral:
        return ()
    return tuple(len(one) if isinstance(one, Sized) else one if isinstance(one, int) else None for one in values)


def take_arguments(lang: Language, program: Program) -> str:
    """The text of the arguments of the recorded call, as literals: ``{'a': 1}`` for ``dict(a=1)``.

    Raises:
        Skip: it is no call of a function with literals, or the language evaluates one call a run.
    """
    if lang.runner.several is None or not lang.has("dialect"):
        raise Skip(f"the calls of {lang.title} are evaluated one by one")
    _, opened, rest = program.call.strip().partition("(")
    text = rest.removesuffix(")")
    if not opened or text == rest:
        raise Skip("the program has no call")
    try:
        arguments = lang.values.read_arguments(text)
    except NotALiteral as error:
        raise Skip(f"the arguments of the call are no literals: {error}") from error
    return text if arguments.literal else arguments.text


def _try_all(
    run: WitnessedRun, inputs: Sequence[str]
) -> Generator[Ask | Run, Completion | Execution, list[WitnessedCall]]:
    """What was witnessed of calls with these arguments. A run that fails is made again with each half of its calls."""
    room = _BATCH_LINES // max(1, len(run.moments.lines))
    large, small = (max(1, min(size, room)) for size in (_LARGE, _SMALL))
    waiting = _cut([text for text in inputs if len(text) <= _MOST_TEXT], large)
    failed, found = 0, list[WitnessedCall]()
    while waiting and failed <= _FAILED:
        batch = waiting.pop(0)
        tried = yield from _try_together(run, batch)
        if tried is not None:
            found += tried
        elif len(batch) > small:
            waiting = _cut([*batch, *chain.from_iterable(waiting)], small)
        else:
            failed += 1
            waiting[:0] = [batch[: len(batch) // 2], batch[len(batch) // 2 :]] if len(batch) > 1 else []
    return found


def _cut(inputs: Sequence[str], size: int) -> list[Sequence[str]]:
    """The inputs in pieces of so many."""
    return [inputs[start : start + size] for start in range(0, len(inputs), size)]


def _try_together(
    run: WitnessedRun, inputs: Sequence[str]
) -> Generator[Ask | Run, Completion | Execution, list[WitnessedCall] | None]:
    """What was witnessed of calls that are evaluated in one run; ``None`` if that cannot be seen."""
    program, several = run.program, run.language.runner.several
    assert several is not None
    calls = ", ".join(several.each.format(f"{program.function}({text})") for text in inputs)
    longer = program.replace_source(f"{program.source}\n{several.source}")
    whole = several.whole.format(calls=calls, function=program.function)
    job = replace(Run.from_program(longer, call=whole, limits=_LIMITS), witnessed="moments", optional=True)
    execution = yield from run_program(job)
    moments = execution.trace.moments if execution.trace else None
    returned = _list_returned(execution.value, len(inputs)) if execution.returned else None
    counts = _count_lines(run, moments, len(inputs)) if moments and moments.whole and returned else None
    if returned is None or counts is None:
        return None
    return [WitnessedCall(*each) for each in zip(inputs, returned, counts, strict=True)]


def _list_returned(ends: Any, count: int) -> list[bool] | None:
    """Whether each call returned a value; ``None`` if a program wrote something else."""
    if not isinstance(ends, list) or len(ends) != count or not all(isinstance(end, list) and end for end in ends):
        return None
    return [end[0] == "value" for end in ends]


def _count_lines(run: WitnessedRun, moments: Moments, count: int) -> list[Mapping[ProgramLine, int]] | None:
    """How often each call ran the lines that may be asked about, as if it had been alone.

    A call begins where the first line runs that runs once for each call, of those that stand behind the program. What
    ran before the first call runs in each.
    """
    program = run.program
    last = program.source.count("\n") + 1
    events = zip(moments.frames, moments.lines, strict=True)
    places = [ProgramLine(moments.files[frame], line) for frame, line in events]
    driving = Counter(place for place in places if place.file == program.entry and place.line > last)
    begin = min((place for place, times in driving.items() if times == count), default=None)
    if begin is None:
        return None
    parts = [Counter[ProgramLine]() for _ in range(count + 1)]
    call = 0
    ours = {place for place in {*places} - {*driving} if _is_asked(run, place)}
    for place in places:
        if place == begin:
            call += 1
        elif place in ours:
            parts[call][place] += 1
    return [parts[0] + part for part in parts[1:]]
