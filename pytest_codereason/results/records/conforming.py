"""Checks values that were read from JSON by the type hints of the frozen values that they fill.

Example: ``run.json`` is damaged, and its ``cost`` is a text. The first sum over it would raise a ``TypeError``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

#: No count, age or sum of money is larger. A whole number beyond it may be no float.
_LARGEST = 2**63

Test = Callable[[Any], bool]


def check_fields(kind: Any, values: Mapping[str, Any], name: str = "") -> None:
    """Checks values by the type hints that a class has for their names. Other values are not looked at.

    Args:
        name: what the values belong to, for the message.

    Raises:
        ValueError: a value is something else than its hint says, or a number that nothing counts.
    """
    for field, test in _list_tests(kind):
        if field in values and not test(values[field]):
            raise ValueError(f"{name}{field} cannot be {values[field]!r:.60}")


@cache
def _list_tests(kind: Any) -> Sequence[tuple[str, Test]]:
    return [(name, _make_test(hint)) for name, hint in get_type_hints(kind).items() if hint is not Any]


def _make_test(hint: Any) -> Test:
    """What tells whether a value is of a hint."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: True
    if origin is Literal:
        return lambda value: isinstance(value, str | int | None) and value in arguments
    if origin in (Union, UnionType):
        plain = tuple(each for each in arguments if isinstance(each, type) and each not in (int, float))
        tests = [_make_test(each) for each in arguments if each not in plain]
        return lambda value: isinstance(value, plain) or any(test(value) for test in tests)
    if origin is tuple and arguments[-1] is not Ellipsis:
        parts = [*map(_make_test, arguments)]
        return lambda value: (
            isinstance(value, list | tuple)
            and len(value) == len(parts)
            and all(test(part) for test, part in zip(parts, value, strict=True))
        )
    if origin is Mapping:
        of_key, of_item = map(_make_test, arguments)
        return lambda value: (
            isinstance(value, Mapping) and all(map(of_key, value)) and all(map(of_item, value.values()))
        )
    if origin is not None:
        of_each = _make_test(arguments[0])
        return lambda value: isinstance(value, list | tuple | frozenset) and all(map(of_each, value))
    if hint in (int, float):
        kinds = int if hint is int else (int, float)
        # A float that is none or infinite is for those to refuse who know what it counts.
        return lambda value: (
            isinstance(value, kinds)
            and not isinstance(value, bool)
            and not (isinstance(value, int) and abs(value) >= _LARGEST)
        )
    return lambda value: isinstance(value, hint)
