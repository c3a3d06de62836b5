"""A copy of this project that every user may read, with a Python that every user may run."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest_codereason
from pytest_codereason.sandbox.keeper_process import NOBODY

PYTHON = "/usr/bin/python3"
SUITABLE = "import sys; sys.exit(sys.version_info < (3, 11))"


class Commons:
    """The copy. :meth:`run` runs a module of the copy as the user ``nobody``, or as the present user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in (Path(pytest_codereason.__file__).parent, Path(__file__).parents[1]):
            shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        # Whoever runs the copy may write no bytecode beside it, and would compile it anew each time.
        subprocess.run([PYTHON, "-c", "import tests.sandbox.hostile"], cwd=folder, check=True)
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)

    def run(self, module: str, *arguments: str, within: Sequence[str] = (), nobody: bool = True) -> Any:
        """The JSON that a module prints. ``within`` is a command that runs the command after it."""
        done = subprocess.run(
            [*within, PYTHON, "-B", "-m", module, *arguments],
            cwd=self.folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)},
            user=NOBODY if nobody else None,
            group=NOBODY if nobody else None,
            extra_groups=[] if nobody else None,
            capture_output=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)


def is_possible() -> bool:
    """Whether this machine has a Python that every user may run."""
    return bool(shutil.which(PYTHON)) and subprocess.run([PYTHON, "-c", SUITABLE], check=False).returncode == 0
