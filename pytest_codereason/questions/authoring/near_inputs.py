"""Arguments near those of a call: of the same types, signs and letters, and about as long.

Example: near ``"banana", 4`` lie ``"nabana", 4``, ``"banan", 4`` and ``"banana", 7``. Languages agree on such values;
they part at corners: whole numbers overflow, a remainder of a negative number has another sign, texts are empty.
Near an empty text lie short words. Nothing lies near an empty list: nobody knows what it may hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pytest_codereason.changes.perturbations._wrong_values import draw_slip, has_type_of
from pytest_codereason.core import Language, derive_seed
from pytest_codereason.core.random_draws import Draws
from pytest_codereason.errors import NotALiteral

#: Draws for each argument on its own.
_EACH = 8
#: Draws of all arguments together.
_TOGETHER = 4
#: What a word near an empty text is made of.
_LETTERS = "abc"
#: The most changes that :func:`list_drifted_inputs` makes of one text.
_DRIFT = 8
#: Raised whenever the same call gets other inputs.
VERSION = 2


def list_near_inputs(lang: Language, arguments: Sequence[str]) -> list[tuple[str, ...]]:
    """Other arguments, as literals: each parameter changed on its own, then all together. Equal in every process."""
    try:
        values = [lang.values.read(text).value for text in arguments]
    except NotALiteral:
        return []
    draws = Draws(derive_seed(0, "near inputs", VERSION, lang.name, ", ".join(arguments)))
    several = [
        [*values[:place], _draw_near(value, draws), *values[place + 1 :]]
        for place, value in enumerate(values)
        for _ in range(_EACH)
    ]
    several += [[_draw_near(value, draws) for value in values] for _ in range(_TOGETHER)]
    try:
        own, *others = (
            tuple(lang.values.write_arguments([value], like) for value, like in zip(one, arguments, strict=True))
            for one in [values, *several]
        )
    except (NotALiteral, TypeError, ValueError):
        return []
    return [texts for texts in dict.fromkeys(others) if texts != own]


def list_drifted_inputs(lang: Language, text: str, count: int) -> list[str]:
    """At most ``count`` texts of other arguments, each some changes away. Equal in every process.

    A change is near, or a slip: a number is off by one, an item there twice. So lists grow and get shorter, and values
    drift away from those of the call. Types stay, except of what is alone of its type.

    Args:
        text: the arguments as a call has them.
    """
    try:
        known = lang.values.read_arguments(text)
    except NotALiteral:
        return []
    if any(known.names) or not known.values:
        return []
    draws = Draws(derive_seed(0, "drifted inputs", VERSION, lang.name, text))
    found = dict[str, None]()
    for turn in range(count):
        values = [*known.values]
        with suppress(NotALiteral, TypeError, ValueError):
            for _ in range(1 + turn % _DRIFT):
                place = draws.below(len(values))
                changed = draws.choice((_draw_near, draw_slip))(values[place], draws)
                if has_type_of(changed, values[place]):
                    values[place] = changed
            found[lang.values.write_arguments(values, text)] = None
    return [other for other in found if other not in (text, known.text)]


def _draw_near(value: Any, draws: Draws) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            sign, most = (-1 if value < 0 else 1), max(int(min(abs(value), 1e6)), 9)
            part = abs(value) % 1 if isinstance(value, float) else 0
            return type(value)(sign * (1 + draws.below(most) + part)) if value else value + draws.below(most)
        case str() if type(value) is str:
            return "".join(_draw_order([*(value or _LETTERS)], draws))
        case list() if value:
            items = _draw_order(value, draws)
            place = draws.below(len(items))
            return [*items[:place], _draw_near(items[place], draws), *items[place + 1 :]]
        case tuple() if value:
            place = draws.below(len(value))
            return (*value[:place], _draw_near(value[place], draws), *value[place + 1 :])
        case dict() if value:
            key = [*value][draws.below(len(value))]
            return {**value, key: _draw_near(value[key], draws)}
    return value


def _draw_order(items: list[Any], draws: Draws) -> list[Any]:
    """Items in another order: one may be missing and one may stand twice."""
    left = [*items]
    mixed = [left.pop(draws.below(len(left))) for _ in items]
    match draws.below(3):
        case 0 if len(mixed) > 1:
            return mixed[1:]
        case 1:
            return [*mixed, mixed[draws.below(len(mixed))]]
    return mixed
