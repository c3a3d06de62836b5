"""Says how node runs JavaScript programs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from pytest_codereason.core import Package, Runner
from pytest_codereason.core.execution import Harness, SeveralCalls
from pytest_codereason.core.reading import bounded
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.frame.files import FOLDER, lay_out_files, read_beside
from pytest_codereason.languages.javascript.packages import list_packages
from pytest_codereason.languages.javascript.syntax.tree import parse_source

_MODULE = re.compile(r"^[^\S\n]*(?:import\b(?!\s*[(.])|export\b)", re.MULTILINE)


_SEVERAL = SeveralCalls(
    source="""
function codereasonAll(...calls) {
    return calls.map((call) => {
        try {
            return ["value", call()];
        } catch (error) {
            return ["error", String(error?.constructor?.name), String(error?.message)];
        }
    });
}
""",
    whole="codereasonAll({calls})",
    each="() => ({})",
    exhausted={"RangeError": "call stack|Invalid string length|allocation failed"},
)


class JavaScriptRunner(Runner):
    """Runs programs of JavaScript by node."""

    several = _SEVERAL

    def list_code_folders(self) -> list[Path]:
        """The packages beside ``node``, and those that Debian installs."""
        node = shutil.which("node")
        beside = [Path(node).resolve().parent.parent / "lib" / "node_modules"] if node else []
        return [*beside, Path("/usr/share/nodejs")]

    def list_packages(self) -> list[Package]:
        """The packages in these folders, by their ``package.json``."""
        return list_packages(self.list_code_folders())

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program: as a CommonJS module, or as an ES module if it imports or exports.

        In a program of ES modules, files whose name ends in ``.js`` are ES modules too.
        """
        return self.lay_out(files, entry, call, module=is_module(entry, files[entry]))

    def lay_out(self, files: Mapping[str, str], entry: str, call: str, *, module: bool) -> Harness:
        """How to run a program that is, or is not, one of ES modules."""
        source = files[entry]
        laid_out = {"harness.js": read_beside(__file__, "harness.js")}
        if module:
            name = entry if entry.endswith((".js", ".mjs")) else f"{entry}.mjs"
            texts = {path: text for path, text in files.items() if path != entry}
            texts[name] = f"{source}\n;export const codereason$call = () => ({call}\n);" if call else source
            laid_out |= {f"{FOLDER}/package.json": '{"type": "module"}', **lay_out_files(texts, name), "module": ""}
        elif len(files) > 1 or entry.endswith((".js", ".cjs")):
            laid_out |= lay_out_files({**files, entry: _cut_shell_line(source)}, entry)
        else:
            laid_out["program.js"] = _cut_shell_line(source)
        if call:
            laid_out["call.js"] = call
        return Harness(
            interpreter="node",
            package="nodejs",
            arguments=("--max-old-space-size={memory_mb}", "harness.js"),
            files=laid_out,
            minimum=(18,),
            idle_mb=1536,
            sealed=True,
            exhausted="JavaScript heap out of memory|Fatal process (OOM|out of memory)",
            environment={"OPENSSL_CONF": "/dev/null"},  # node aborts where it may not read the system's
        )


def is_module(entry: str, source: str) -> bool:
    """Whether a program is one of ES modules: by the name of its entry, else by ``import`` or ``export`` in it."""
    if entry.endswith((".mjs", ".cjs")):
        return entry.endswith(".mjs")
    if not _MODULE.search(source):
        return False
    try:
        return _has_module_statement(source)
    except DoesNotParse:
        return False


@bounded("source")
def _has_module_statement(source: str) -> bool:
    statements = parse_source(source).root.named_children
    return any(node.type in {"import_statement", "export_statement"} for node in statements)


def _cut_shell_line(source: str) -> str:
    """The source with its ``#!`` line as a comment, because node accepts such a line only in its own files."""
    return f"//{source}" if source.startswith("#!") else source
