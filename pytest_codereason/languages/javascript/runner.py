"""JavaScript: how a call is run by node, and how its value comes back."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.languages._literals import bounded
from pytest_codereason.languages.javascript.literals import UNDEFINED, BigInt, plain_number

_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


@cache
def _harness() -> str:
    return Path(__file__).with_name("harness.js").read_text()


def harness(source: str, call: str) -> Harness:
    """How to evaluate ``call`` in the module that ``source`` is; without a call the source is a script."""
    # A first line for the shell is none of the language's, except in a file that node itself opens.
    files = {"harness.js": _harness(), "program.js": f"//{source}" if source.startswith("#!") else source}
    return Harness(
        interpreter="node",
        package="nodejs",
        arguments=("--max-old-space-size={memory_mb}", "harness.js"),
        files={**files, "call.js": call} if call else files,
        minimum=(18,),
        idle_mb=1536,
        exhausted="JavaScript heap out of memory",
        environment={"OPENSSL_CONF": "/dev/null"},  # node aborts where it may not read the system's
    )


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: it is nothing that the harness writes.
        NotALiteral: it holds an integer too large for a literal.
    """
    value: Any
    match payload:
        case None | bool() | str():
            value = payload
        case int() | float():
            value = plain_number(payload)
        case list():
            value = [decode(item) for item in payload]
        case {"number": str(name), **rest} if not rest and name in _NUMBERS:
            value = _NUMBERS[name]
        case {"bigint": str(digits), **rest} if not rest:
            value = BigInt(bounded(int(digits, 16)))
        case {"undefined": True, **rest} if not rest:
            value = UNDEFINED
        case {"object": list(entries), **rest} if not rest:
            value = dict(map(_entry, entries))
        case _:
            raise ValueError(f"not a value of JavaScript: {str(payload)[:80]}")
    return value


def _entry(entry: Any) -> tuple[str, Any]:
    match entry:
        case [str(key), value]:
            return key, decode(value)
    raise ValueError(f"not an entry of an object: {str(entry)[:80]}")
