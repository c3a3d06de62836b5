"""Fetches the last commit of a repository by the command ``git``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from pytest_codereason.errors import CodereasonError, UsageError

#: Seconds after which a repository counts as too large to fetch.
PATIENCE_S = 600.0
_ADDRESS = re.compile(r"(https?|ssh|git|file)://\S+|[\w.-]+@[\w.-]+:\S+")
#: Nothing of a repository runs: no hooks, no filters, no programs as transports. Links become files.
_SAFE = (
    "-c",
    "core.symlinks=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.ext.allow=never",
    "-c",
    "advice.detachedHead=false",
)


class CannotOpen(CodereasonError):
    """A repository cannot be read. The other repositories go on."""


def is_address(place: str) -> bool:
    """Whether a place is an address for git: ``https://github.com/owner/project``, ``git@host:project.git``."""
    return _ADDRESS.fullmatch(place) is not None


def clone(address: str, folder: Path) -> str:
    """Fetches the last commit into a folder, without history; gives the commit.

    Raises:
        CannotOpen: It cannot be fetched.
        UsageError: There is no git.
    """
    if shutil.which("git") is None:
        raise UsageError(f"{address}: install git, or fetch the repository elsewhere and name its folder")
    _run("clone", "--quiet", "--depth=1", "--single-branch", "--no-tags", "--", address, str(folder))
    commit = _run("-C", str(folder), "rev-list", "--max-count=1", "--all").strip()
    if not commit:
        raise CannotOpen("it has no commit")
    return commit


def _run(*arguments: str) -> str:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C"}
    try:
        ended = subprocess.run(
            ["git", *_SAFE, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CannotOpen(f"git has not ended after {PATIENCE_S:g} seconds") from error
    if ended.returncode:
        said = ended.stderr.decode("utf-8", "replace")
        why = re.search(r"(?m)^(?:fatal|error|ERROR): (.*)$", said)
        raise CannotOpen(f"git cannot fetch it: {(why[1] if why else ' '.join(said.split()))[:200]}")
    return ended.stdout.decode("utf-8", "replace")
