"""SemTrace: generated functions. To predict the output, every line is needed.

A function of one integer fills a list by assignments to distinct elements in random order, each
``x + y`` (Sense and Sensitivity, section 3.3 and listing 1). The same numbers make a program in
each language, so that languages can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import ClassVar

from pytest_codereason import registry
from pytest_codereason.core import Axis, AxisValue, Facts, Program, derive_seed
from pytest_codereason.core.endless import EndlessSource
from pytest_codereason.core.language.printing import Printer
from pytest_codereason.core.language.pseudocode import FunctionDefinition, Name
from pytest_codereason.core.programs import is_whole
from pytest_codereason.errors import UsageError
from pytest_codereason.programs.sources._series import ProgramSeries, list_numbers, read_number
from pytest_codereason.programs.sources._settings import SEEDS, describe_split, read_generated

#: Raised whenever the same seed would give other programs.
VERSION = 1
#: Fewest and most assignments.
LENGTHS = (4, 10)
DIGITS = (2, 6)
MAX_COUNT = 100_000
#: Worked examples kept apart from the programs asked about.
EXAMPLES = 8


@dataclass(frozen=True, slots=True)
class TraceSpec:
    """The numbers of one program.

    ``values[i]`` is added to ``x`` for element ``i`` of the list. ``order`` lists the elements in the
    order of the lines, a permutation of ``range(len(values))``.
    """

    x: int
    values: tuple[int, ...]
    order: tuple[int, ...]


def output(spec: TraceSpec) -> list[int]:
    """The output of the function for ``spec.x``."""
    return [spec.x + y for y in spec.values]


def x_range(digits: int) -> tuple[int, int]:
    """The least and the greatest ``x``: the positive integers with exactly so many digits."""
    return 10 ** (digits - 1), 10**digits - 1


def y_range(digits: int) -> tuple[int, int]:
    """The least and the greatest ``y``: -100 to 99 for two digits."""
    return -(10**digits), 10**digits - 1


def draw(seed: int, digits: int) -> TraceSpec:
    """The program of one seed: every number uniform over its range, the order a uniform permutation."""
    # The one method of Random whose results Python promises to keep.
    random = Random(seed).random

    def between(low: int, high: int) -> int:
        return low + int(random() * (high - low + 1))

    length = between(*LENGTHS)
    x = between(*x_range(digits))
    y_low, y_high = y_range(digits)
    values = tuple([between(y_low, y_high) for _ in range(length)])
    order = list(range(length))
    for last in range(length - 1, 0, -1):  # Fisher and Yates
        other = between(0, last)
        order[last], order[other] = order[other], order[last]
    return TraceSpec(x, values, tuple(order))


_X, _ARR = Name("x", "int"), Name("arr", "list")


#: Stands for a text that comes later; no program holds it.
_BLANK = "\0"


class _ProgramWriter:
    """Writes these programs in one language."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer
        self._split_sum = lru_cache(maxsize=4096)(self._split_sum)  # type: ignore[method-assign]
        self.x, arr = printer.write_name(_X.name), printer.write_name(_ARR.name)
        indices = [printer.write_literal(i) for i in range(LENGTHS[1])]
        self.elements = [printer.forms["item"].text.format(arr, index) for index in indices]
        end = f"{printer.semicolon}\n"
        assign = printer.mutations["put"].format
        #: The text before and after the value in each assignment to an element.
        self._assignments = [f"    {assign(arr, index, _BLANK)}{end}".split(_BLANK) for index in indices]
        head = printer.write_header(FunctionDefinition("f", (_X,), "list", ())) + printer.opening
        zeros = [printer.write_literal((0,) * length) for length in range(LENGTHS[1] + 1)]
        self._heads = [
            f"{head}\n    {printer.write_assignment(_ARR, zero, declares=True, once=True)}{end}" for zero in zeros
        ]
        self._tail = "".join([f"    return {arr}{end}", *(f"{line}\n" for line in printer.close_block())])

    def _split_sum(self, y: int) -> tuple[str, str]:
        """The text before and after ``x`` in ``x + 5``, or in ``x - 5`` for -5."""
        form = self._printer.forms["-" if y < 0 else "+"]
        before, after = form.text.format(_BLANK, self._printer.write_literal(abs(y))).split(_BLANK)
        return before, after

    def write_sum(self, x: str, y: int) -> str:
        """``x + 5``, or ``x - 5`` for -5."""
        before, after = self._split_sum(y)
        return f"{before}{x}{after}"

    def write_function(self, spec: TraceSpec) -> str:
        """The function ``f``."""
        lines = [self._heads[len(spec.order)]]
        for i in spec.order:
            before, after = self._assignments[i]
            lines.append(f"{before}{self.write_sum(self.x, spec.values[i])}{after}")
        return "".join([*lines, self._tail])


