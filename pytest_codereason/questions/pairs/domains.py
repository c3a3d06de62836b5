"""The domain of a call: which values its arguments may have, in words, as a test, and as draws.

Example: from ``[4, -1, 5]`` comes "a list of 0 to 6 items (each a whole number from -10 to 10)". Types are those of the
recorded arguments, and sizes at most about twice theirs, so no rule of a domain depends on the program.
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import Skip

#: What a text may be made of.
_PRINTABLE = frozenset(string.printable) - frozenset("\t\n\r\x0b\x0c")
#: Sizes that every text and every list may have.
_LEAST_ROOM = 5
#: Recorded tuples of more items are lists by another name.
_LONGEST_ROW = 4
#: The numbers that are drawn most often.
_SMALL = 10

#: Values of leaves that are worth drawing, by their kind: those of the recorded call and of the program.
Pool = Mapping[str, Sequence[Any]]


class Domain(ABC):
    """A set of values."""

    @abstractmethod
    def words(self, lang: Language) -> str:
        """What it holds, in words."""

    @abstractmethod
    def holds(self, lang: Language, value: Any) -> bool:
        """Whether a value is in it."""

    @abstractmethod
    def draw(self, draws: Draws, pool: Pool) -> Any:
        """One of its values."""


@dataclass(frozen=True, slots=True)
class NumberDomain(Domain):
    """Numbers of one type between two bounds."""

    kind: type[Any]
    low: int
    high: int

    def words(self, lang: Language) -> str:
        """``a whole number from 0 to 10``."""
        name = "a whole number" if issubclass(self.kind, int) else "a floating-point number"
        return f"{name} from {self.low} to {self.high}"

    def holds(self, lang: Language, value: Any) -> bool:
        """A number of another type counts if the language takes the two for equal."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self.low <= value <= self.high:
            return False
        return issubclass(self.kind, float) or value == int(value) if _is_alike(lang, self.kind, value) else False

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """A number that the program or the call names, or one beside it; a small one; or any."""
        turn = draws.below(4)
        named = pool.get(_name_kind(self.kind(0)), ())
        if turn < 2 and named:
            number = draws.choice(named) + draws.choice((-1, 0, 1))
        elif turn == 2:
            number = draws.below(_SMALL + 1) * (draws.choice((-1, 1)) if self.low < 0 else 1)
        else:
            number = self.low + draws.uniform() * (self.high - self.low)
        number = min(max(number, self.low), self.high)
        return self.kind(int(number)) if issubclass(self.kind, int) else self.kind(round(number, 1))


@dataclass(frozen=True, slots=True)
class TextDomain(Domain):
    """Texts up to a length, or single characters where these are a type of their own."""

    kind: type[str]
    most: int
    others: str = ""  #: characters beside the printable ones

    def words(self, lang: Language) -> str:
        """``a text of 0 to 12 printable ASCII characters``."""
        more = f" (or {', '.join(map(lang.values.write, self.others))})" if self.others else ""
        if self.kind is not str:
            return f"one printable ASCII character{more}"
        return f"a text of 0 to {self.most} printable ASCII characters{more}"

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether it is such a text."""
        if not isinstance(value, str) or not _is_alike(lang, self.kind, value):
            return False
        return len(value) <= self.most and _PRINTABLE.union(self.others).issuperset(value)

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """A text that the program or the call names, a piece of it, or letters of such texts."""
        named = [text for text in pool.get(_name_kind(self.kind("a")), ()) if text] or ["ab1 B"]
        text = draws.choice(named)
        if self.kind is not str:
            return self.kind(draws.choice([*named, *"aB1 "])[0])
        turn = draws.below(4)
        letters = [*"".join(named), *"aB1 "]
        if turn == 0:
            start = draws.below(len(text))
            text = text[start : start + 1 + draws.below(len(text))]
        elif turn == 1:
            text = "".join(draws.shuffle(text))
        elif turn == 2:
            text = "".join(draws.choice(letters) for _ in range(draws.below(self.most + 1)))
        else:
            at = draws.below(len(text) + 1)
            text = text[:at] + draws.choice([*named, *letters]) + text[at:]
        return "".join(each for each in text if each in _PRINTABLE or each in self.others)[: self.most]


@dataclass(frozen=True, slots=True)
class ValueDomain(Domain):
    """Values that are all of their type: truth values, nothing."""

    values: tuple[Any, ...]

    def words(self, lang: Language) -> str:
        """``True or False``."""
        return " or ".join(map(lang.values.write, self.values))

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether it is one of them."""
        return any(type(value) is type(each) and lang.values.equal(value, each) for each in self.values)

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """One of them."""
        return draws.choice(self.values)


