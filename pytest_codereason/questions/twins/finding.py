"""Finds the fresh input of a program by running it with many, and a changed program by running some."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pytest_codereason.core import Ask, Completion, Instance, Language, Program, derive_seed, run_program
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.facts import NO_FACTS
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.planting import ChosenFault, plant
from pytest_codereason.errors import BadEdit, NotALiteral, Skip
from pytest_codereason.questions.authoring.fault import draw_faults
from pytest_codereason.questions.authoring.further_calls import End, make_run, read_ends
from pytest_codereason.questions.twins.mutations import list_broken, redraw

#: Raised whenever the same program would get other inputs.
VERSION = 3
#: Calls of a program that are looked at.
WANTED = 200
#: The outputs of all calls have at least so many bits: else they could be guessed.
LEAST_BITS = 3.0
#: How far a fresh input may be from the published one, as a share: in executed lines, and in the length of the answer.
MOST_APART = 0.25
#: Characters that the answer may be longer or shorter in any case.
_LEAST_ROOM = 2
#: Calls whose lines are counted, before a program is given up.
_COUNTED = 8
LIMITS = Limits(cpu_s=3, wall_s=15.0)

#: Faults that leave the shape of a program as it is.
SHAPELESS = ("off-by-one", "operator-swap", "wrong-constant", "boolean-logic", "wrong-variable", "negated-condition")
#: Changed programs that are run, before a program is given up.
_CHANGED = 20

Running = Generator[Ask | Run, Completion | Execution, "Twin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A program with a call, and how the call ends."""

    program: Program
    returned: bool
    value: Any  #: or the type of the exception


def find_twin(instance: Instance, lang: Language, kind: str) -> Running:
    """The program with its published call, or with a fresh one.

    A program without a fresh input is not asked about with its published one either: scores compare the same programs.

    Raises:
        Skip: no call will do.
    """
    search = _TwinSearch(instance, lang, Draws(derive_seed(instance.seed, "twins", VERSION, instance.family)))
    if kind == "fresh-raise":
        return (yield from search.find_broken())
    fresh = yield from search.find_fresh()
    if kind == "fresh-program":
        return (yield from search.find_program(fresh))
    published = instance.program
    if kind == "published":
        return Twin(program=published, returned=True, value=published.facts["output"])
    return fresh


def measure_bits(outcomes: Sequence[str]) -> float:
    """The entropy of what was seen, in bits."""
    counts = Counter(outcomes).values()
    return -sum(count / len(outcomes) * math.log2(count / len(outcomes)) for count in counts)


