"""PHP: how a program is run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pytest_codereason.core import Runner
from pytest_codereason.core.execution import Harness
from pytest_codereason.languages.php.syntax.tree import opening

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


class PHPRunner(Runner):
    """Runs programs of PHP."""

    def harness(self, source: str, call: str) -> Harness:
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
