"""Says how PHP programs are run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pytest_codereason.core import Runner
from pytest_codereason.core.execution import Harness, SeveralCalls
from pytest_codereason.languages.frame.files import lay_out_files, read_beside
from pytest_codereason.languages.php.syntax.tree import find_opening

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


_SEVERAL = SeveralCalls(
    source="""
function codereason_all(...$calls) {
    $ends = [];
    foreach ($calls as $call) {
        try {
            $ends[] = ["value", $call()];
        } catch (Throwable $error) {
            $ends[] = ["error", get_class($error)];
        }
    }
    return $ends;
}
""",
    whole="codereason_all({calls})",
    each="fn() => {}",
)


class PHPRunner(Runner):
    """Runs programs of PHP."""

    several = _SEVERAL

    def list_code_folders(self) -> list[Path]:
        """The libraries that Debian installs."""
        return [Path("/usr/share/php")]

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program. The call is evaluated in the namespace of the entry. ``<?php`` may be missing."""
        source = files[entry]
        if len(files) == 1 and not entry.endswith(".php"):
            laid_out = {"program.php": find_opening(source) + source}
        else:
            laid_out = lay_out_files({path: _open(path, text) for path, text in files.items()}, entry)
        if call:
            declared = _NAMESPACE.search(source)
            namespace = f"namespace {declared[1]}; " if declared else ""
            laid_out["call.php"] = f"<?php {namespace}return ({call}\n);"
        return Harness(
            interpreter="php",
            package="php-cli",
            arguments=_ARGUMENTS,
            files={"harness.php": read_beside(__file__, "harness.php"), **laid_out},
            minimum=(8, 1),
            idle_mb=256,
            sealed=True,
            exhausted="Allowed memory size of|Out of memory",
        )


def _open(path: str, text: str) -> str:
    """A file as PHP reads it. Code gets an opening tag."""
    return find_opening(text) + text if path.endswith(".php") else text
