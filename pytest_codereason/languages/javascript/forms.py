"""Comments, prints and names of JavaScript, and the second parser that has a say about a program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

from pytest_codereason.errors import Refused
from pytest_codereason.languages.javascript.grammar import GLOBALS, RESERVED

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")
_MODULE = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)
#: Seconds after which node, which only parses, must have answered.
_PATIENCE = 20


def comment(text: str) -> str:
    """``//`` before every line."""
    if any("\ud800" <= c <= "\udfff" for c in text) or "\0" in text:
        raise Refused("a comment holds no NUL and no half of a surrogate pair")
    return "\n".join(f"// {line}".rstrip() for line in _LINE_END.split(text))


def print_statement(text: str) -> str:
    """A call of ``console.log`` with nothing but a string."""
    return f"console.log({json.dumps(text, ensure_ascii=not text.isprintable())});"


def fresh(stem: str, taken: frozenset[str]) -> str:
    """``stem``, or with a number behind it."""
    name, count = stem, 0
    while name in taken or name in RESERVED or name in GLOBALS:
        count += 1
        name = f"{stem}_{count}"
    return name


def check(source: str) -> str:
    """What esprima says, and where it says no, node: esprima stops at ECMAScript 2017."""
    module = bool(_MODULE.search(source))
    complaint = _esprima(source, module)
    return complaint and _node(source, module, complaint)


def _esprima(source: str, module: bool) -> str:
    import esprima

    try:
        (esprima.parseModule if module else esprima.parseScript)(source)
    except esprima.Error as error:
        return str(error)
    except RecursionError:
        return "nested too deep for esprima"
    return ""


def _node(source: str, module: bool, complaint: str) -> str:
    """What ``node --check`` says, which parses and runs nothing; without node, ``complaint`` stands."""
    node = shutil.which("node")
    if node is None:
        return complaint
    done = subprocess.run(
        [node, f"--input-type={'module' if module else 'commonjs'}", "--check", "-"],
        input=source.encode("utf-8", "surrogatepass"),
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode == 0:
        return ""
    errors = [line for line in done.stderr.decode(errors="replace").splitlines() if "Error" in line]
    return errors[0] if errors else complaint
