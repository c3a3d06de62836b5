"""Programs in JavaScript, how their names are changed, and what they do."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from pytest_codereason.core.language.structure import Span
from pytest_codereason.languages.javascript import JavaScript
from tests.languages.renaming import list_renamed_uses

JAVASCRIPT = JavaScript()


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


#: Runs each program as the body of a function, as node does with a file, and prints what it threw or returned.
DRIVER = """
const programs = JSON.parse(require("fs").readFileSync(0));
const outcome = (program) => {
  try { return JSON.stringify(new Function("require", "console", program)(require, { log() {} })) ?? "undefined"; }
  catch (error) { return error.constructor.name; }
};
console.log(JSON.stringify(programs.map(outcome)));
"""


def outcomes(programs: list[str]) -> list[str]:
    process = subprocess.run(
        ["node", "-e", DRIVER], input=json.dumps(programs), capture_output=True, text=True, check=True
    )
    results: list[str] = json.loads(process.stdout)
    return results


def rename_all(source: str) -> str:
    """The program with every safe binding under a new name."""
    code = JAVASCRIPT.syntax.parse(source)
    names = code.taken
    changes: list[tuple[Span, str]] = []
    for binding in code.bindings:
        if not binding.unsafe:
            name = JAVASCRIPT.dialect.fresh("zz", names)
            names |= {name}
            changes += list_renamed_uses(binding, name)
    for span, text in sorted(changes, reverse=True):
        source = source[: span.start] + text + source[span.end :]
    return source
