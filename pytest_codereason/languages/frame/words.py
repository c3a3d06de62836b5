r"""Patterns of whole words that are searched for in every program.

Before a pattern that begins with ``\b``, ``re`` tries every character of a text. So these patterns begin with the first
letter of a word, to which ``re`` goes at once, and then look back: ``if(?<!\wif)\b`` for ``\bif\b``.
"""

from __future__ import annotations

from collections.abc import Iterable


def match_words(words: Iterable[str], *, unless_behind: str = r"\w", then: str = r"\b") -> str:
    r"""A pattern of any of these words.

    Args:
        words: Plain words, without anything that has a meaning in a pattern.
        unless_behind: A pattern of one character. A word right behind such a character does not match.
        then: A pattern of what follows a word.
    """
    return "|".join(rf"{word}(?<!{unless_behind}{word}){then}" for word in words)
