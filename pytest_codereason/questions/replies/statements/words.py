"""The words by which replies state a result, as patterns. ``words.toml`` lists them for each language of people."""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files

_TABLES: Mapping[str, Mapping[str, list[str]]] = tomllib.loads(
    files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)
#: Letters of scripts that write no blanks between words, or put endings onto them.
_UNBROKEN = re.compile(r"[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def join_words(words: Iterable[str]) -> str:
    """A pattern for any of the words in small letters, the longest first; whole words where blanks divide words.

    The pattern begins with the first letters, so that a search passes over most places at once.
    """
    grouped: dict[str, set[str]] = defaultdict(set)
    for word in words:
        grouped[word[0].lower()].add(word.lower())
    return "|".join(_join_group(first, group) for first, group in sorted(grouped.items()))


def _join_group(first: str, words: set[str]) -> str:
    rests = []
    for word in sorted(words, key=len, reverse=True):
        rest = re.escape(word[1:]).replace(r"\ ", r"[ \t]+")
        rests.append(rest + ("" if _UNBROKEN.match(word[-1]) or not word[-1].isalnum() else r"(?!\w)"))
    before = "" if _UNBROKEN.match(first) or not first.isalnum() else r"(?<!\w.)"
    return f"{re.escape(first)}{before}(?:{'|'.join(rests)})"


def lower(text: str) -> str:
    """``text`` in small letters, with every character in its place."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def list_words(kind: str) -> frozenset[str]:
    """All words of one kind, in small letters."""
    return frozenset(word.lower() for table in _TABLES.values() for word in table[kind])


def _join(kind: str) -> str:
    return join_words(list_words(kind))


LINKS, BEHIND, OTHERS = map(_join, ("links", "behind", "others"))


class Words:
    """Finds words in texts in small letters. A text of ASCII is searched for fewer words, which takes less time.

    ``beside`` is a pattern for what is found beside the words.
    """

    def __init__(self, words: Iterable[str], beside: str = "") -> None:
        words = list(words)
        self._any = re.compile(join_words(words) + beside)
        self._ascii = re.compile(join_words(word for word in words if word.isascii()) + beside)

    def list(self, text: str) -> Iterator[re.Match[str]]:
        """Where the words stand, in their order."""
        return (self._ascii if text.isascii() else self._any).finditer(text)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Where the first of the words stands in a part of a text."""
        return (self._ascii if text.isascii() else self._any).search(text, start, end)
