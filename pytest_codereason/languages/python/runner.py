"""Says how Python programs are run."""

from __future__ import annotations

import sysconfig
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pytest_codereason.core import Package, Runner
from pytest_codereason.core.execution import Harness, SeveralCalls
from pytest_codereason.languages.frame.files import lay_out_files, read_beside

#: Nothing of the environment or of installed packages, bytecode or locale; the rest the sandbox decides.
ARGUMENTS = ("-s", "-S", "-P", "-B", "-X", "utf8", "main.py")


_SEVERAL = SeveralCalls(
    source="""
def codereason_all(*calls):
    ends = []
    for call in calls:
        try:
            ends.append(["value", call()])
        except Exception as error:
            ends.append(["error", type(error).__name__])
    return ends
""",
    whole="codereason_all({calls})",
    each="lambda: {}",
    exhausted={"RecursionError": "", "MemoryError": ""},
)


class PythonRunner(Runner):
    """Runs programs of Python in a process of their own."""

    several = _SEVERAL

    def list_code_folders(self) -> list[Path]:
        """The standard library."""
        return [Path(sysconfig.get_path("stdlib"))]

    def list_packages(self) -> list[Package]:
        """The standard library, called ``python``, and the packages beside this one."""
        from pytest_codereason.languages.python.packages import list_packages

        return list_packages(self.list_code_folders()[0])

    def harness(self, files: Mapping[str, str], entry: str, call: str) -> Harness:
        """How to run a program; modules are imported from its folder and from the folder of the entry."""
        has_name = len(files) > 1 or entry.endswith(".py")
        laid_out = lay_out_files(files, entry) if has_name else {}
        return Harness(
            interpreter="python3",
            package="python3",
            arguments=ARGUMENTS,
            files={
                "main.py": read_beside(__file__, "harness.py"),
                "program.py": files[entry],
                "call.py": call,
                **laid_out,
            },
            environment={"PYTHONHASHSEED": "0"},
            minimum=(3, 11),
            forkable="main.py",
            own=True,
            sealed=True,
        )

    def vary(self, harness: Harness, attempt: int) -> Harness:
        """How to run a program with another hash seed. Forks of the warm interpreter have its seed, so this is none."""
        return replace(harness, environment={**harness.environment, "PYTHONHASHSEED": str(attempt)}, forkable="")
