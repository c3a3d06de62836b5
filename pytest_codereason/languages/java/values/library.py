"""Evaluates the library calls and constructors with which Java collections are written."""

from __future__ import annotations

import re
from typing import Any

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import check_size
from pytest_codereason.languages.java.values.data import TUPLES, Float, Long, Optional

_PACKAGE = re.compile(r"(?:(?:java\.(?:util|lang|math)|org\.javatuples)\.)?([A-Za-z]+)(?:<.*>)?", re.DOTALL)
_PREFIX = re.compile(r"(?:java\.(?:util|lang|math)|org\.javatuples)\.")
LISTS = {"ArrayList", "LinkedList", "Vector", "ArrayDeque", "Stack"}
SETS = {"HashSet", "LinkedHashSet", "TreeSet"}
MAPS = {"HashMap", "LinkedHashMap", "TreeMap"}
_BOXES = {f"{box}.valueOf" for box in ("Integer", "Long", "Double", "Boolean", "Character", "BigInteger")}

PRIMITIVES = frozenset({"byte", "short", "int", "long", "float", "double", "char", "boolean"})
#: The types that arguments may name: those of data, and what data may be passed as.
TYPES = {
    *PRIMITIVES,
    *("Byte", "Short", "Integer", "Long", "Float", "Double", "Character", "Boolean", "BigInteger", "Number"),
    *("Object", "String", "CharSequence", "Comparable", "Iterable", "Collection", "Collections", "Arrays", "Optional"),
    *("List", "AbstractList", "Queue", "Deque", "Set", "SortedSet", "NavigableSet", "Map", "SortedMap", "NavigableMap"),
    *("Map.Entry", *LISTS, *SETS, *MAPS, *TUPLES),
}

CONSTANTS: dict[str, object] = {
    "Integer.MAX_VALUE": 2**31 - 1,
    "Integer.MIN_VALUE": -(2**31),
    "Long.MAX_VALUE": Long(2**63 - 1),
    "Long.MIN_VALUE": Long(-(2**63)),
}
for _name, _kind in (("Double", float), ("Float", Float)):
    CONSTANTS[f"{_name}.NaN"] = _kind("nan")
    CONSTANTS[f"{_name}.POSITIVE_INFINITY"] = _kind("inf")
    CONSTANTS[f"{_name}.NEGATIVE_INFINITY"] = _kind("-inf")


def split_name(name: str) -> tuple[str, str]:
    """The package of a type's name, empty or with a dot at its end, and the rest: ``("java.util.", "List")``."""
    package = _PREFIX.match(name)
    return (package[0], name[package.end() :]) if package else ("", name)


def plain(name: str) -> str:
    """The name of a type without its package and type arguments."""
    match = _PACKAGE.fullmatch("".join(name.split()))
    return match[1] if match else name


def call_method(name: str, arguments: list[Any]) -> Any:
    """The value of a call such as ``Map.of("a", 1)``. ``$`` is a bare list.

    Raises:
        NotALiteral: the call is of another kind.
    """
    owner, _, method = name.rpartition(".")
    made: Any
    match name, arguments:
        case (
            ("$" | "List.of" | "Arrays.asList", _) | ("Collections.emptyList", []) | ("Collections.singletonList", [_])
        ):
            made = arguments
        case ("Set.of", _) | ("Collections.emptySet", []) | ("Collections.singleton", [_]):
            made = _set(arguments, distinct=True)
        case ("Map.of", _) | ("Collections.emptyMap", []) | ("Collections.singletonMap", [_, _]):
            made = _pair_alternating(arguments)
        case "Map.entry", [_, _]:
            made = tuple(arguments)
        case "Map.ofEntries", _ if all(isinstance(entry, tuple) and len(entry) == 2 for entry in arguments):
            made = _map(arguments)
        case ("Optional.empty", []) | ("Optional.of" | "Optional.ofNullable", [_]):
            made = Optional(*arguments)
        case _ if method == "with" and owner in TUPLES:
            made = _make_tuple(owner, arguments)
        case _, [made] if name in _BOXES:
            pass
        case _:
            raise NotALiteral("not a literal: a call")
    return made


def make_object(kind: str, arguments: list[Any]) -> Any:
    """The value of a constructor such as ``new ArrayList<>(List.of(1))``.

    Raises:
        NotALiteral: the result is not data.
    """
    if kind in TUPLES:
        return _make_tuple(kind, arguments)
    match arguments:
        case [str(text)] if kind == "String":
            return text
        case [str(text)] if kind == "BigInteger" and re.fullmatch(r"[+-]?[0-9]{1,3000}", text):
            return check_size(int(text))
    # A number says how much room to make, not what is inside.
    if arguments and isinstance(arguments[0], int) and not isinstance(arguments[0], bool):
        arguments = arguments[1:]
    match arguments:
        case [] | [list() | set()] if kind in LISTS:
            return [value for part in arguments for value in part]
        case [] | [list() | set()] if kind in SETS:
            return _set([value for part in arguments for value in part])
        case [] | [dict()] if kind in MAPS:
            return {key: value for part in arguments for key, value in part.items()}
    raise NotALiteral(f"not a literal: a new {kind}")


def fill_collection(collection: Any, method: str, arguments: list[Any]) -> None:
    """Runs one statement of a block that fills a new collection: ``{{ add(1); put("a", 2); }}``.

    Raises:
        NotALiteral: the statement does something else.
    """
    match collection, method, arguments:
        case dict(), "put", [key, value]:
            collection[_check_hashable(key)] = value
        case list(), "add", [value]:
            collection.append(value)
        case set(), "add", [value]:
            collection.add(_check_hashable(value))
        case _:
            raise NotALiteral("not a literal: a class")


def _check_hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise NotALiteral("a collection as an element of a set, or as a key, is not read") from None
    return value


def _set(values: list[Any], *, distinct: bool = False) -> set[Any]:
    members = {_check_hashable(value) for value in values}
    if distinct and len(members) < len(values):
        raise NotALiteral("the same element twice")
    return members


def _map(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    entries = {_check_hashable(key): value for key, value in pairs}
    if len(entries) < len(pairs):
        raise NotALiteral("the same key twice")
    return entries


def _pair_alternating(values: list[Any]) -> dict[Any, Any]:
    if len(values) % 2:
        raise NotALiteral("a key without a value")
    return _map(list(zip(values[::2], values[1::2], strict=True)))


def _make_tuple(kind: str, arguments: list[Any]) -> tuple[Any, ...]:
    if len(arguments) != TUPLES.index(kind) + 1:
        raise NotALiteral(f"a {kind} of {len(arguments)} values")
    return tuple(arguments)
