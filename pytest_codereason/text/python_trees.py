"""Makes trees of texts of Python, in one thread at a time.

CPython before 3.13 mixes up threads that make trees at once: a deep text then gives a ``SystemError`` (gh-106905).
"""

from __future__ import annotations

import ast
import threading
from typing import Literal, overload

#: The errors of :func:`parse`: the text is none, has null bytes, or is too deep.
NO_TREE = (SyntaxError, ValueError, RecursionError, MemoryError)

_parsing = threading.Lock()


@overload
def parse(text: str, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def parse(text: str, mode: Literal["eval"]) -> ast.Expression: ...
def parse(text: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """The tree of a text, of one expression if ``mode`` says so.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: See :data:`NO_TREE`.
    """
    with _parsing:
        try:
            return ast.parse(text, mode=mode)
        except SystemError:  # a thread that does not come this way made a tree at the same time
            return ast.parse(text, mode=mode)