class _TwinSearch:
    """The search for other calls of one program."""

    def __init__(self, instance: Instance, lang: Language, draws: Draws) -> None:
        self._lang, self._draws = lang, draws
        self._program = replace(instance.program, facts=NO_FACTS)
        self._output = instance.program.facts["output"]
        _, _, rest = instance.program.call.strip().partition("(")
        try:
            arguments = lang.values.read_arguments(rest.removesuffix(")"))
        except NotALiteral as error:
            raise Skip(f"the arguments of the call are no data: {error}") from error
        if any(arguments.names) or not arguments.values:
            raise Skip("the call has no arguments, or names some")
        self._text, self._values = rest.removesuffix(")"), list(arguments.values)

    def find_fresh(self) -> Running:
        """The first other call that gives another output, runs about as long and has about as long an answer."""
        inputs = self._list_inputs([[redraw(each, self._draws) for each in self._values] for _ in range(2 * WANTED)])
        ends = yield from self._see(inputs)
        seen = [self._write(end.value) or "" if end.returned else f"raises {end.value}" for end in ends]
        if measure_bits(seen) < LEAST_BITS:
            raise Skip("the outputs of other calls could be guessed")
        usual, counted = self._write(self._output) or "", 0
        for text, end, output in zip(inputs, ends, seen, strict=True):
            room = max(_LEAST_ROOM, MOST_APART * len(usual))
            if not end.returned or not output or output == usual or abs(len(output) - len(usual)) > room:
                continue
            counted += 1
            if counted > _COUNTED:
                break
            twin = yield from self._confirm(self._call(text))
            if twin is not None and twin.returned and (yield from self._runs_alike(self._program, twin.program)):
                return twin
        raise Skip("no other call gives another output, about as long and after about as many lines")

    def find_program(self, fresh: Twin) -> Running:
        """The program with one small change in it, for which the fresh call gives another output than those known."""
        known, usual, tried = fresh.program, self._write(fresh.value) or "", 0
        rows = {name: draw_faults(known, name) for name in SHAPELESS}
        while (left := [name for name, row in rows.items() if row]) and tried < _CHANGED:
            fault = rows[self._draws.choice(left)].pop(0)
            tried += 1
            try:
                changed = replace(plant(known, ChosenFault.read(fault)), facts=NO_FACTS)
            except BadEdit:
                continue
            twin = yield from self._confirm(changed)
            if twin is None or not twin.returned:
                continue
            if any(self._lang.values.equal(twin.value, each) for each in (fresh.value, self._output)):
                continue
            written = self._write(twin.value)
            apart = abs(len(written) - len(usual)) if written else math.inf
            if apart <= max(_LEAST_ROOM, MOST_APART * len(usual)) and (yield from self._runs_alike(known, changed)):
                return twin
        raise Skip("no small change of the program gives another output, about as long and after about as many lines")

    def find_broken(self) -> Running:
        """A call with an argument that many programs do not take: in half of all programs one that raises."""
        wanted = self._draws.chance(0.5)
        broken = self._draws.shuffle(list(list_broken(self._values)))
        inputs = self._list_inputs(broken)
        if not inputs:
            raise Skip("no argument can be broken")
        ends = yield from self._see(inputs)
        for text, end in zip(inputs, ends, strict=True):
            if end.returned is not wanted and (not end.returned or self._write(end.value)):
                twin = yield from self._confirm(self._call(text))
                if twin is not None and twin.returned is not wanted:
                    return twin
        raise Skip(f"no broken call {'raises' if wanted else 'returns'}")

    def _list_inputs(self, several: Sequence[Any]) -> list[str]:
        """Texts of other arguments, without those of the program."""
        own, *texts = (self._write_arguments(values) for values in [self._values, *several])
        return [*dict.fromkeys(text for text in texts if text and text != own)][:WANTED]

    def _write_arguments(self, values: Sequence[Any]) -> str | None:
        with suppress(NotALiteral, TypeError, ValueError):
            return self._lang.values.write_arguments([*map(self._lang.values.read_back, values)], self._text)
        return None

    def _write(self, value: Any) -> str | None:
        with suppress(NotALiteral, TypeError, ValueError):
            return self._lang.values.write(self._lang.values.read_back(value))
        return None

    def _see(self, inputs: Sequence[str]) -> Generator[Ask | Run, Completion | Execution, list[End]]:
        job = make_run(self._program, [f"{self._program.function}({text})" for text in inputs], LIMITS)
        if job is None:
            raise Skip(f"{self._lang.title} evaluates one call a run")
        execution = yield from run_program(job)
        ends = read_ends(execution, len(inputs))
        if not ends:
            raise Skip(f"how the calls of the program end cannot be seen: it {execution.words}")
        return ends

    def _call(self, text: str) -> Program:
        return replace(self._program, call=f"{self._program.function}({text})")

    def _confirm(self, program: Program) -> Generator[Ask | Run, Completion | Execution, Twin | None]:
        """How a program ends, run alone; ``None`` if it does not end by itself, or not twice alike."""
        job = Run.from_program(program, limits=LIMITS)
        first = yield from run_program(job)
        second = yield from run_program(replace(job, attempt=1))
        several = self._lang.runner.several
        exhausted = several is not None and several.is_exhausted(first.error, first.message)
        if first.ending not in ("returned", "raised") or exhausted or not self._ends_alike(first, second):
            return None
        return Twin(program=program, returned=first.returned, value=first.value if first.returned else first.error)

    def _ends_alike(self, one: Execution, other: Execution) -> bool:
        return one.ends_as(other, self._lang.values.equal, prints=False)

    def _runs_alike(self, one: Program, other: Program) -> Generator[Ask | Run, Completion | Execution, bool]:
        """Whether about as many lines run in both, where a tracer can tell."""
        if not self._lang.has("tracer"):
            return True
        counts = []
        for each in (one, other):
            traced = yield from run_program(replace(Run.from_program(each, limits=LIMITS), witnessed="lines"))
            lines = traced.trace.lines if traced.trace else {}
            counts.append(sum(sum(times.values()) for times in lines.values()))
        return abs(counts[1] - counts[0]) <= max(_LEAST_ROOM, MOST_APART * counts[0])
