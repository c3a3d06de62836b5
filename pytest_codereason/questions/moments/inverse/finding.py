"""Finds what a call is to do: something that a known call does, and hardly any call that comes to mind at once."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_codereason.core import Ask, Completion, Instance, Language, derive_seed, run_program
from pytest_codereason.core.execution import Execution, Run
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip
from pytest_codereason.questions.moments.drawing import draw_by_weight
from pytest_codereason.questions.moments.finding import witness_run
from pytest_codereason.questions.moments.inverse.aims import AIMS, Aim, WitnessedCall
from pytest_codereason.questions.moments.inverse.trying import TriedCalls, take_arguments, try_calls
from pytest_codereason.questions.moments.witnessed import WitnessedRun
from pytest_codereason.questions.tasks.shared.shown_lines import ProgramLine

#: The largest share of the calls at corners that may do what is asked, and of those that drift from the recorded one.
MOST_CORNERS, MOST_DRIFTED = 0.1, 0.1
#: Characters of the arguments of a known call.
MOST_KNOWN = 200
#: Goals that are drawn before none is found: what a call does in one run with others, it may not do alone.
_DRAWS = 3
#: A part of the seed: raised to draw other goals of all kinds. The version of the task says when any kind changes.
VERSION = 4

Finding = Generator[Ask | Run, Completion | Execution, tuple[WitnessedRun, "Goal"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """An aim that may be asked about."""

    aim: Aim
    known: WitnessedCall  #: does it
    weight: float  #: how likely it is drawn: how rare it is among the calls that were tried, in bits


def find_goal(instance: Instance, lang: Language, kind: str) -> Finding:
    """The run of the program that is shown, and what a call is to do.

    Raises:
        Skip: the program cannot be traced, its call has no literals, or there is no such goal.
    """
    take_arguments(lang, instance.program)  # whoever has none is not run
    run = yield from witness_run(instance, lang)
    tried = yield from try_calls(run)
    draws = Draws(derive_seed(instance.seed, "inverse", VERSION, kind, instance.language, instance.family))
    goals = [goal for goal in list_goals(kind, tried) if all(run.is_own(want.place) for want in goal.aim.wants)]
    for _ in range(_DRAWS if goals else 0):
        goal = draw_by_weight(goals, draws)
        known = yield from _confirm(run, goal)
        if known is not None:
            return run, replace(goal, known=known)
    raise Skip(f"no known call has a goal of the kind {kind}")


def list_goals(kind: str, tried: TriedCalls) -> list[Goal]:
    """What a known call does, the recorded one does not, and at most one in ten of the others do.

    No call does it that comes to mind without a look at the program, such as one with empty lists. That a line runs so
    often is no goal by itself where it runs once for each item of an argument. It is no part of a goal where the line
    runs equally often in all calls.
    """
    every = [*tried.corners, *tried.drifted]
    steady = _list_steady(every)
    corners = _collect(kind, tried.recorded, tried.corners)
    drifted = _collect(kind, tried.recorded, tried.drifted)
    goals = list[Goal]()
    for aim in dict.fromkeys([*corners, *drifted]):
        at_corners, near = corners.get(aim, []), drifted.get(aim, [])
        known = [call for call in [*at_corners, *near] if len(call.arguments) <= MOST_KNOWN]
        blindly = any(call.arguments in tried.blind for call in at_corners)
        common = len(at_corners) > MOST_CORNERS * len(tried.corners) or len(near) > MOST_DRIFTED * len(tried.drifted)
        plainly = len(aim.wants) == 1 and aim.wants[0].least > 0 and aim.wants[0].place in tried.plain
        vacuous = any(want.place in steady for want in aim.wants)
        if known and not blindly and not common and not plainly and not vacuous and not _is_implied(aim, every):
            bits = math.log2(len(every) / (len(at_corners) + len(near)))
            shortest = min(known, key=lambda call: len(call.arguments))
            goals.append(Goal(aim=aim, known=shortest, weight=max(1.0, round(bits, 6))))
    return goals


def _list_steady(calls: Sequence[WitnessedCall]) -> set[ProgramLine]:
    """The lines that run equally often in all calls."""
    places = {place for call in calls for place in call.counts}
    return {place for place in places if len({call.counts.get(place, 0) for call in calls}) == 1}


def _is_implied(aim: Aim, calls: Sequence[WitnessedCall]) -> bool:
    """Whether what is wanted first is met in all calls in which the line that is wanted besides runs."""
    first, *others = aim.wants
    return any(
        all(first.accepts(call.counts.get(first.place, 0)) for call in calls if other.place in call.counts)
        for other in others
    )


def _collect(
    kind: str, recorded: WitnessedCall, calls: Sequence[WitnessedCall]
) -> Mapping[Aim, Sequence[WitnessedCall]]:
    """The calls that meet each aim."""
    found: defaultdict[Aim, list[WitnessedCall]] = defaultdict(list)
    for call in calls:
        for aim in AIMS[kind](recorded, call):
            found[aim].append(call)
    return found


def _confirm(run: WitnessedRun, goal: Goal) -> Generator[Ask | Run, Completion | Execution, WitnessedCall | None]:
    """The known call as it was witnessed alone; ``None`` if it misses the aim there, or with other orders of sets."""
    seen = None
    for attempt in range(2):
        execution = yield from run_program(replace(trace_call(run, goal.known.arguments), attempt=attempt))
        seen = see_call(goal.known.arguments, execution)
        if seen is None or not goal.aim.is_met(seen):
            return None
    return seen


def trace_call(run: WitnessedRun, arguments: str) -> Run:
    """The run of a call with these arguments, under trace."""
    call = f"{run.program.function}({arguments})"
    return replace(Run.from_program(run.program, call=call), witnessed="moments")


def see_call(arguments: str, execution: Execution) -> WitnessedCall | None:
    """What was witnessed of a call, with all lines that ran; ``None`` if that is not whole."""
    moments = execution.trace.moments if execution.trace else None
    if moments is None or not moments.whole:
        return None
    counts = dict[ProgramLine, int]()
    for frame, line in zip(moments.frames, moments.lines, strict=True):
        place = ProgramLine(moments.files[frame], line)
        counts[place] = counts.get(place, 0) + 1
    return WitnessedCall(arguments, execution.returned, counts)
