"""Runs of pytest in the background."""

from __future__ import annotations

import subprocess
import sys

from tests.session.conftest import Project


def background(project: Project, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.Popen(
        command, cwd=project.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
