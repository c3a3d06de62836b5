"""What a fact of a paper can say, and how a run that differs is described: ``with shots = 0 instead of 2``.

Example: ``Only((0.2,))`` is the fact that a paper has one temperature.
:mod:`~pytest_codereason.results.studies.study_facts` has the facts of each paper.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from pytest_codereason.core.text.wording import count, plural

#: The author of a text that no model wrote.
RULE = "rule"

#: How a difference is said, by the key of the fact. Other keys are settings: ``with shots = 0``.
_PHRASES = {
    "axes": "at several values of {value}",
    "digits": "digits {value}",
    "distractors": "distractors {value}",
    "hints": "with hints {value}",
    "language": "in {value}",
    "order": "with function-order in {value}",
    "perturbation": "with {value}",
    "task": "on {value}",
    "tokens": "in contexts of other lengths",
    "versions": "with at most {value} versions of a program",
}
#: Those of which the sentence says too what the paper has. The others name what the paper does not have.
_WITHOUT_WANTED = frozenset({"axes", "hints", "language", "order", "perturbation", "task", "tokens", "versions"})


class Departure(NamedTuple):
    """One difference between a run and a paper: ``with shots = 0``, where the paper has ``2``."""

    text: str
    wanted: str = ""  #: what the paper has, where the sentence says it
    model: str = ""  #: the model that it is about; empty if it is about all


class PoolFound(NamedTuple):
    """A pool that a run draws from; the median tokens of its functions may be unknown."""

    name: str
    tokens: int | None


class ProgramsFound(NamedTuple):
    """The programs of one language that a run asks about; their number may be unknown."""

    source: str
    language: str
    number: int | None


class StudyFact(ABC):
    """What a paper fixes of one thing, such as the temperature."""

    @abstractmethod
    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        """In what ``values``, those of a run, differ from the paper's."""


@dataclass(frozen=True)
class Only(StudyFact):
    """Each value of the run is one of the paper's."""

    allowed: tuple[Any, ...]

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        unset = self.allowed[:1] == (None,) and key != "max_tokens"
        wanted = "" if unset else " or ".join(spell_value(key, value) for value in self.allowed)
        yield from (name_departure(key, value, wanted) for value in values if value not in self.allowed)


@dataclass(frozen=True)
class Every(StudyFact):
    """The run has all values of the paper, and besides them only some that other figures of the paper have."""

    wanted: tuple[Any, ...]
    besides: tuple[Any, ...] = ()

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        if set(values) - {*self.besides} != {*self.wanted}:
            yield name_departure(key, ", ".join(map(str, values)), _spell_all(self.wanted))


@dataclass(frozen=True)
class AtLeast(StudyFact):
    """A number of the run is at least as high; ``None`` is no limit."""

    least: int

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        for value in values:
            if isinstance(value, int) and value < self.least:
                yield name_departure(key, value, f"at least {count(self.least)}")


@dataclass(frozen=True)
class Perturbations(StudyFact):
    """The run perturbs as the paper does, and leaves out nothing of its table."""

    pattern: str  #: every perturbation of the paper
    needed: frozenset[str] = frozenset()  #: the columns of the table

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        yield from (name_departure(key, value) for value in values if not re.fullmatch(self.pattern, value))
        there = self.needed & {*values}
        if values and there != self.needed:
            yield Departure(f"with {len(there)} of {plural(len(self.needed), 'perturbation')}")


@dataclass(frozen=True)
class Mutations(StudyFact):
    """The run mutates as the paper does: these mutations and compositions of them, each in one quarter of the file.

    The paper draws the quarter. A run that asks about each of the four has the same.
    """

    names: frozenset[str]

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        parts = dict.fromkeys(part for value in values for part in _split_composition(value))
        yield from (
            name_departure(key, name) for name in dict.fromkeys(name for name, _ in parts) if name not in self.names
        )
        places = {place for name, place in parts if name in self.names}
        if "" in places:
            yield Departure("with changes in the whole file", "a random quarter of it")
        if (fixed := places - {"", "random"}) and len(fixed) < len(_QUARTERS):
            yield Departure(f"with changes in quarter {', '.join(sorted(fixed))} alone", "a random one")


