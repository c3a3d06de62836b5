"""What the witness reads in the codes of a program: which is which, and which body stands in which.

The harness loads this file before ``witness.py``, into the same names.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

#: Code that Python makes for itself. What it calls is called by the function or module in whose text it stands.
SILENT = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"}
GENERIC = "<generic parameters of "


def is_copy(code: CodeType, of: CodeType) -> bool:
    """Whether a code does what another does, as a copy with another name or flag."""
    if type(code.co_code) is not bytes or type(code.co_names) is not tuple or code.co_code != of.co_code:
        return False
    pairs = [(code.co_consts, of.co_consts), (code.co_names, of.co_names)]
    return all(len(mine) == len(its) and all(map(is_same, mine, its)) for mine, its in pairs)


def is_same(one: Any, other: Any) -> bool:
    """Whether two are one."""
    return one is other


def is_text(source: Any, text: str) -> bool:
    """Whether what is compiled is the text of a file."""
    plain = type(source)
    if plain is bytes:
        source = source.decode("utf-8", "surrogatepass")
    elif plain is not str:
        return False
    return normalize(source) == normalize(text)


def normalize(text: str) -> str:
    """A text without what reading a file may change."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_silent(code: CodeType) -> bool:
    """Whether Python made a code for itself, so that the codes within it belong to what is around it."""
    return code.co_name in SILENT or code.co_name.startswith(GENERIC)


def list_silent(code: CodeType) -> list[CodeType]:
    """The codes within a code that Python made for itself, at every depth, as far as no function is between."""
    found = []
    for inner in code.co_consts:
        if isinstance(inner, type(code)) and is_silent(inner):
            found += [inner, *list_silent(inner)]
    return found


def list_within(code: CodeType) -> list[CodeType]:
    """A code and all codes within it."""
    return [code, *(each for inner in code.co_consts if isinstance(inner, type(code)) for each in list_within(inner))]


def list_inside(code: CodeType) -> list[CodeType]:
    """The codes of functions, lambdas and classes directly within a code, in the order in which their bodies begin."""
    found = [inner for inner in code.co_consts if isinstance(inner, type(code)) and not is_silent(inner)]
    found += [inner for silent in list_silent(code) for inner in silent.co_consts if isinstance(inner, type(code))]
    return sorted((inner for inner in found if not is_silent(inner)), key=find_body)


def find_body(code: CodeType) -> tuple[int, int]:
    """The line and column where the body of a code begins."""
    places = [(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None]
    inside = [place for place in places if place[1] or place[0] > code.co_firstlineno]
    return min(inside or places or [(code.co_firstlineno, 0)])
