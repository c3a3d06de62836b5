"""Java: how a call is compiled and run, and how its value comes back."""

from __future__ import annotations

import shutil
import struct
from functools import cache
from pathlib import Path
from typing import Any

from pytest_codereason.core.execution import Harness
from pytest_codereason.languages._literals import bounded
from pytest_codereason.languages.java import tuples
from pytest_codereason.languages.java.numbers import single
from pytest_codereason.languages.java.values import Char, Long, Optional

_PACKAGE = "default-jdk-headless"
_VERSION = (17,)
#: A small machine that starts fast and keeps what it says off the program's standard output.
_TUNED = (
    "-Xshare:auto",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:+DisplayVMOutputToStderr",
    "-XX:CompressedClassSpaceSize=64m",
    "-XX:ReservedCodeCacheSize=48m",
    "-Dfile.encoding=UTF-8",
)


def _environment() -> dict[str, str]:
    """Where the machine's own libraries lie: without /proc it cannot find itself."""
    found = shutil.which("java")
    return {"LD_LIBRARY_PATH": str(Path(found).resolve().parents[1] / "lib")} if found else {}


@cache
def _compiler() -> Harness:
    here = Path(__file__).parent
    files = {name: (here / name).read_text() for name in ("Compiler.java", "Harness.java")}
    return Harness(
        interpreter="java",
        package=_PACKAGE,
        arguments=(*_TUNED, "-Xss8m", "-Xmx512m", "--add-opens", "java.base/java.io=ALL-UNNAMED", "Compiler.java"),
        files=files | tuples.sources(),
        environment=_environment(),
        minimum=_VERSION,
        idle_mb=2048,
    )


def harness(source: str, call: str) -> Harness:
    """How to evaluate ``call`` inside the class that declares what it calls; without a call, its ``main`` is run."""
    files = {"Program.java": source}
    return Harness(
        interpreter="java",
        package=_PACKAGE,
        # Assertions are on: a program's own test is to be heard.
        arguments=(*_TUNED, "-Xmx{memory_mb}m", "-ea", "-jar", "program.jar"),
        files={**files, "call": call} if call else files,
        environment=_environment(),
        minimum=_VERSION,
        idle_mb=1024,
        exhausted="insufficient memory for the Java Runtime|OutOfMemoryError",
        compiler=_compiler(),
    )


def decode(payload: Any) -> Any:
    """The value that the harness wrote.

    Raises:
        ValueError: it is nothing that the harness writes.
        NotALiteral: it holds an integer too large for a literal.
    """
    if payload is None or isinstance(payload, bool | int | str):
        return payload
    if isinstance(payload, list):
        return [decode(item) for item in payload]
    if isinstance(payload, dict) and len(payload) == 1:
        [(kind, inside)] = payload.items()
        try:
            return _decode(kind, inside)
        except (TypeError, struct.error) as error:
            raise ValueError(f"not a value of Java: {error}") from None
    raise ValueError(f"not a value of Java: {str(payload)[:80]}")


def _decode(kind: str, inside: Any) -> Any:
    value: Any
    match kind, inside:
        case "long", int():
            value = Long(inside)
        case "big", str():
            value = bounded(int(inside, 16))
        case "double", str():
            value = struct.unpack(">d", bytes.fromhex(inside.rjust(16, "0")))[0]
        case "float", str():
            value = single(struct.unpack(">f", bytes.fromhex(inside.rjust(8, "0")))[0])
        case "char", str():
            value = Char(inside)
        case "optional", [] | [_]:
            value = Optional(*map(decode, inside))
        case "tuple", list():
            value = tuple(map(decode, inside))
        case "set", list():
            value = set(map(decode, inside))
        case "map", list():
            value = {decode(key): decode(item) for key, item in inside}
        case _:
            raise ValueError(f"not a value of Java: {kind[:80]}")
    return value