@cache
def _make_writer(language: str) -> _ProgramWriter:
    return _ProgramWriter(registry.language(language).printer)


def render(spec: TraceSpec, language: str) -> str:
    """The source text of the function ``f``."""
    return _make_writer(language).write_function(spec)


def explain(spec: TraceSpec, language: str) -> str:
    """The steps to the output in words, line by line in the order of the code."""
    writer, result, x = _make_writer(language), output(spec), str(spec.x)
    steps = [f"{writer.elements[i]} = {writer.write_sum(x, spec.values[i])} = {result[i]}" for i in spec.order]
    return "\n".join(
        (
            f"The call sets {writer.x} to {spec.x}. The list starts with {len(result)} zeros.",
            *steps,
            f"In the order of the indices the list is {result}.",
        )
    )


def build(spec: TraceSpec, language: str) -> Program:
    """The program of a spec, with the facts ``output`` (list of int) and ``reasoning`` (str)."""
    return Program.from_source(
        language=language,
        source=render(spec, language),
        call=f"f({spec.x})",
        facts=Facts(output=output(spec), reasoning=explain(spec, language)),
        origin="semtrace",
    )


@cache
def list_languages() -> tuple[str, ...]:
    """The languages in which a function can be printed by itself, the simplest first."""
    return tuple(name for name in registry.list_printed_languages() if registry.language(name).printer.top_level)


def _draw_series(seed: int, digits: int, split: str) -> ProgramSeries[TraceSpec]:
    """The programs of one seed and one number of digits."""

    def draw_attempt(purpose: str, index: int, attempt: int) -> TraceSpec:
        return draw(derive_seed(seed, "semtrace", VERSION, purpose, digits, index, attempt), digits)

    return ProgramSeries(draw_attempt, identify=lambda spec: spec, examples=EXAMPLES, split=split)


class SemTrace(EndlessSource):
    """``count`` programs, no two the same; ``0000`` to ``9999``, then ``10000`` and on."""

    name = "semtrace"
    facts = frozenset({"output", "reasoning"})
    axes: ClassVar[Mapping[str, Axis]] = {
        "digits": Axis(
            name="digits",
            default=2,
            allowed=f"whole numbers from {DIGITS[0]} to {DIGITS[1]}",
            accepts=lambda value: is_whole(value, *DIGITS),
            short="digits",
            changes_program=True,
        )
    }

    def __init__(self, count: int, digits: int, seed: int, split: str = "") -> None:
        self.languages = list_languages()
        self._count = count
        self._digits = digits
        self._seed = seed
        self._split = split
        self._series: dict[int, ProgramSeries[TraceSpec]] = {}

    @classmethod
    def create(cls, settings: Mapping[str, object], *, seed: int) -> SemTrace:
        """Settings: ``count`` (1 to 100,000, default 800), ``digits`` (2 to 6, default 2), ``seed``, ``split``."""
        limits = {"count": (1, MAX_COUNT), "digits": DIGITS, "seed": SEEDS}
        return cls(**read_generated(cls.name, settings, {"count": 800, "digits": 2, "seed": seed}, limits))

    def speaks(self, language: str) -> bool:
        """Whether a function can be printed by itself in it."""
        lang = registry.language(language)
        return lang.has("printer") and lang.printer.top_level

    def names(self, language: str) -> Iterator[str]:
        """``0000``, ``0001`` and so on: the same in every language."""
        return list_numbers(self._count)

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name, at the ``digits`` of ``axes``.

        Raises:
            UsageError: there is no program of that name.
        """
        number = read_number(self.name, name, self._count)
        return build(self._find_series(axes)[number], language)

    def draw_program(self, language: str, number: int, axes: Mapping[str, AxisValue]) -> Program:
        """See :meth:`EndlessSource.draw_program`."""
        return build(self._find_series(axes).draw(number), language)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """The first ``count`` (up to 8) worked examples: the same for every program, so that prompts share a prefix."""
        if count > EXAMPLES:
            raise UsageError(f"semtrace has {EXAMPLES} worked examples, not {count}")
        return tuple(build(spec, language) for spec in self._find_series(axes).examples[:count])

    def _find_series(self, axes: Mapping[str, AxisValue]) -> ProgramSeries[TraceSpec]:
        digits = int(axes.get("digits", self._digits))
        if digits not in self._series:
            self._series[digits] = _draw_series(self._seed, digits, self._split)
        return self._series[digits]

    @property
    def identity(self) -> Mapping[str, AxisValue]:
        """Name, version of the generator, and settings."""
        return {
            "name": self.name,
            "version": VERSION,
            "count": self._count,
            "digits": self._digits,
            "seed": self._seed,
            **describe_split(self._split),
        }
