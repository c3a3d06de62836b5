"""The calls on which two programs are compared: 300 of the domain, far more than anybody would try by hand.

First come the recorded arguments, then values at corners and slips, then draws of the domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from pytest_codereason.changes.perturbations._wrong_values import list_wrong_inputs
from pytest_codereason.core import Arguments, Language, Program, derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import NotALiteral, Skip
from pytest_codereason.questions.authoring._corner_inputs import list_corner_inputs
from pytest_codereason.questions.pairs.domains import Domain, Pool, describe_values, make_pool

#: Calls that are compared, and the fewest that will do.
WANTED, LEAST = 300, 100
#: Slips of each of two kinds, and corners.
_SLIPS, _CORNERS = 20, 60
#: Draws before no further call is expected, for each that is wanted.
_TRIES = 5
#: Raised whenever the same program gets other calls.
VERSION = 1


@dataclass(frozen=True, slots=True)
class CallDomain:
    """The arguments that the calls of a program may have."""

    recorded: str  #: the arguments of its own call
    places: tuple[Domain, ...]

    def holds(self, lang: Language, arguments: Arguments) -> bool:
        """Whether a call is in it."""
        if len(arguments.values) != len(self.places):
            return False
        return all(place.holds(lang, value) for place, value in zip(self.places, arguments.values, strict=True))


def read_domain(lang: Language, recorded: str) -> CallDomain:
    """The domain of the calls of a program, by its own call alone.

    Raises:
        Skip: the arguments are no data, or of a type without a domain.
    """
    try:
        arguments = lang.values.read_arguments(recorded)
    except NotALiteral as error:
        raise Skip(f"the arguments of the call are no data: {error}") from error
    if not arguments.values or any(arguments.names):
        raise Skip("the call has no arguments" if not arguments.values else "an argument of the call has a name")
    return CallDomain(recorded, tuple(describe_values([value]) for value in arguments.values))


def list_inputs(lang: Language, program: Program, domain: CallDomain) -> list[str]:
    """The arguments of the calls, as they are written: the recorded ones first. The same in every process.

    Raises:
        DoesNotParse: the program cannot be read.
    """
    return [*_list_inputs(lang, program.source, program.call, domain.recorded)]


@lru_cache(maxsize=64)
def _list_inputs(lang: Language, source: str, call: str, recorded: str) -> tuple[str, ...]:
    """The same; remembered, because both pairs of a program are asked about."""
    domain = read_domain(lang, recorded)
    draws = Draws(derive_seed(0, "pair inputs", VERSION, lang.name, source, recorded))
    code = lang.syntax.parse(source, call)
    named = [_read(lang, code.source[slice(*site.span)]) for site in code.sites_of("literal")]
    pool = make_pool([*lang.values.read_arguments(recorded).values, *(value for value in named if value is not None)])
    inputs = dict.fromkeys([recorded])

    def add(texts: Iterable[str], tries: int) -> None:
        for _, text in zip(range(tries), texts, strict=False):
            if len(inputs) >= WANTED:
                return
            if _is_inside(lang, domain, text):
                inputs.setdefault(text)

    add(list_corner_inputs(lang, code, recorded, _CORNERS), WANTED)
    add(list_wrong_inputs(lang, recorded, draws, _SLIPS), WANTED)
    add(_draw(lang, domain, draws, pool), _TRIES * WANTED)
    return tuple(inputs)


def _read(lang: Language, text: str) -> object:
    with suppress(NotALiteral):
        return lang.values.read(text).value
    return None


def _is_inside(lang: Language, domain: CallDomain, text: str) -> bool:
    with suppress(NotALiteral):
        arguments = lang.values.read_arguments(text)
        return not any(arguments.names) and domain.holds(lang, arguments)
    return False


def _draw(lang: Language, domain: CallDomain, draws: Draws, pool: Pool) -> Iterator[str]:
    while True:
        try:
            yield lang.values.write_arguments([place.draw(draws, pool) for place in domain.places], domain.recorded)
        except (NotALiteral, TypeError, ValueError):
            yield ""