_QUARTERS = (1, 2, 3, 4)


def _split_composition(value: str) -> Iterator[tuple[str, str]]:
    """The mutations of a composition, each with its place; empty for the whole file."""
    for part in value.split("+"):
        name, _, settings = part.strip().partition("(")
        place = re.search(r"\bplace\s*=\s*(\w+)", settings)
        yield name, place[1] if place else ""


@dataclass(frozen=True)
class WrittenBy(StudyFact):
    """Who writes the texts that the paper shows: any model, or the model that is asked."""

    kinds: Mapping[str, str]  #: what texts of each kind are called: ``hints``
    itself: bool = False  #: whether the model under test writes them

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        wanted = "the model under test" if self.itself else "a model"
        for kind, author, model in values:
            if kind in self.kinds and (author == RULE or (self.itself and author != model)):
                by = "the rule" if author == RULE else author
                yield Departure(f"with {self.kinds[kind]} written by {by}", wanted)


@dataclass(frozen=True)
class Programs(StudyFact):
    """The run asks about a data set of the paper, and all of it."""

    sizes: Mapping[str, Mapping[str, int]]  #: by source and language

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        for source, language, number in values:
            whole = self.sizes.get(source, {}).get(language)
            if source not in self.sizes:
                yield Departure(f"on programs of {source}")
            elif number and whole and number < whole:
                yield Departure(f"on {count(number)} of {plural(whole, 'program')}")
            elif number and whole and number > whole:
                yield Departure(f"on {plural(number, 'program')}", count(whole))


@dataclass(frozen=True)
class FromPool(StudyFact):
    """The distractors of the run are of the paper's pool, and about as long."""

    name: str
    tokens: int = 200
    #: The shortest and the longest median that still counts as about so many tokens.
    within: tuple[int, int] = (150, 250)

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        for name, tokens in values:
            if name != self.name:
                yield Departure(f"on the pool {name}" + (f", median {count(tokens)} tokens" if tokens else ""))
            elif tokens is not None and not self.within[0] <= tokens <= self.within[1]:
                yield Departure(f"on a pool of {count(tokens)} tokens a function", f"about {count(self.tokens)}")


@dataclass(frozen=True)
class NoPool(StudyFact):
    """The programs stand alone."""

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        yield from (Departure("among distractors") for _ in values)


@dataclass(frozen=True)
class Whole(StudyFact):
    """The run asks every question of its suite."""

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        for selected, whole in values:
            if selected < whole:
                yield Departure(f"on {count(selected)} of {count(whole)} questions")


@dataclass(frozen=True)
class Places(StudyFact):
    """The run puts programs at the paper's positions of a context."""

    wanted: tuple[int, ...]

    def judge(self, key: str, values: Sequence[Any]) -> Iterator[Departure]:
        if set(values) != {*self.wanted}:
            other = "other " if len(values) == len(self.wanted) else ""
            yield Departure(f"at {plural(len(values), f'{other}position')}", "" if other else str(len(self.wanted)))


def name_departure(key: str, value: Any, wanted: str = "") -> Departure:
    """The words for one value that is not the paper's: ``with query = after``, where the paper has ``both``."""
    if key == "prefill":
        return Departure("with a prefill" if value else "without a prefill")
    if value is None:
        return Departure(f"without {key}")
    phrase = _PHRASES.get(key, f"with {key} = {{value}}")
    return Departure(phrase.format(value=spell_value(key, value)), "" if key in _WITHOUT_WANTED else wanted)


def spell_value(key: str, value: Any) -> str:
    """A value as a sentence has it: ``2,000``, ``no limit``."""
    if value is None:
        return "no limit" if key == "max_tokens" else "none"
    return count(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _spell_all(values: Sequence[Any]) -> str:
    """``20 to 80`` for numbers at even distances, else ``none, refactor``."""
    are_numbers = all(isinstance(value, int) for value in values)
    if len(values) > 2 and are_numbers and len({after - before for before, after in pairwise(values)}) == 1:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(map(str, values))