@dataclass(frozen=True, slots=True)
class ItemDomain(Domain):
    """Lists, sets or tuples up to a length, all items of which are of one domain."""

    kind: type[Any]
    most: int
    each: Domain | None  #: ``None`` where the recorded ones are empty

    def words(self, lang: Language) -> str:
        """``a list of 0 to 6 items (each a whole number from 0 to 10)``."""
        name = "set" if issubclass(self.kind, (set, frozenset)) else self.kind.__name__
        if self.each is None:
            return f"an empty {name}"
        return f"a {name} of 0 to {self.most} items (each {self.each.words(lang)})"

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether it is of that type and length, and all its items are in their domain."""
        if type(value) is not self.kind or len(value) > self.most:
            return False
        return all(self.each is not None and self.each.holds(lang, item) for item in value)

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """Some items, of which one may stand twice."""
        if self.each is None:
            return self.kind()
        items = [self.each.draw(draws, pool) for _ in range(draws.below(self.most + 1))]
        if items and draws.chance(0.3):
            items[draws.below(len(items))] = draws.choice(items)
        return self.kind(items)


@dataclass(frozen=True, slots=True)
class TupleDomain(Domain):
    """Tuples with a domain for each place."""

    places: tuple[Domain, ...]

    def words(self, lang: Language) -> str:
        """``a tuple of 2 items (a whole number from 0 to 10; True or False)``."""
        return f"a tuple of {len(self.places)} items ({'; '.join(place.words(lang) for place in self.places)})"

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether each item is in the domain of its place."""
        if type(value) is not tuple or len(value) != len(self.places):
            return False
        return all(place.holds(lang, item) for place, item in zip(self.places, value, strict=True))

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """A value for each place."""
        return tuple(place.draw(draws, pool) for place in self.places)


