"""JavaScript: how a program is run by node."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pytest_codereason.core import Runner
from pytest_codereason.core.execution import Harness


@cache
def _harness() -> str:
    return Path(__file__).with_name("harness.js").read_text()


class JavaScriptRunner(Runner):
    """Runs programs of JavaScript by node."""

    def harness(self, source: str, call: str) -> Harness:
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
