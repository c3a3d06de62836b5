"""Guesses from the name of a parameter what is given for it."""

from __future__ import annotations

import re

_KINDS = {
    "number": "n k m i j x y a b size count num number times width height length limit maxsize depth level step"
    " amount total seconds minutes days year month day value val base digits degree rank precision margin r",
    "start": "start from index idx offset position pos begin lo low lower min",
    "end": "end stop to hi high upper max",
    "iterable": "iterable sequence seq item it xs ys list lst element elements data array arr collection arg row values"
    " numbers items iterator src point obj number entry population pool series el els args coll props path keys",
    "mapping": "d dict mapping dic kwargs table attrs params options config obj object map opts spec source record",
    "callable": "func function fn f callback cb key predicate pred binop transform keyfunc valfunc reducefunc mapper op"
    " factory visit enter exit decorator wrapped compare comparator validator handler selector hook iteratee customizer"
    " accumulator interceptor resolver",
    "text": "s text string str word name line title message msg content pattern sep separator delimiter prefix suffix"
    " char chars label html xml ch substring source_text fmt token",
    "path": "filename filepath dir directory folder root",
    "flag": "flag strict reverse ignore_case verbose inclusive sort unique",
}
_BY_NAME = {word: kind for kind, words in reversed(_KINDS.items()) for word in words.split()}
_BY_NAME |= {"values": "iterable", "numbers": "iterable", "items": "iterable", "obj": "mapping", "funcs": "callable"}
_TESTS = frozenset("predicate pred validator".split())
_PAIRS = frozenset("binop op compare comparator reducefunc accumulator".split())


def guess_kind(name: str) -> str:
    """What is given for a parameter, by its name, or empty.

    ``chunk_size`` is a ``number``. A ``start`` is below an ``end``.
    """
    words = split_name(name)
    whole = "_".join(words)
    for word in (whole, whole.rstrip("s0123456789"), words[-1] if words else ""):
        if word in _BY_NAME:
            return _BY_NAME[word]
    return ""


def is_test(name: str) -> bool:
    """Whether a function of this name answers yes or no."""
    words = split_name(name)
    return bool(words) and (words[-1] in _TESTS or words[0] == "is")


def count_expected(name: str) -> int:
    """How many arguments a function of this name takes."""
    words = split_name(name)
    return 2 if words and words[-1] in _PAIRS else 1


def split_name(name: str) -> list[str]:
    """The words of a name: ``chunk`` and ``size`` of ``chunkSize`` and of ``chunk_size``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_$").split("_")
