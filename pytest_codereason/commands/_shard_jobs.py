"""The commands of shards as text: for a shell, for hosts behind ssh, for Slurm, for Kubernetes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class ShardJob(NamedTuple):
    """One shard: the words of its command, where its records will lie, and the host that asks it."""

    words: tuple[str, ...]  #: of a command on this machine
    folder: str
    host: str | None

    @property
    def line(self) -> str:
        """The command as a line of a shell."""
        return shlex.join(self.words)


@dataclass(frozen=True, kw_only=True)
class Division:
    """A run that is divided into parts."""

    arguments: tuple[str, ...]  #: of pytest
    parts: int
    output: str  #: the folder of the joined run
    cwd: Path  #: where the commands run, the same on every host
    hosts: tuple[str, ...] = ()  #: behind ssh; none for this machine

    def name_folder(self, part: object) -> str:
        """The folder of a part, beside that of the joined run."""
        return f"{self.output}-{part}-of-{self.parts}"

    @property
    def folders(self) -> list[str]:
        """The folders of all parts."""
        return [self.name_folder(part) for part in range(1, self.parts + 1)]

    @property
    def merging(self) -> str:
        """The command that joins the parts."""
        return shlex.join(["codereason", "merge", *self.folders, "-o", self.output])

    def list_jobs(self, pytest: Sequence[str] = ("pytest",)) -> list[ShardJob]:
        """Each part as a job. Several hosts take turns.

        Args:
            pytest: how this machine starts pytest.
        """
        jobs = []
        for part in range(1, self.parts + 1):
            folder = self.name_folder(part)
            own = (*self.arguments, f"--eval-shard={part}/{self.parts}", f"--eval-report={folder}")
            host = self.hosts[(part - 1) % len(self.hosts)] if self.hosts else None
            there = f"cd {shlex.quote(str(self.cwd))} && exec {shlex.join(['pytest', *own])}"
            words = (*pytest, *own) if host is None else ("ssh", host, there)
            jobs.append(ShardJob(words, folder, host))
        return jobs

    def write_lines(self) -> str:
        """A command for each part, and the one that joins them: a script that runs all at once."""
        jobs = "".join(f"{job.line} &\n" for job in self.list_jobs())
        return f"{jobs}wait\n{self.merging}\n"

    def _write_line(self, part: str, shard: str) -> str:
        """The command of a part whose number the shell knows; ``shard`` is what ``--eval-shard`` gets."""
        folder = f"{shlex.quote(self.output)}-{part}-of-{self.parts}"
        return f"{shlex.join(['pytest', *self.arguments])} --eval-shard={shard} --eval-report={folder}"

    def write_slurm(self) -> str:
        """A script for ``sbatch``."""
        return (
            "#!/bin/bash\n"
            "#SBATCH --job-name=codereason\n"
            f"#SBATCH --array=1-{self.parts}\n"
            f"#SBATCH --chdir={self.cwd}\n"
            f"#SBATCH --output={self.output}-%a.log\n"
            f"{self._write_line('$SLURM_ARRAY_TASK_ID', 'slurm')}\n"
            f"# when all have ended: {self.merging}\n"
        )

    def write_kubernetes(self, image: str) -> str:
        """A job for ``kubectl apply -f -``. It expects a volume ``codereason`` and may have a secret of that name."""
        number = "$((JOB_COMPLETION_INDEX + 1))"
        line = self._write_line(number, f"{number}/{self.parts}")
        job = f"""apiVersion: batch/v1
kind: Job
metadata:
  name: codereason
spec:
  completions: {self.parts}
  parallelism: {self.parts}
  completionMode: Indexed
  template:
    spec:
      restartPolicy: OnFailure
      containers:
        - name: shard
          image: {json.dumps(image)}
          workingDir: /work
          command: ["bash", "-c", {json.dumps(line)}]
          env:
            - name: CODEREASON_CACHE  # the store of answers is on no network drive
              value: /cache
          envFrom:
            - secretRef:
                name: codereason
                optional: true
          volumeMounts:
            - name: work
              mountPath: /work
            - name: cache
              mountPath: /cache
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: codereason
        - name: cache
          emptyDir: {{}}
"""
        return f"{job}# when it has ended, in /work: {self.merging}\n"