@dataclass(frozen=True, slots=True)
class MappingDomain(Domain):
    """Mappings up to a number of keys."""

    most: int
    key: Domain | None  #: ``None`` where the recorded ones are empty
    value: Domain | None

    def words(self, lang: Language) -> str:
        """``a mapping of 0 to 5 keys (each a text ...) to values (each a whole number ...)``."""
        if self.key is None or self.value is None:
            return "an empty mapping"
        key, value = self.key.words(lang), self.value.words(lang)
        return f"a mapping of 0 to {self.most} keys (each {key}) to values (each {value})"

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether all keys and values are in their domains."""
        if type(value) is not dict or len(value) > self.most:
            return False
        return all(
            self.key is not None and self.value is not None and self.key.holds(lang, k) and self.value.holds(lang, v)
            for k, v in value.items()
        )

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """Some keys with values."""
        if self.key is None or self.value is None:
            return {}
        size = draws.below(self.most + 1)
        return {self.key.draw(draws, pool): self.value.draw(draws, pool) for _ in range(size)}


@dataclass(frozen=True, slots=True)
class EitherDomain(Domain):
    """Values of one of several domains."""

    options: tuple[Domain, ...]

    def words(self, lang: Language) -> str:
        """``either a whole number ... or a text ...``."""
        return f"either {' or '.join(option.words(lang) for option in self.options)}"

    def holds(self, lang: Language, value: Any) -> bool:
        """Whether one of them has it."""
        return any(option.holds(lang, value) for option in self.options)

    def draw(self, draws: Draws, pool: Pool) -> Any:
        """A value of one of them."""
        return draws.choice(self.options).draw(draws, pool)


def describe_values(values: Sequence[Any]) -> Domain:
    """The domain of what was seen at one place of an argument.

    Raises:
        Skip: one of the values is of a type that has no domain.
    """
    kinds: dict[str, list[Any]] = {}
    for value in values:
        kinds.setdefault(_name_kind(value), []).append(value)
    options = tuple(_MAKERS[kind](alike) for kind, alike in kinds.items())
    return options[0] if len(options) == 1 else EitherDomain(options)


def list_leaves(values: Sequence[Any]) -> Iterator[Any]:
    """The values without values inside, at every level."""
    for value in values:
        if isinstance(value, dict):
            yield from list_leaves([*value.keys(), *value.values()])
        elif isinstance(value, (list, tuple, set, frozenset)):
            yield from list_leaves([*value])
        else:
            yield value


def make_pool(values: Sequence[Any]) -> Pool:
    """Leaves by their kind, each once."""
    pool: dict[str, list[Any]] = {}
    for leaf in list_leaves(values):
        try:
            known = pool.setdefault(_name_kind(leaf), [])
        except Skip:
            continue
        if leaf not in known:
            known.append(leaf)
    return pool


def _is_alike(lang: Language, kind: type[Any], value: Any) -> bool:
    """Whether a value equals itself as one of that type."""
    try:
        return lang.values.equal(kind(value), value)
    except (ValueError, OverflowError):
        return False


def _name_kind(value: Any) -> str:
    match value:
        case None | bool() | Enum():
            return "only"
        case int():
            return "whole"
        case float() if value - value == 0:
            return "fraction"
        case str():
            return "text"
        case list() | set() | frozenset() | dict() | tuple():
            return type(value).__name__
    raise Skip(f"no domain in words has the argument: a value of the type {type(value).__name__}")


def _describe_only(values: Sequence[Any]) -> Domain:
    truths: tuple[Any, ...] = (True, False) if any(isinstance(value, bool) for value in values) else ()
    return ValueDomain((*truths, *dict.fromkeys(value for value in values if not isinstance(value, bool))))


def _describe_numbers(values: Sequence[Any]) -> Domain:
    reach = _reach(max(map(abs, values)))
    return NumberDomain(type(values[0]), -reach if min(values) < 0 else 0, reach)


def _reach(size: float) -> int:
    """The first power of ten that is at least twice as large."""
    reach = 10
    while reach < 2 * size:
        reach *= 10
    return reach


def _describe_texts(values: Sequence[str]) -> Domain:
    others = sorted(set("".join(values)) - _PRINTABLE)
    kind = type(values[0])
    return TextDomain(kind, _find_room(values) if kind is str else 1, "".join(others))


def _describe_items(values: Sequence[Any]) -> Domain:
    inside = [item for value in values for item in _sort(value)]
    return ItemDomain(type(values[0]), _find_room(values), describe_values(inside) if inside else None)


def _sort(value: Any) -> list[Any]:
    """The items in an order that is the same in every process: a set has another one in each."""
    return sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)


def _describe_tuples(values: Sequence[tuple[Any, ...]]) -> Domain:
    if len({*map(len, values)}) > 1 or not 0 < len(values[0]) <= _LONGEST_ROW:
        return _describe_items(values)
    return TupleDomain(tuple(describe_values(place) for place in zip(*values, strict=True)))


def _describe_mappings(values: Sequence[dict[Any, Any]]) -> Domain:
    keys = [key for value in values for key in value]
    inside = [item for value in values for item in value.values()]
    if not keys:
        return MappingDomain(0, None, None)
    return MappingDomain(_find_room(values), describe_values(keys), describe_values(inside))


def _find_room(values: Sequence[Any]) -> int:
    return max(_LEAST_ROOM, 2 * max(map(len, values)))


_MAKERS: Mapping[str, Callable[[Any], Domain]] = {
    "only": _describe_only,
    "whole": _describe_numbers,
    "fraction": _describe_numbers,
    "text": _describe_texts,
    "list": _describe_items,
    "set": _describe_items,
    "frozenset": _describe_items,
    "tuple": _describe_tuples,
    "dict": _describe_mappings,
}


def describe_arguments(lang: Language, domains: Sequence[Domain]) -> str:
    """``one argument, a whole number from 0 to 10``."""
    words = [domain.words(lang) for domain in domains]
    if len(words) == 1:
        return f"one argument, {words[0]}"
    return f"{len(words)} arguments: {'; '.join(f'({place}) {each}' for place, each in enumerate(words, 1))}"
