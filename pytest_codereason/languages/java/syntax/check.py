"""Checks a Java program with other parsers."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

#: Seconds that the compiler may take to parse one program.
_PATIENCE = 60
_QUICK = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto")


def check(source: str) -> str:
    """The complaint of a second parser; empty if it accepts the program.

    If javalang, which knows only Java 8, refuses the program, javac decides. Without javac the refusal stands. Javac
    only parses; nothing of the program is run.
    """
    refusal = _check_with_javalang(source)
    if refusal and (javac := shutil.which("javac")):
        return _check_with_javac(javac, source)
    return refusal


def _check_with_javalang(source: str) -> str:
    from javalang.parse import parse
    from javalang.parser import JavaSyntaxError
    from javalang.tokenizer import LexerError

    try:
        parse(source)
    except JavaSyntaxError as error:
        return f"{error.description or 'cannot be parsed'} at {error.at}".replace("\n", " ")
    except (LexerError, StopIteration, TypeError, IndexError, AttributeError, RecursionError) as error:
        # Besides its own errors javalang fails like this on syntax that it does not expect.
        return f"cannot be parsed: {error}".replace("\n", " ")
    return ""


def _check_with_javac(javac: str, source: str) -> str:
    with tempfile.TemporaryDirectory(prefix="codereason-") as folder:
        path = Path(folder, "Program.java")
        path.write_bytes(source.encode("utf-8", "surrogatepass"))
        command = [javac, *_QUICK, "-proc:none", "-encoding", "UTF-8", "-XDshould-stop.ifNoError=PARSE", str(path)]
        try:
            parsed = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            return f"javac did not parse it in {_PATIENCE} s"
    if parsed.returncode == 0:
        return ""
    first = next(iter(parsed.stderr.splitlines()), "").partition("Program.java:")[2]
    return f"javac: line {first}" if first else "javac refuses it"
