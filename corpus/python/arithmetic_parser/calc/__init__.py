"""Arithmetic in one line: ``evaluate("2 * (3 + x)", {"x": 1})``."""

from .errors import CalcError
from .grammar import Grammar
from .tokens import tokenize

__all__ = ["CalcError", "evaluate"]


def evaluate(text, names=None):
    return Grammar(list(tokenize(text)), names or {}).parse()
