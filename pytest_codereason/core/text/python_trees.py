"""Makes trees of texts of Python, in one thread at a time.

CPython before 3.13 mixes up threads that make trees at once: a deep text then gives a ``SystemError`` (gh-106905).
"""

from __future__ import annotations

import ast
import threading
from typing import Literal, overload

#: The errors of :func:`parse`: the text is none, has null bytes, or is too deep.
NO_TREE = (SyntaxError, ValueError, RecursionError, MemoryError)

#: CPython skips this mark at the beginning of a file, and refuses it at the beginning of a text.
BYTE_ORDER_MARK = "\ufeff"

_parsing = threading.Lock()


def hide_mark(text: str) -> str:
    """A file as a text that CPython takes. Three form feeds, which count for nothing, stand for the mark's three bytes.

    So every place in the tree is one of the file, because places are counted in bytes.
    """
    return text.replace(BYTE_ORDER_MARK, "\f\f\f", 1) if text.startswith(BYTE_ORDER_MARK) else text


@overload
def parse(text: str, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def parse(text: str, mode: Literal["eval"]) -> ast.Expression: ...
def parse(text: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """The tree of a text, of one expression if ``mode`` says so.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: See :data:`NO_TREE`.
    """
    text = hide_mark(text) if mode == "exec" else text
    with _parsing:
        try:
            return ast.parse(text, mode=mode)
        except SystemError:  # a thread that does not come this way made a tree at the same time
            return ast.parse(text, mode=mode)
