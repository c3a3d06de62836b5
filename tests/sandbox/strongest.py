"""Prints the tier that ``auto`` chooses, and what a program gives in it: ``python -m tests.sandbox.strongest``."""

from __future__ import annotations

import json

from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import open_sandbox

if __name__ == "__main__":
    with open_sandbox() as sandbox:
        execution = sandbox.run(Run.from_source(language="python", source="def f(): return 1", call="f()"))
        print(json.dumps([sandbox.tier, execution.value]))
