"""SemTrace: generated functions whose every line must be recalled to know what they return.

A function of one integer fills a list by assignments to distinct elements in random order, each
``x + y`` (Sense and Sensitivity, section 3.3 and listing 1). The same numbers make a program in
each language, so that languages can be compared pair by pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from pytest_codereason.core import Axis, AxisValue, Program, Source, derive_seed
from pytest_codereason.errors import BadSetting, UsageError

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

    ``values[i]`` is what element ``i`` of the list gets on top of ``x``; ``order`` lists the elements
    as the lines assign to them, a permutation of ``range(len(values))``.
    """

    x: int
    values: tuple[int, ...]
    order: tuple[int, ...]


def output(spec: TraceSpec) -> list[int]:
    """What the function returns for ``spec.x``."""
    return [spec.x + y for y in spec.values]


def x_range(digits: int) -> tuple[int, int]:
    """Least and greatest ``x``: the positive integers of exactly that many digits."""
    return 10 ** (digits - 1), 10**digits - 1


def y_range(digits: int) -> tuple[int, int]:
    """Least and greatest ``y``: -100 to 99 for two digits."""
    return -(10**digits), 10**digits - 1


def could_make(spec: TraceSpec, digits: int) -> bool:
    """Whether some seed gives this program, that is, whether each number lies where it is drawn from."""
    (fewest, most), (x_low, x_high), (y_low, y_high) = LENGTHS, x_range(digits), y_range(digits)
    return (
        fewest <= len(spec.values) <= most
        and x_low <= spec.x <= x_high
        and all(y_low <= y <= y_high for y in spec.values)
        and sorted(spec.order) == list(range(len(spec.values)))
    )


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


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How one language writes it; ``sigil`` stands before a variable's name."""

    sigil: str
    head: str
    declare: str
    semicolon: str
    tail: str

    def element(self, index: int) -> str:
        return f"{self.sigil}arr[{index}]"


SYNTAX = {
    "python": _Syntax("", "def f(x):", "arr", "", ""),
    "javascript": _Syntax("", "function f(x) {", "const arr", ";", "}\n"),
    "php": _Syntax("$", "function f($x) {", "$arr", ";", "}\n"),
}


def _term(y: int) -> str:
    return f"- {-y}" if y < 0 else f"+ {y}"


def render(spec: TraceSpec, language: str) -> str:
    """The source text of the function ``f``."""
    syntax = SYNTAX[language]
    lines = [f"{syntax.declare} = [{', '.join('0' for _ in spec.values)}]"]
    lines += [f"{syntax.element(i)} = {syntax.sigil}x {_term(spec.values[i])}" for i in spec.order]
    lines.append(f"return {syntax.sigil}arr")
    body = "".join(f"    {line}{syntax.semicolon}\n" for line in lines)
    return f"{syntax.head}\n{body}{syntax.tail}"


def explain(spec: TraceSpec, language: str) -> str:
    """The way to the output in words, line by line in the order of the code."""
    syntax, result = SYNTAX[language], output(spec)
    steps = [f"{syntax.element(i)} = {spec.x} {_term(spec.values[i])} = {result[i]}" for i in spec.order]
    return "\n".join(
        (
            f"The call sets {syntax.sigil}x to {spec.x}. The list starts with {len(result)} zeros.",
            *steps,
            f"In the order of the indices the list is {result}.",
        )
    )


def build(spec: TraceSpec, language: str) -> Program:
    """The program of a spec, with the facts ``output`` (list of int) and ``reasoning`` (str)."""
    return Program(
        language=language,
        source=render(spec, language),
        call=f"f({spec.x})",
        facts={"output": output(spec), "reasoning": explain(spec, language)},
        origin="semtrace",
    )


class _Series:
    """The programs of one seed and one number of digits, drawn as far as they were asked for.

    Program ``i`` is drawn from a seed of its own and drawn again if an earlier one is the same. So
    it depends on the seed and on ``i``: not on how many are wanted, nor on which is built first.
    """

    def __init__(self, seed: int, digits: int) -> None:
        self._seed = seed
        self._digits = digits
        self._seen: set[TraceSpec] = set()
        self.examples = [self._next("example", i) for i in range(EXAMPLES)]
        self._programs: list[TraceSpec] = []

    def __getitem__(self, index: int) -> TraceSpec:
        while len(self._programs) <= index:
            self._programs.append(self._next("program", len(self._programs)))
        return self._programs[index]

    def _next(self, purpose: str, index: int) -> TraceSpec:
        attempt = 0
        while (spec := self._draw(purpose, index, attempt)) in self._seen:
            attempt += 1
        self._seen.add(spec)
        return spec

    def _draw(self, purpose: str, index: int, attempt: int) -> TraceSpec:
        return draw(derive_seed(self._seed, "semtrace", VERSION, purpose, self._digits, index, attempt), self._digits)


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


class SemTrace(Source):
    """``count`` programs, no two the same; ``0000`` to ``9999``, then ``10000`` and on."""

    name = "semtrace"
    languages = tuple(SYNTAX)
    facts = frozenset({"output", "reasoning"})
    axes: ClassVar[Mapping[str, Axis]] = {
        "digits": Axis(
            name="digits",
            default=2,
            allowed=f"whole numbers from {DIGITS[0]} to {DIGITS[1]}",
            accepts=lambda value: _whole(value, *DIGITS),
            short="digits",
            changes_program=True,
        )
    }

    def __init__(self, count: int, digits: int, seed: int) -> None:
        self._count = count
        self._digits = digits
        self._seed = seed
        self._series: dict[int, _Series] = {}

    @classmethod
    def create(cls, settings: Mapping[str, Any], *, seed: int) -> SemTrace:
        """Settings: ``count`` (1 to 100,000, default 800), ``digits`` (2 to 6, default 2), ``seed``."""
        known = {"count": 800, "digits": 2, "seed": seed}
        limits = {"count": (1, MAX_COUNT), "digits": DIGITS, "seed": (-(2**63), 2**63 - 1)}
        for key, value in settings.items():
            if key not in known:
                raise BadSetting(key, f"unknown key {key!r}: the source {cls.name} has {', '.join(known)}")
            if not _whole(value, *limits[key]):
                low, high = limits[key]
                raise BadSetting(key, f"{key!r} must be a whole number from {low} to {high}, not {value!r}")
        return cls(**{**known, **settings})

    def names(self, language: str) -> Iterator[str]:
        """``0000``, ``0001`` and so on: the same in every language."""
        return (f"{i:04d}" for i in range(self._count))

    def program(self, language: str, name: str, axes: Mapping[str, AxisValue]) -> Program:
        """The program of that name, at the ``digits`` of ``axes``.

        Raises:
            UsageError: it has no program of that name.
        """
        if not name.isdecimal() or int(name) >= self._count or name != f"{int(name):04d}":
            raise UsageError(f"semtrace has no program {name!r}: there are 0000 to {self._count - 1:04d}")
        return build(self._at(axes)[int(name)], language)

    def shots(self, language: str, name: str, axes: Mapping[str, AxisValue], count: int) -> tuple[Program, ...]:
        """The first ``count`` (up to 8) worked examples: the same for every program, so that prompts share a prefix."""
        if count > EXAMPLES:
            raise UsageError(f"semtrace has {EXAMPLES} worked examples, not {count}")
        return tuple(build(spec, language) for spec in self._at(axes).examples[:count])

    def _at(self, axes: Mapping[str, AxisValue]) -> _Series:
        digits = int(axes.get("digits", self._digits))
        if digits not in self._series:
            self._series[digits] = _Series(self._seed, digits)
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
        }
