"""Reads the lines that a reply names: ``{"line": 12}``. The time is linear in the reply.

The rules, in their order:

1. The last JSON object with a key ``line`` or ``lines`` counts, also within a block of code or other text.
2. Without such an object, the last place counts where the reply says ``line 12`` or ``lines 12, 7``.
3. Without such a place, the reply counts if it is one label and nothing else: ``12``.

A range, such as ``12-14``, is no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pytest_codereason.questions.replies.pieces.final_text import read_spoken
from pytest_codereason.questions.replies.pieces.look import read_plainly

#: The labels of lines, as patterns: their numbers, and six hexadecimal digits.
NUMBERS, KEYS = r"\d{1,9}", r"[0-9a-fA-F]{6}"
#: The keys of an answer, without what divides words.
_NAMES = frozenset({"line", "lines", "linenumber", "linenumbers", "faultyline", "faultylines", "faultylinenumber"})
#: What does not stand before ``line 12``: "line 7, not line 12".
_NOT_DENIED = "(?<!not )(?<!not in )(?<!not on )(?<!not at )"
_OBJECT = re.compile(r'\{\s*+"')
#: Objects that are tried, counted from the end of the reply, and the characters of one of them.
_MOST_OBJECTS, _MOST_CHARACTERS = 200, 20_000
#: Characters of a text without JSON that may be a lone label, and of a label within JSON.
_SHORT = 200
#: What may stand around a lone label: words, tags, a box.
_AROUND = re.compile(
    r"\A\W*(?:the )?(?:final )?answer(?: is)?[:\s*]+|[\[<]/?(?:answer|final_answer|output)[\]>]|\\boxed\{|\}\s*\Z",
    re.IGNORECASE,
)


class NamesRange(ValueError):
    """A reply names a range of lines where single lines are asked for."""


class _Float(float):
    """A number of JSON with a point or an exponent, and its text: ``123e45`` may be a label without quotes."""

    def __new__(cls, text: str) -> _Float:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str


class _Patterns(NamedTuple):
    said: re.Pattern[str]  #: ``line 12``, ``lines 12, 7``
    listed: re.Pattern[str]  #: ``12, 7``
    ranged: re.Pattern[str]  #: ``12-14``
    label: re.Pattern[str]


def read_lines(reply: str, label: str = NUMBERS, *, cut: bool = False) -> list[str] | None:
    """The labels of the lines that a reply names, in its order and each once; ``None`` if it names none.

    Args:
        label: the pattern of a label, :data:`NUMBERS` or :data:`KEYS`.
        cut: whether the reply was cut off. Only a JSON object, which has an end, is then an answer.

    Raises:
        NamesRange: the reply names a range.
    """
    text, patterns = read_plainly(read_spoken(reply)), _compile(label)
    for value in _find_values(text):
        return list(dict.fromkeys(_read_value(value, patterns))) or None
    if cut:
        return None
    said = None
    for match in patterns.said.finditer(text):
        said = match
    if said is not None:
        return _read_list(said["labels"], patterns)
    alone = _AROUND.sub("", text[:_SHORT]).strip(" \t\r\n`*_.\"'")
    return [alone] if len(text) < _SHORT and patterns.label.fullmatch(alone) else None


@lru_cache
def _compile(label: str) -> _Patterns:
    one = rf"(?<!\w)(?<!\d\.)(?:{label})(?![\w]|\.\d)"
    between = r"[\s`*_\"']*(?:,\s*(?:and|or)\b|,|&|\band\b|\bor\b|-|–|—|\bto\b|\bthrough\b|\.\.+)[\s`*_\"'#]*"
    listed = rf"{one}(?:{between}{one})*"
    said = re.compile(
        rf"{_NOT_DENIED}\blines?\b(?:\s+(?:numbers?|no\.?))?(?:\s+is)?[\s:=*_`#\"']*(?P<labels>{listed})", re.IGNORECASE
    )
    ranged = re.compile(rf"{one}[\s`*_\"']*(?:-|–|—|\bto\b|\bthrough\b|\.\.+)[\s`*_\"'#]*{one}", re.IGNORECASE)
    return _Patterns(said, re.compile(listed, re.IGNORECASE), ranged, re.compile(one))


def _find_values(text: str) -> Iterator[Any]:
    """What stands under the keys of an answer, the last object first."""
    starts = [match.start() for match in _OBJECT.finditer(text)][-_MOST_OBJECTS:]
    decoder, objects, end = json.JSONDecoder(parse_float=_Float), [], 0
    for start in starts:
        if start >= end:
            try:
                value, length = decoder.raw_decode(text[start : start + _MOST_CHARACTERS])
            except (ValueError, RecursionError):
                continue
            objects.append(value)
            end = start + length
    for value in reversed(objects):
        yield from _find_in(value)


def _find_in(value: dict[str, object]) -> Iterator[Any]:
    """The values of an answer in an object, else in the objects that it holds."""
    inner = []
    for key, part in value.items():
        if re.sub(r"[\W_]", "", key).lower() in _NAMES:
            yield part
        elif isinstance(part, dict):
            inner.append(part)
    for part in inner:
        yield from _find_in(part)


def _read_value(value: Any, patterns: _Patterns) -> list[str]:
    """The labels of a value of JSON: ``12``, ``"12"``, ``[12, 7]``, ``"12: return x"``."""
    if isinstance(value, list):
        return [label for item in value if not isinstance(item, list) for label in _read_value(item, patterns)]
    if isinstance(value, int) and not isinstance(value, bool):
        return [str(value)]
    if isinstance(value, _Float) and patterns.label.fullmatch(value.text):
        return [value.text]
    if isinstance(value, float) and value.is_integer():
        return [str(int(value))]
    if not isinstance(value, str):
        return []
    text = value[:_SHORT].strip()
    if said := patterns.said.match(text):
        return _read_list(said["labels"], patterns)
    listed = patterns.listed.match(text.lstrip(" `#L"))
    return _read_list(listed[0], patterns) if listed else []


def _read_list(text: str, patterns: _Patterns) -> list[str]:
    """The labels of ``12, 7 and 9``.

    Raises:
        NamesRange: it holds a range.
    """
    if patterns.ranged.search(text):
        raise NamesRange(text)
    return list(dict.fromkeys(patterns.label.findall(text)))
