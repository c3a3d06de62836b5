"""Wrong but plausible arguments of a call, by rule: of the same types first, then what else is another call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pytest_codereason.core import Language
from pytest_codereason.core.draws import Draws
from pytest_codereason.errors import NotALiteral
from pytest_codereason.perturbations._wrong_values import slip, wrong_values

#: A literal of one value among arguments, in any of the languages.
_TOKEN = re.compile(
    r"""(?<![\w$])[bBrRuU]{0,2}(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)"""
    r"""|(?<![\w.$])(?:\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[lLfFdDn]?|[Tt]rue|[Ff]alse|TRUE|FALSE)(?![\w.])""",
    re.DOTALL,
)
#: Texts that are made in each way, of which some are the same; after so many, each has a slip more.
_TRIES, _GRACE = 16, 4


def wrong_inputs(lang: Language, text: str, draws: Draws, count: int) -> list[str]:
    """At most ``count`` texts of arguments that are not the arguments ``text``, and some that are not of their form.

    First come those with slips in their literals, which leaves their types alone, then those with slips in whole
    arguments or two of them exchanged, and last one argument too many and one too few. Whether a call with them
    returns something else is for whoever can run it to find out.
    """
    known = _values(lang, text)
    found: list[str] = []
    for made in (_with_other_literals(lang, text, draws), _with_other_arguments(lang, known, draws)):
        most = len(found) + count
        for other in made:
            values = _values(lang, other)
            differs = known is None or (values is not None and not lang.values.equal(values, known))
            if differs and other not in [text, *found] and len(found) < most:
                found.append(other)
    return [*found, *_of_another_number(lang, text, known)]


def _with_other_literals(lang: Language, text: str, draws: Draws) -> Iterator[str]:
    for turn in range(_TRIES):
        made = text
        for _ in range(1 + turn // _GRACE):
            made = _with_another_literal(lang, made, draws)
        yield made


def _with_another_literal(lang: Language, text: str, draws: Draws) -> str:
    tokens = list(_TOKEN.finditer(text))
    if tokens:
        token = draws.choice(tokens)
        with suppress(NotALiteral):
            for wrong in wrong_values(lang, lang.values.read(token[0]).value, draws, 1):
                return f"{text[: token.start()]}{lang.values.write(wrong)}{text[token.end() :]}"
    return text


def _with_other_arguments(lang: Language, known: list[Any] | None, draws: Draws) -> Iterator[str]:
    for turn in range(_TRIES if known else 0):
        made = tuple(known or ())
        for _ in range(1 + turn // _GRACE):
            made = slip(made, draws)
        with suppress(TypeError):
            yield _written(lang, [*made])


def _of_another_number(lang: Language, text: str, known: list[Any] | None) -> Iterator[str]:
    if known is None:
        yield f"{text}, {text}"
        return
    yield _written(lang, [*known, known[-1] if known else 0])
    if known:
        yield _written(lang, known[:-1])


def _values(lang: Language, text: str) -> list[Any] | None:
    """The arguments as values, ``None`` where they are no literals."""
    try:
        values = lang.values.read(f"[{text}]").value
    except NotALiteral:
        return None
    return values if isinstance(values, list) else None


def _written(lang: Language, values: list[Any]) -> str:
    return ", ".join(map(lang.values.write, values))
