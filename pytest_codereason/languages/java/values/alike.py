"""Writes other data in the form in which an argument was given.

Example: in place of ``new ArrayList<Long>(Arrays.asList(1L, 2L))`` the list ``[7]`` is written
``new ArrayList<Long>(Arrays.asList(7L))``. A method that takes an ``ArrayList<Long>`` does not take ``List.of(7)``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.java.values.data import MOST_PAIRS, Char, Float, Long, write
from pytest_codereason.languages.java.values.forms import ArgumentForm, Type
from pytest_codereason.languages.java.values.library import LISTS, MAPS, SETS, split_name
from pytest_codereason.languages.java.values.reading import read

#: A literal of each type of numbers and texts, as it stands in arrays and between angle brackets.
_LITERALS = {
    **{"int": "0", "Integer": "0", "long": "0L", "Long": "0L", "double": "0.0", "Double": "0.0"},
    **{"float": "0.0f", "Float": "0.0f", "boolean": "true", "Boolean": "true"},
    **{"char": "'a'", "Character": "'a'", "String": '""'},
}
#: What a constructor takes, by the name of its class.
_MADE = {**dict.fromkeys(LISTS, list), **dict.fromkeys(SETS, set), **dict.fromkeys(MAPS, dict)}


def fill(form: ArgumentForm, value: Any) -> ArgumentForm:
    """The form with another value inside.

    Raises:
        NotALiteral: no such form has the value.
    """
    if form.kind == "literal":
        return ArgumentForm("literal", write(_fit(str(form.name), value)))
    if form.kind == "cast":
        return replace(form, parts=(fill(form.parts[0], value),))
    if isinstance(value, (list, set, dict)):
        return _fill_collection(form, value)
    if form.kind in ("array", "braces") or _get_class(form) in _MADE:
        raise NotALiteral("not a literal: one value in place of a collection")
    if isinstance(value, tuple) and len(value) == len(form.parts):
        return replace(form, parts=tuple(map(fill, form.parts, value)))
    if str(form.name).endswith(".valueOf"):
        return replace(form, parts=(fill(form.parts[0], value),))
    return ArgumentForm("literal", write(value))


def _fit(literal: str, value: Any) -> Any:
    """The value as one of the type that a literal has: ``3`` as ``3L`` in place of ``1L``.

    Raises:
        NotALiteral: it has another type.
    """
    kind = _find_type(literal)
    if kind in (type(None), type(value)):
        return value
    if kind in (Long, Float) and type(value) is kind.__base__:
        return kind(value)
    if kind is Char and isinstance(value, str) and len(value) == 1:
        return Char(value)
    if (kind, type(value)) == (int, Long) and -(2**31) <= value < 2**31:
        return int(value)
    raise NotALiteral(f"not a literal: a {type(value).__name__} in place of a {kind.__name__}")


@cache
def _find_type(literal: str) -> type[Any]:
    return type(read(literal).value)


def _get_class(form: ArgumentForm) -> str:
    """The class of a new object; empty for other forms."""
    return split_name(form.name.name)[1] if form.kind == "new" and isinstance(form.name, Type) else ""


def _fill_collection(form: ArgumentForm, value: Any) -> ArgumentForm:
    kind = _MADE.get(_get_class(form))
    if kind is dict and isinstance(value, dict):
        return ArgumentForm("new", form.name, (_call_map(form, value),) if value else ())
    if kind and isinstance(value, kind):
        return ArgumentForm("new", form.name, (_call_list(form, "Arrays.asList", value),) if value else ())
    if form.kind in ("array", "braces") and isinstance(value, list):
        return replace(form, parts=_fill_all(_list_inside(form), value))
    if form.kind == "call" and isinstance(value, dict):
        return _call_map(form, value)
    if form.kind == "call" and isinstance(value, set):
        return _call_list(form, "Set.of", value)
    if form.kind == "call":
        keeps = form.name == "Arrays.asList" or None in value
        return _call_list(form, "Arrays.asList" if keeps else "List.of", value)
    raise NotALiteral(f"not a literal: a {type(value).__name__} in place of another collection")


def _call_list(form: ArgumentForm, method: str, value: Collection[Any]) -> ArgumentForm:
    items = value if isinstance(value, list) else sorted(value, key=write)
    return ArgumentForm("call", method, _fill_all(_list_inside(form), items))


def _call_map(form: ArgumentForm, value: Mapping[Any, Any]) -> ArgumentForm:
    keys = _fill_all(_list_inside(form), [*value.keys()])
    items = _fill_all(_list_inside(form, 1), [*value.values()])
    if len(value) <= MOST_PAIRS:
        return ArgumentForm("call", "Map.of", tuple(chain.from_iterable(zip(keys, items, strict=True))))
    entries = (ArgumentForm("call", "Map.entry", pair) for pair in zip(keys, items, strict=True))
    return ArgumentForm("call", "Map.ofEntries", tuple(entries))


def _fill_all(samples: Sequence[ArgumentForm], values: Sequence[Any]) -> tuple[ArgumentForm, ...]:
    """Each value in the first form that has it."""
    return tuple(_fill_one(samples, value) for value in values)


def _fill_one(samples: Sequence[ArgumentForm], value: Any) -> ArgumentForm:
    for sample in samples:
        with suppress(NotALiteral):
            return fill(sample, value)
    if samples:
        raise NotALiteral(f"not a literal: a {type(value).__name__} in place of another item")
    return ArgumentForm("literal", write(value))


def _list_inside(form: ArgumentForm, place: int = 0) -> list[ArgumentForm]:
    """The forms of the items of a collection, each once; of a map those of its keys, or of its values at place 1."""
    parts, types = form.parts, form.name.arguments if isinstance(form.name, Type) else None
    if form.kind == "new":
        inside = [each for part in (*parts, *form.filling) for each in _list_inside(part, place)]
        inside += [_make_sample(types[place])] if types and place < len(types) else []
    elif form.name in ("Map.of", "Collections.singletonMap", "put"):
        inside = [*parts[place::2]]
    elif form.name == "Map.ofEntries":
        inside = [each.parts[place] for each in parts]
    elif form.kind == "array" and not parts and isinstance(form.name, Type):
        inside = [_make_sample(replace(form.name, dimensions=form.name.dimensions - 1))]
    else:
        inside = [*parts]
    return [*dict.fromkeys(inside)]


def _make_sample(kind: Type) -> ArgumentForm:
    """A form of the values of a type."""
    if kind.dimensions:
        return ArgumentForm("array", kind)
    _, name = split_name(kind.name)
    if name in _MADE:
        return ArgumentForm("new", kind)
    return ArgumentForm("literal", _LITERALS.get(name, "null"))
