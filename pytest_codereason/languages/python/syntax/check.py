"""Checks a Python program with CPython's compiler."""

from __future__ import annotations

import warnings

from pytest_codereason.core.text.python_trees import hide_mark


def check(source: str) -> str:
    """The complaint of CPython's compiler, empty if it accepts the program. Nothing is run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(hide_mark(source), "<program>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        return str(error) or type(error).__name__
    return ""
