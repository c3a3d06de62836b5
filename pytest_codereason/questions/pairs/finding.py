"""Finds the pairs of a program: one that does the same, and one that does not, which look alike.

    A ── changed ──────────────→ B of the equal pair: the same ends on all calls
     └── fault, changed alike ─→ B of the different pair: other ends on a few calls

Both are found whichever is asked about. So a program that has one has the other, and nobody gains by a guess.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from pytest_codereason import registry
from pytest_codereason.changes.stages.perturbation import Part, parse, perturb
from pytest_codereason.core import (
    Ask,
    Completion,
    FaultOperator,
    Instance,
    Language,
    Program,
    derive_seed,
    run_program,
)
from pytest_codereason.core.execution import Execution, Limits, Run
from pytest_codereason.core.facts import NO_FACTS
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.core.text.planting import ChosenFault, plant
from pytest_codereason.errors import BadEdit, BadSetting, DoesNotParse, Skip, UsageError
from pytest_codereason.questions.authoring.fault import draw_faults
from pytest_codereason.questions.authoring.further_calls import End, find_difference, make_run, read_ends, tells
from pytest_codereason.questions.pairs.inputs import LEAST, CallDomain, list_inputs, read_domain

#: Raised whenever the same program would get another pair.
VERSION = 1
#: The value of the axis ``changes`` for which a few of :data:`KNOWN` are drawn, in this order: names come last, so that
#: no name tells what was added.
DRAWN, KNOWN = "drawn", ("function-order", "conditions", "dead-code", "rename")
LEAST_CHANGES = 2
#: Of all calls together, and of those that are looked at first: many a fault makes a program endless.
LIMITS, SCREENING = Limits(cpu_s=2, wall_s=6.0), Limits(cpu_s=1, wall_s=6.0)
#: A fault that more of the calls show is found by any call. A witness would prove nothing.
MOST_SEPARATING = 0.2
#: How far apart the numbers of changed tokens of the two pairs may be, as a share of the larger one.
MOST_APART = 0.15
#: Faults that are run before a program is given up.
MOST_FAULTS = 30
#: Every such call is looked at first.
_SCREENED = 10
#: Calls that are tried alone as a witness.
_WITNESSES = 3
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPair:
    """Two programs, and whether they do the same."""

    one: Program
    other: Program
    equal: bool
    domain: CallDomain
    witness: str  #: arguments for which the two of the different pair differ
    changed: int  #: tokens that differ

    @property
    def functions(self) -> tuple[str, str]:
        """The functions that are called."""
        return self.one.function, self.other.function


Finding = Generator[Ask | Run, Completion | Execution, ProgramPair]
_Ends = Generator[Ask | Run, Completion | Execution, list[End]]


def find_pair(instance: Instance, lang: Language, changes: str, *, equal: bool) -> Finding:
    """The equal or the different pair of the program that is shown.

    Raises:
        Skip: the program has not both.
    """
    program = replace(instance.program, facts=NO_FACTS)
    seed = derive_seed(instance.seed, "equivalence", VERSION, changes, instance.language, instance.family)
    try:
        return (yield from _PairSearch(instance, lang, program, seed, changes).find(equal=equal))
    except DoesNotParse as error:
        raise Skip(f"the program cannot be read: {error}") from error


def count_changed(one: Program, other: Program) -> int:
    """How many tokens of two programs have no like one in the other, in their order."""
    first, second = _TOKEN.findall(one.text), _TOKEN.findall(other.text)
    alike = sum(block.size for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks())
    return len(first) + len(second) - 2 * alike


def accepts_changes(value: object) -> bool:
    """Whether a value of the axis ``changes`` is one.

    Raises:
        BadSetting: it names a perturbation that there is not.
    """
    if not isinstance(value, str):
        return False
    try:
        return value == DRAWN or bool(parse(value))
    except UsageError as error:
        raise BadSetting("changes", f"{error}; or {DRAWN}, which draws two to four") from error


class _PairSearch:
    """The search for the pairs of one program."""

    def __init__(self, instance: Instance, lang: Language, program: Program, seed: int, changes: str) -> None:
        self._instance, self._lang, self._seed = instance, lang, seed
        self._one = self._change(program, ())
        self._plain = program
        self.parts = self._draw_parts(changes)

    def find(self, *, equal: bool) -> Finding:
        """The pair, once it and its counterpart are seen to be what they should."""
        _, _, rest = self._one.call.strip().partition("(")
        domain = read_domain(self._lang, rest.removesuffix(")"))
        inputs, right = yield from self._see_calls(domain)
        alike = self._change(self._plain, self.parts)
        if (yield from self._find_separating(alike, inputs, right)) != []:
            raise Skip("the changed program does something else than the program")
        changed = count_changed(self._one, alike)
        for faulty in self._list_faulty():
            apart = count_changed(self._one, faulty)
            if abs(apart - changed) > MOST_APART * max(apart, changed):
                continue
            shown = yield from self._find_separating(faulty, inputs[::_SCREENED], right[::_SCREENED], SCREENING)
            if shown is None or len(shown) > 2 * MOST_SEPARATING * len(inputs) / _SCREENED:
                continue  # most faults show for nearly any call, and all calls take ten times as long
            separating = yield from self._find_separating(faulty, inputs, right)
            if not separating or len(separating) > MOST_SEPARATING * len(inputs):
                continue
            witness = yield from self._find_witness(faulty, [inputs[place] for place in separating])
            if witness is not None:
                other, tokens = (alike, changed) if equal else (faulty, apart)
                return ProgramPair(
                    one=self._one, other=other, equal=equal, domain=domain, witness=witness, changed=tokens
                )
        raise Skip("no fault makes another program that looks as much alike and differs for a few calls alone")

    def _change(self, program: Program, parts: Sequence[Part]) -> Program:
        changed = perturb(program, parts, self._seed, self._instance.family, "output")
        return replace(changed, facts=NO_FACTS)

    def _draw_parts(self, changes: str) -> tuple[Part, ...]:
        """The perturbations that the axis names, or two to four of those that change the program."""
        if changes != DRAWN:
            return parse(changes)
        fitting = [name for name in KNOWN if self._changes_something(name)]
        if len(fitting) < LEAST_CHANGES:
            raise Skip("fewer than two perturbations change the program")
        draws = Draws(derive_seed(self._seed, "changes"))
        wanted = LEAST_CHANGES + draws.below(len(fitting) - LEAST_CHANGES + 1)
        chosen = draws.shuffle(fitting)[:wanted]
        return parse("+".join(name for name in KNOWN if name in chosen))

    def _changes_something(self, name: str) -> bool:
        try:
            return self._change(self._plain, parse(name)).text != self._one.text
        except Skip:
            return False

    def _see_calls(
        self, domain: CallDomain
    ) -> Generator[Ask | Run, Completion | Execution, tuple[list[str], list[End]]]:
        """The arguments of calls, and how the program ends for each."""
        inputs = list_inputs(self._lang, self._one, domain)
        execution = yield from self._run(self._one, inputs)
        if execution.ending == "limit":  # the first are nearest to the recorded ones
            inputs = inputs[:LEAST]
            execution = yield from self._run(self._one, inputs)
        if len(inputs) < LEAST:
            raise Skip("there are too few calls of the program")
        ends = read_ends(execution, len(inputs))
        if not ends:
            raise Skip(f"how the calls of the program end cannot be seen: it {execution.words}")
        again = read_ends((yield from self._run(self._one, inputs, attempt=1)), len(inputs))
        if not again or find_difference(self._one, ends, again, range(len(inputs))):
            raise Skip("the program does something else from run to run")
        return inputs, ends

    def _run(
        self, program: Program, inputs: Sequence[str], attempt: int = 0, limits: Limits | None = None
    ) -> Generator[Ask | Run, Completion | Execution, Execution]:
        job = make_run(program, [f"{program.function}({text})" for text in inputs], limits or LIMITS)
        if job is None:
            raise Skip(f"{self._lang.title} evaluates one call a run")
        return (yield from run_program(replace(job, attempt=attempt)))

    def _find_separating(
        self, other: Program, inputs: Sequence[str], right: Sequence[End], limits: Limits | None = None
    ) -> Generator[Ask | Run, Completion | Execution, list[int] | None]:
        """The places of the calls for which another program ends otherwise; ``None`` if that cannot be seen.

        A call that grows too deep or too large shows nothing.
        """
        ends = read_ends((yield from self._run(other, inputs, limits=limits)), len(inputs))
        if not ends:
            return None
        several = self._lang.runner.several
        wanted = [place for place in range(len(inputs)) if tells(right[place], several) and tells(ends[place], several)]
        return find_difference(self._one, right, ends, wanted)

    def _list_faulty(self) -> Iterator[Program]:
        """The program with one fault and the changes, for a few faults of different kinds, in a drawn order."""
        draws, tried = Draws(derive_seed(self._seed, "faults")), 0
        rows = {name: draw_faults(self._one, name) for name in registry.list_shipped(FaultOperator)}
        while (left := [name for name, row in rows.items() if row]) and tried < MOST_FAULTS:
            fault = rows[draws.choice(left)].pop(0)
            try:
                faulty = plant(self._one, ChosenFault.read(fault))
                changed = self._change(replace(faulty, facts=NO_FACTS), self.parts)
            except (Skip, BadEdit, DoesNotParse):
                continue
            tried += 1
            yield changed

    def _find_witness(
        self, faulty: Program, inputs: Sequence[str]
    ) -> Generator[Ask | Run, Completion | Execution, str | None]:
        """Arguments for which the two differ where each call is run alone."""
        for text in Draws(derive_seed(self._seed, "witness")).shuffle(inputs)[:_WITNESSES]:
            if (yield from separates(self._lang, self._one, faulty, text)) is True:
                return text
        return None


def separates(
    lang: Language, one: Program, other: Program, arguments: str
) -> Generator[Ask | Run, Completion | Execution, bool | str]:
    """Whether two programs end differently for a call, or why that cannot be said.

    They do if their values differ, if one returns and the other raises, or if they raise different types.
    """
    several = lang.runner.several
    ends = []
    for program in (one, other):
        execution = yield from run_program(Run.from_program(program, call=f"{program.function}({arguments})"))
        exhausted = several is not None and several.is_exhausted(execution.error, execution.message)
        if execution.ending not in ("returned", "raised") or exhausted:
            return execution.words
        ends.append(execution)
    return not ends[0].ends_as(ends[1], lang.values.equal, prints=False)
