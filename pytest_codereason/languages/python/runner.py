"""Python: how a call is run, and how its value is read back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.languages._literals import bounded

#: Nothing of the environment or of installed packages, bytecode or locale; the rest the sandbox decides.
ARGUMENTS = ("-s", "-S", "-P", "-B", "-X", "utf8", "main.py")
MAX_DEPTH = 100


@cache
def _child() -> str:
    return Path(__file__).with_name("_child.py").read_text(encoding="utf-8")


def harness(source: str, call: str) -> Harness:
    """How to run ``call`` in the scope of a program."""
    return Harness(
        interpreter="python3",
        package="python3",
        arguments=ARGUMENTS,
        files={"main.py": _child(), "program.py": source, "call.py": call},
        environment={"PYTHONHASHSEED": "0"},
        minimum=(3, 11),
        forkable="main.py",
    )


def decode(payload: Any, depth: int = 0) -> Any:  # noqa: PLR0911
    """The value that the harness wrote.

    Raises:
        ValueError: it is nothing that the harness writes.
        NotALiteral: it holds an integer too large for a literal.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
    if isinstance(payload, list):
        return [decode(item, depth + 1) for item in payload]
    if not isinstance(payload, dict):
        return payload
    match list(payload.items()):
        case [("int", str(digits))]:
            return bounded(int(digits, 16))
        case [("float", "nan" | "inf" | "-inf" as word)]:
            return float(word)
        case [("bytes", str(digits))]:
            return bytes.fromhex(digits)
        case [("tuple", list(items))]:
            return tuple([decode(item, depth + 1) for item in items])
        case [("set" | "frozenset" as kind, list(items))]:
            members = [decode(item, depth + 1) for item in items]
            return _hashed(set if kind == "set" else frozenset, members)
        case [("dict", list(pairs))] if all(isinstance(p, list) and len(p) == 2 for p in pairs):
            return _hashed(dict, [(decode(k, depth + 1), decode(v, depth + 1)) for k, v in pairs])
    raise ValueError("not what the harness writes")


def _hashed(kind: Any, members: list[Any]) -> Any:
    try:
        return kind(members)
    except TypeError as error:
        raise ValueError(str(error)) from None
