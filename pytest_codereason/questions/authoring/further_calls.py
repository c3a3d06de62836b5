"""Further calls on which a change of a program is checked: the entry call reaches only some of its code.

Example: a program returns early for ``f(2)``, and a change breaks what it does for ``f(7)``. All calls of a program are
evaluated in one run, so that the check takes little longer than the entry call alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from pytest_codereason.changes.perturbations._wrong_values import list_wrong_inputs
from pytest_codereason.core import Language, Program, RunProgram, derive_seed
from pytest_codereason.core.execution import Execution, Limits, Run, SeveralCalls
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import DoesNotParse, NotALiteral
from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs
from pytest_codereason.registry import language

#: Calls beside the entry call.
MOST = 8
#: Raised whenever the same program gets other calls.
VERSION = 1


class End(NamedTuple):
    """How one call ended."""

    returned: bool
    value: Any  #: or the type of the error
    execution: Execution  #: of all calls
    message: str = ""  #: of the error, where a language gives it

    @property
    def words(self) -> str:
        """How it ended, in words."""
        return "returns something else" if self.returned else f"raises {self.value}"


def tells(end: End, several: SeveralCalls | None) -> bool:
    """Whether an end says what a program does, and not only that it grew too deep or too large."""
    return end.returned or several is None or not several.is_exhausted(end.value, end.message)


@lru_cache(maxsize=4096)
def list_further_inputs(name: str, source: str, call: str) -> tuple[str, ...]:
    """Other arguments for the call of a program, of the same types and number; the same in every process.

    Half of them have a value that the program names or one at a corner of its type, half have a slip.
    """
    lang = language(name)
    _, _, rest = call.strip().partition("(")
    if not rest.endswith(")") or not (lang.has("values") and lang.has("dialect") and lang.has("syntax")):
        return ()
    arguments = rest.removesuffix(")")
    try:
        corners = list_corner_inputs(lang, lang.syntax.parse(source, call), arguments, 4 * MOST)
    except DoesNotParse:
        return ()
    draws = Draws(derive_seed(0, "further calls", VERSION, name, source, call))
    slips = list_wrong_inputs(lang, arguments, draws, MOST)
    count = _count(lang, arguments)
    turns = chain.from_iterable(zip_longest(reversed(corners), slips))  # what the program names comes last
    inputs = dict.fromkeys(other for other in turns if other is not None and _count(lang, other) == count)
    return tuple(islice(inputs, MOST))


def _count(lang: Language, arguments: str) -> int | None:
    """How many arguments a text has; ``None`` if it is no list of literals."""
    try:
        value = lang.values.read(f"[{arguments}]").value
    except NotALiteral:
        return None
    return len(value) if isinstance(value, list) else None


def list_further_calls(program: Program, changed: Program) -> tuple[list[str], list[str]]:
    """Further calls of a program, and the same calls of the changed one.

    There are none where the change renames an argument, for a script, and where a language evaluates one call a run.
    """
    rest, other = (p.call.partition("(")[2] for p in (program, changed))
    if not program.call or rest != other or language(program.language).runner.several is None:
        return [], []
    inputs = list_further_inputs(program.language, program.source, program.call)
    return [f"{program.function}({text})" for text in inputs], [f"{changed.function}({text})" for text in inputs]


def make_run(program: Program, calls: Sequence[str], limits: Limits) -> Run | None:
    """What runs several calls of a program at once; ``None`` where a language evaluates one call a run."""
    several: SeveralCalls | None = language(program.language).runner.several
    if several is None:
        return None
    whole = several.whole.format(calls=", ".join(map(several.each.format, calls)), function=program.function)
    return Run.from_program(program.replace_source(f"{program.source}\n{several.source}"), call=whole, limits=limits)


async def run_calls(
    program: Program, calls: Sequence[str], run: RunProgram, limits: Limits, attempt: int = 0
) -> Execution | None:
    """The run of a program's own call and of further ones; ``None`` where a language evaluates one call a run."""
    job = make_run(program, [program.call, *calls], limits)
    return None if job is None else await run(replace(job, attempt=attempt, optional=True))


async def evaluate(
    program: Program, calls: Sequence[str], run: RunProgram, limits: Limits, attempt: int = 0
) -> list[End]:
    """How each call of a program ends, after its own call; empty if that cannot be seen in one run."""
    execution = await run_calls(program, calls, run, limits, attempt)
    return [] if execution is None else read_ends(execution, 1 + len(calls))


def read_ends(execution: Execution, count: int) -> list[End]:
    """How each of so many calls ended; empty if that cannot be seen."""
    ends = execution.value if execution.returned else None
    if not isinstance(ends, list) or len(ends) != count:
        return []
    return [End(kind == "value", value, execution, *map(str, message[:1])) for kind, value, *message in ends]


def find_difference(program: Program, one: Sequence[End], other: Sequence[End], wanted: Sequence[int]) -> list[int]:
    """The places at which two programs end differently."""
    equal = language(program.language).values.equal
    return [
        place
        for place in wanted
        if one[place].returned != other[place].returned
        or not (equal if one[place].returned else str.__eq__)(one[place].value, other[place].value)
    ]
