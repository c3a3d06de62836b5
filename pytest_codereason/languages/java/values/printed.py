"""Java: values as ``toString`` prints them: ``{a=1, b=[x, y]}``, ``Optional[5]``, ``Point[x=1, y=2]``."""

from __future__ import annotations

import math
import re
from typing import Any

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import count_level
from pytest_codereason.languages.frame.printed import PrintedReader
from pytest_codereason.languages.java.values.data import Optional
from pytest_codereason.languages.java.values.reading import read

_LIST, _MAP, _OPTIONAL = re.compile(r"\["), re.compile(r"\{"), re.compile(r"Optional\[|Optional\.empty\b")
_RECORD = re.compile(r"[A-Z]\w*\[(?=\s*[a-z]\w*=)")
_COMMA, _EQUALS = re.compile(r","), re.compile(r"=")
_LIST_END, _MAP_END = re.compile(r"\]"), re.compile(r"\}")
#: What stands between the marks. A string is printed without quotes; a call or an operator is no string.
_PLAIN = re.compile(r"[^\s\[\]{}(),=\"'+*/<>|&;]++")
_TAG = re.compile(r"\[[A-Za-z]+\]")
_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def read_printed(text: str) -> Value:
    """The value that is printed so. Only what stands in brackets may lack its quotes.

    Raises:
        NotALiteral: Java prints no value so.
    """
    if _TAG.fullmatch(text.strip()):
        raise NotALiteral("a tag, or a list of one word")
    reader = _Reader(text)
    value = reader.read_group(0)
    reader.end()
    return Value(value)


class _Reader(PrintedReader):
    def read_group(self, depth: int) -> Any:
        depth = count_level(depth)
        if self.take(_RECORD):
            return self._read_entries(_LIST_END, depth)
        if optional := self.take(_OPTIONAL):
            if optional[0].endswith("empty"):
                return Optional()
            value = self._read_value(depth)
            self.expect(_LIST_END)
            return Optional(value)
        if self.take(_MAP):
            return self._read_entries(_MAP_END, depth)
        self.expect(_LIST)
        items: list[Any] = []
        while not self.take(_LIST_END):
            if items:
                self.expect(_COMMA)
            items.append(self._read_value(depth))
        return items

    def _read_entries(self, end: re.Pattern[str], depth: int) -> dict[Any, Any]:
        entries: dict[Any, Any] = {}
        while not self.take(end):
            if entries:
                self.expect(_COMMA)
            key = _read_word(self.expect(_PLAIN)[0].strip())
            self.expect(_EQUALS)
            entries[key] = self._read_value(depth)
        return entries

    def _read_value(self, depth: int) -> Any:
        plain = self.take(_PLAIN)
        if plain and self._text[self._at : self._at + 1] != "[":
            return _read_word(plain[0].strip())
        self._at = plain.start() if plain else self._at
        return self.read_group(depth)


def _read_word(word: str) -> Any:
    if word in _NUMBERS:
        return _NUMBERS[word]
    try:
        value = read(word)
    except NotALiteral:
        return word
    return word if value.unresolved else value.value
