"""Reads JSON into frozen values. An error names the key, what stands there, and what may stand there.

Example: the ``cost`` of a record is a text. :func:`decode` raises ``cost cannot be "much": a number or null may stand
there``.

The classes are plain dataclasses and msgspec reads their type hints. It is imported with the first value that is read,
so a session of pytest that reads no run never loads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import msgspec

T = TypeVar("T")
#: Names of an object and numbers in a list, the outermost first.
Place = tuple[str | int, ...]

_WORDS: Mapping[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "text",
    bool: "true or false",
    NoneType: "null",
    Mapping: "an object",
    dict: "an object",
}
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_FORMS: dict[Any, _Form] = {}
_BLANK = re.compile(r"[\s,:]*")


class Misfit(ValueError):
    """A value of JSON is none of its type. ``place`` says where in the value that was read."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place


def decode(kind: type[T], text: bytes | str) -> T:
    """The value of this type that a text of JSON holds.

    Keys that the type does not know are passed over, and a key that is missing has its default. So has a key that is
    ``null`` where null cannot stand, as earlier versions and other tools wrote it.

    Raises:
        Misfit: the JSON holds something else; names the key.
        ValueError: the text is no JSON.
        RecursionError: it is nested too deep.
    """
    import msgspec

    try:
        value: T = _find_decoder(kind).decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        # Python's own reader also takes what is no JSON and yet stands in records: NaN, and half of a surrogate pair.
        return _convert_filled(kind, json.loads(text))
    return value


def convert(kind: type[T], value: object) -> T:
    """The value of this type that plain values hold: dictionaries, lists, texts and numbers. As :func:`decode`.

    Raises:
        Misfit: they hold something else; names the key.
    """
    import msgspec

    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return _convert_filled(kind, value)


def _convert_filled(kind: type[T], value: object) -> T:
    """The value as :func:`convert` gives it, where null stands for a default."""
    import msgspec

    filled = _drop_nulls(kind, value)
    try:
        return msgspec.convert(filled, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        place, message = _explain(kind, filled, ())
        raise Misfit(place, message) from None


def find_line(text: str, place: Place) -> int:
    """The line of a text of JSON, from 1, on which the value at a place begins.

    A place that the text does not have gets the line of the innermost value around it: of a missing key that of its
    object, and of a key of ``null``, where an object was expected, that of the ``null``.
    """
    decoder, at = json.JSONDecoder(), _skip(text, 0)
    for key in place:
        if text[at] not in "{[":
            break
        start, number, at = at, 0, _skip(text, at + 1)
        while text[at] not in "]}":
            name: object = number
            if text[start] == "{":
                name, at = decoder.raw_decode(text, at)
                at = _skip(text, at)
            if name == key:
                break
            _, at = decoder.raw_decode(text, at)
            at, number = _skip(text, at), number + 1
        else:
            return text.count("\n", 0, start) + 1
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    """The place of the next sign that is no blank, comma or colon."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def spell_place(place: Place) -> str:
    """A place as people write it: ``suites.semtrace.metrics[0].name``."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place).removeprefix(".")


def _find_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    import msgspec

    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    return _DECODERS[kind]


class _Form(NamedTuple):
    """The fields of a class."""

    hints: Mapping[str, object]
    needed: Sequence[str]  #: those without a default
    nested: Mapping[str, object]  #: the hints of those that hold values with fields of their own


def _find_form(kind: Any) -> _Form:
    if kind not in _FORMS:
        hints = get_type_hints(kind)
        needed = (each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING)
        nested = {name: hint for name, hint in hints.items() if _has_fields(hint)}
        _FORMS[kind] = _Form(hints, tuple(needed), nested)
    return _FORMS[kind]


def _has_fields(hint: Any) -> bool:
    """Whether values of a type have fields, or hold such values."""
    return is_dataclass(hint) or any(map(_has_fields, get_args(hint)))


def _drop_nulls(hint: Any, value: Any) -> Any:
    """The value without nulls where null cannot stand. A field that may be null has null as its default."""
    if is_dataclass(hint) and value is None:
        return {}
    if isinstance(value, Mapping) and is_dataclass(hint):
        form = _find_form(hint)
        kept = {key: each for key, each in value.items() if each is not None or key in form.needed}
        return kept | {key: _drop_nulls(inner, kept[key]) for key, inner in form.nested.items() if key in kept}
    if isinstance(value, Mapping) and get_origin(hint) is Mapping:
        return {key: _drop_nulls(get_args(hint)[1], each) for key, each in value.items()}
    if isinstance(value, list | tuple) and get_args(hint):
        return [_drop_nulls(get_args(hint)[0], each) for each in value]
    return value


def _explain(hint: Any, value: Any, place: Place) -> tuple[Place, str]:
    """The innermost place at which a value is none of its type, and what is wrong there."""
    for key, part_hint, part in _list_parts(hint, value):
        if not _fits(part_hint, part):
            return _explain(part_hint, part, (*place, key))
    needed = [name for kind in _list_choices(hint) if is_dataclass(kind) for name in _find_form(kind).needed]
    if isinstance(value, Mapping) and (missing := [name for name in needed if name not in value]):
        return (*place, missing[0]), f"the key {spell_place((*place, missing[0]))!r} is missing"
    name = spell_place(place) or "the whole"
    return place, f"{name} cannot be {_show(value)}: {describe_type(hint)} may stand there"


def _show(value: Any) -> str:
    """The beginning of a value as JSON, so in printable ASCII."""
    try:
        return json.dumps(value)[:60]
    except (TypeError, ValueError, RecursionError):  # a part of a user's own has made it
        return ascii(value)[:60]


def _list_choices(hint: Any) -> Sequence[Any]:
    """The types of a union, else the type alone."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _fits(hint: Any, value: Any) -> bool:
    import msgspec

    try:
        msgspec.convert(value, hint)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _list_parts(hint: Any, value: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """The key, the hint and the value of each part of a value that is an object or a list where one may stand."""
    for each in _list_choices(hint):
        arguments = get_args(each)
        if is_dataclass(each) and isinstance(value, Mapping):
            yield from ((key, part, value[key]) for key, part in _find_form(each).hints.items() if key in value)
        elif get_origin(each) is Mapping and isinstance(value, Mapping):
            yield from ((key, arguments[1], part) for key, part in value.items())
        elif get_origin(each) in (Sequence, tuple, frozenset, list) and isinstance(value, list | tuple):
            alike = get_origin(each) is not tuple or arguments[-1] is Ellipsis
            of_each = [arguments[0]] * len(value) if alike else arguments
            yield from ((number, *part) for number, part in enumerate(zip(of_each, value, strict=False)))


def describe_type(hint: Any) -> str:
    """What may stand where a type is asked for: ``a number or null``."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _join(list(arguments))
    if origin in (Union, UnionType):
        kinds = (each for each in arguments if each is not int or float not in arguments)
        return _join(list(dict.fromkeys(map(describe_type, kinds))))
    return "an object" if is_dataclass(hint) else _WORDS.get(origin or hint, "a list")


def _join(choices: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))
