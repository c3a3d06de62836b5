"""The grammar and the words of Java."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser


_WORDS = """
    abstract assert boolean break byte case catch char class const continue default do double else enum extends false
    final finally float for goto if implements import instanceof int interface long native new null package private
    protected public return short static strictfp super switch synchronized this throw throws transient true try void
    volatile while _ exports module open opens permits provides record requires sealed to transitive uses var when
    with yield
"""
#: Words that nobody should choose as a name; some are words in certain places only.
WORDS = frozenset(_WORDS.split())


@cache
def make_parser() -> Parser:
    """The tree-sitter parser of Java."""
    import tree_sitter
    import tree_sitter_java

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
