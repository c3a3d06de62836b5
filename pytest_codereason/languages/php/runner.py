"""PHP: how a call is run by php, and how its value comes back."""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.languages.php.tree import opening

#: Without a file of settings (``-n``): what a program does must not hang on the machine.
_ARGUMENTS = (
    "-n",
    "-ddisplay_errors=stderr",
    "-derror_reporting=-1",
    "-dhtml_errors=0",
    "-dlog_errors=0",
    "-dmemory_limit={memory_mb}M",
    "-dzend.assertions=1",
    "-dshort_open_tag=0",
    "harness.php",
)
_NAMESPACE = re.compile(r"^[ \t]*(?:<\?php\s+)?namespace\s+([\w\\]+)\s*[;{]", re.MULTILINE | re.IGNORECASE)


@cache
def _harness() -> str:
    return Path(__file__).with_name("harness.php").read_text()


def harness(source: str, call: str) -> Harness:
    """How to evaluate ``call`` in the scope, and in the namespace, of ``source``; ``<?php`` may be left out."""
    files = {"harness.php": _harness(), "program.php": opening(source) + source}
    if call:
        found = _NAMESPACE.search(source)
        files["call.php"] = f"<?php {f'namespace {found[1]}; ' if found else ''}return ({call}\n);"
    return Harness(
        interpreter="php",
        package="php-cli",
        arguments=_ARGUMENTS,
        files=files,
        minimum=(8, 1),
        idle_mb=256,
        exhausted="Allowed memory size of|Out of memory",
    )


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: it is nothing that the harness writes.
    """
    match payload:
        case None | bool() | int() | str():
            return payload
        case list():
            return [decode(item) for item in payload]
        case {"float": str(digits), **rest} if not rest and len(digits) == 16:
            return struct.unpack(">d", bytes.fromhex(digits))[0]
        case {"bytes": str(digits), **rest} if not rest:
            return bytes.fromhex(digits).decode("utf-8", "surrogateescape")
        case {"array": list(entries), **rest} if not rest:
            return dict(map(_entry, entries))
    raise ValueError(f"not a value of PHP: {str(payload)[:80]}")


def _entry(entry: Any) -> tuple[int | str, Any]:
    match entry:
        case [key, value] if isinstance(key := decode(key), int | str) and not isinstance(key, bool):
            return key, decode(value)
    raise ValueError(f"not an entry of an array: {str(entry)[:80]}")
