"""PHP: values as ``var_dump`` and ``print_r`` print them: ``int(42)``, ``Array ( [0] => 1 )``."""

from __future__ import annotations

import math
import re
from typing import Any

from pytest_codereason.core import Value
from pytest_codereason.errors import NotALiteral
from pytest_codereason.languages.frame.literals import check_size, count_level
from pytest_codereason.languages.frame.printed import PrintedReader

_SCALAR = re.compile(
    r"int\((?P<int>-?\d{1,20})\)|float\((?P<float>-?(?:[\d.]+(?:E[-+]?\d+)?|INF|NAN))\)|bool\((?P<bool>true"
    r"|false)\)|(?P<null>NULL)\b",
    re.IGNORECASE,
)
_STRING = re.compile(r'string\((\d{1,7})\) "')
_DUMPED, _DUMPED_END = re.compile(r"array\((\d{1,6})\) \{", re.IGNORECASE), re.compile(r"\}")
_DUMPED_KEY = re.compile(r'\[(?:(-?\d{1,19})|"([^"\n]*)")\]\s*=>')
_LISTED, _LISTED_END = re.compile(r"Array\s*\("), re.compile(r"\)")
_LISTED_KEY = re.compile(r"\[(?:(-?\d{1,19})|([^\]\n]*))\] => ?")
_LISTED_VALUE = re.compile(r"[^\n]*?(?=[ \t]*(?:\n|\Z|\)|[ \t]\[[^\]\n]*\] =>))")
_INTEGER, _FLOAT = re.compile(r"-?(?:0|[1-9]\d{0,18})"), re.compile(r"-?\d+\.\d+(?:E[-+]?\d+)?")
_MAY_BE_PRINTED = re.compile(r"\s*(?:int|float|bool|string|array)\s*\(|\s*NULL\s*\Z", re.IGNORECASE)


def may_be_printed(text: str) -> bool:
    """Whether a text begins as a printed value does."""
    return _MAY_BE_PRINTED.match(text) is not None


def read_printed(text: str) -> Value:
    """The value that is printed so. ``print_r`` prints ``1`` for a number and a string; the number is read.

    Raises:
        NotALiteral: PHP prints no value so.
    """
    reader = _Reader(text)
    value = reader.read_listed(0) if reader.take(_LISTED) else reader.read_dumped(0)
    reader.end()
    return Value(value)


class _Reader(PrintedReader):
    def read_dumped(self, depth: int) -> Any:
        """What ``var_dump`` prints."""
        depth = count_level(depth)
        if scalar := self.take(_SCALAR):
            return _read_scalar(scalar)
        if string := self.take(_STRING):
            return self._read_bytes(int(string[1]))
        self.expect(_DUMPED)
        elements: dict[int | str, Any] = {}
        while not self.take(_DUMPED_END):
            key = self.expect(_DUMPED_KEY)
            elements[int(key[1]) if key[1] else key[2]] = self.read_dumped(depth)
        return _make_array(elements)

    def _read_bytes(self, length: int) -> str:
        rest = self._text[self._at :]
        text = rest.encode("utf-8", "surrogatepass")[:length].decode("utf-8", "replace")
        self._at += len(text)
        if not rest.startswith(text) or self._text[self._at : self._at + 1] != '"':
            self.refuse()
        self._at += 1
        return text

    def read_listed(self, depth: int) -> Any:
        """What ``print_r`` prints behind ``Array (``."""
        depth = count_level(depth)
        elements: dict[int | str, Any] = {}
        while not self.take(_LISTED_END):
            key = self.expect(_LISTED_KEY)
            listed = self.take(_LISTED)
            value = self.read_listed(depth) if listed else _read_plain(self.expect(_LISTED_VALUE)[0])
            elements[int(key[1]) if key[1] else key[2]] = value
        return _make_array(elements)


def _read_scalar(scalar: re.Match[str]) -> Any:
    if scalar["int"]:
        return check_size(int(scalar["int"]))
    if scalar["float"]:
        try:
            return {"INF": math.inf, "-INF": -math.inf, "NAN": math.nan}.get(scalar["float"].upper()) or float(
                scalar["float"]
            )
        except ValueError:
            raise NotALiteral("not a number of the language") from None
    return scalar["bool"].lower() == "true" if scalar["bool"] else None


def _read_plain(text: str) -> Any:
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _make_array(elements: dict[int | str, Any]) -> Any:
    return list(elements.values()) if list(elements) == list(range(len(elements))) else elements
