"""Running programs nobody vouches for, and getting what came of it back as data."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from pytest_codereason.errors import MissingInterpreter
from pytest_codereason.execution import Execution, Run
from pytest_codereason.registry import language

Mode = Literal["auto", "require", "off"]

__all__ = ["Mode", "Sandbox", "open_sandbox"]


def open_sandbox(mode: Mode = "auto") -> Sandbox:
    """A sandbox in the strongest tier that the machine offers.

    Raises:
        UsageError: ``require``, and the machine offers no namespaces.
    """
    return Sandbox("off" if mode == "off" else "processes", ("process",))


class Sandbox:
    """Runs programs. Safe to share between threads."""

    def __init__(self, tier: str, layers: tuple[str, ...]) -> None:
        self.tier = tier
        self.layers = layers

    def run(self, run: Run) -> Execution:
        """Runs one program and waits for its end.

        Raises:
            SandboxError: it could not be run at all.
            MissingInterpreter: its interpreter is missing, too old, or answers nonsense.
        """
        spoken = language(run.language)
        harness = spoken.harness(run.source, run.call)
        command = sys.executable if harness.interpreter == "python3" else shutil.which(harness.interpreter)
        if command is None:
            raise MissingInterpreter(f"{harness.interpreter} is not installed: install {harness.package}")
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="codereason-") as folder:
            for name, text in harness.files.items():
                Path(folder, name).write_bytes(text.encode("utf-8", "surrogatepass"))
            environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"}
            environment |= harness.environment
            read, write = os.pipe()
            environment["CODEREASON_RESULT"] = str(write)
            arguments = [a.replace("{memory_mb}", str(run.limits.memory_mb)) for a in harness.arguments]
            try:
                if harness.compile:
                    compiled = subprocess.run(
                        harness.compile, cwd=folder, env=environment, capture_output=True, text=True, check=False
                    )
                    if compiled.returncode:
                        return Execution(ending="rejected", message=compiled.stdout + compiled.stderr, tier=self.tier)
                process = subprocess.Popen(
                    [command, *arguments],
                    cwd=folder,
                    env=environment,
                    pass_fds=[write],
                    start_new_session=True,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="backslashreplace",
                )
            finally:
                os.close(write)
            limit: Literal["", "time"] = ""
            try:
                out, err = process.communicate(run.stdin, timeout=run.limits.wall_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                limit = "time"
            with os.fdopen(read, "rb") as channel:
                lines = channel.read().splitlines()
        seen: dict[str, Any] = {
            "stdout": out,
            "stderr": err,
            "tier": self.tier,
            "wall_s": time.perf_counter() - started,
        }
        if limit:
            return Execution(ending="limit", limit=limit, **seen)
        if len(lines) != 1 or process.returncode:
            return Execution(ending="tampered", message=f"ended with status {process.returncode}", **seen)
        answer = json.loads(lines[0])
        if "value" in answer:
            return Execution(ending="returned", value=spoken.decode(answer["value"]), **seen)
        if "error" in answer:
            ending: Literal["limit", "raised"] = "limit" if answer.get("limit") else "raised"
            return Execution(
                ending=ending,
                error=answer["error"],
                message=answer["message"],
                limit=answer.get("limit", ""),
                **seen,
            )
        word: Literal["rejected", "tampered"] = "rejected" if "rejected" in answer else "tampered"
        return Execution(ending=word, message=answer[word], **seen)

    def run_all(self, runs: Iterable[Run], workers: int | None = None) -> Iterator[Execution]:
        """Runs programs side by side; their ends come in the order of ``runs``."""
        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            yield from pool.map(self.run, runs)

    def close(self) -> None:
        """Ends every process that it started."""

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
