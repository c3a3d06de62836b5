"""A shell that a test types in. To see what the commands of a page print: ``python -m tests.tutorials.shell PAGE``."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from tests.session.conftest import hide_matplotlib
from tests.tutorials.pages import Commands, File, read_steps
from tests.tutorials.vllm import SCRIPT

END = "what was typed has ended"
#: Of the machine that runs the tests, a reader's shell knows these alone.
INHERITED = ("HOME", "JAVA_HOME", "LANG", "TMPDIR")

#: The cache that holds the weights of the embedded model; ``None`` where tests may not use them.
GGUF = os.environ.get("CODEREASON_TEST_GGUF")
CACHE = Path(GGUF).parents[2] if GGUF and Path(GGUF).parents[1].name == "weights" else None


class Failed(Exception):
    """A command of a page ended with another exit code than 0."""


class Shell:
    """One bash in one folder: what a block exports, the next one knows.

    A command that fails ends the shell, unless the block itself goes on, as ``false || echo "exit code $?"`` does.

    Args:
        folder: where the reader types. Caches lie beside it.
        stand_ins: addresses on pages, and what stands in for them on this machine.
        charts: whether reports have charts, which take a third of the time.
    """

    def __init__(self, folder: Path, stand_ins: Mapping[str, str], *, charts: bool = False) -> None:
        self.folder = folder
        self._stand_ins = stand_ins
        self._charts = charts
        self._blocks = Path(tempfile.mkdtemp(dir=folder.parent))
        self._count = 0
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-e"],
            cwd=folder,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.kill()
        self._process.communicate()

    def _environment(self) -> dict[str, str]:
        hidden = {} if self._charts else {"PYTHONPATH": str(hide_matplotlib(self._blocks / "hidden"))}
        cache = self._blocks / "cache"
        cache.mkdir()
        for name in ("weights", "widened"):
            if CACHE and (CACHE / name).exists():
                (cache / name).symlink_to(CACHE / name)
        engine = self._blocks / "bin" / "vllm"
        engine.parent.mkdir()
        root = Path(__file__).parents[2]
        engine.write_text(SCRIPT.format(root=root, python=sys.executable))
        engine.chmod(0o755)
        return {
            **{name: os.environ[name] for name in INHERITED if name in os.environ},
            "CODEREASON_CACHE": str(cache),
            "COLUMNS": "80",
            "PATH": os.pathsep.join([str(engine.parent), str(Path(sys.executable).parent), os.environ["PATH"]]),
            **hidden,
        }

    def follow(self, page: str) -> Iterator[tuple[Commands, str]]:
        """Does what a page says: each block of commands with what it prints.

        Raises:
            Failed: a command failed.
        """
        for step in read_steps(page):
            match step:
                case File():
                    self._write(step)
                case Commands():
                    yield step, self.type(step.text)

    def _write(self, file: File) -> None:
        path = self.folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._stand_in(file.text), "utf-8")

    def type(self, text: str) -> str:
        """What the commands print.

        Raises:
            Failed: a command failed; with what was printed.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._count += 1
        block = self._blocks / f"{self._count}.sh"
        block.write_text(self._stand_in(text), "utf-8")
        self._process.stdin.write(f"source {block} </dev/null\necho; echo '{END}'\n")
        self._process.stdin.flush()
        lines: list[str] = []
        for line in self._process.stdout:
            if line == f"{END}\n":
                return self._take_back("".join(lines))
            lines.append(line)
        raise Failed(f"{text}\nends with exit code {self._process.wait()}:\n{self._take_back(''.join(lines))}")

    def _stand_in(self, text: str) -> str:
        for address, stand_in in self._stand_ins.items():
            text = text.replace(address, stand_in)
        return text

    def _take_back(self, text: str) -> str:
        for address, stand_in in self._stand_ins.items():
            text = text.replace(stand_in, address)
        return text


def main() -> None:
    """Prints the commands of a page, each block with what it prints."""
    from tests.tutorials.readers import open_endpoint

    with tempfile.TemporaryDirectory() as folder, open_endpoint() as stand_ins:
        home = Path(folder) / "home"
        home.mkdir()
        with Shell(home, stand_ins) as shell:
            for step, printed in shell.follow(Path(sys.argv[1]).read_text("utf-8")):
                print(f"$ {step.text}{printed}", flush=True)


if __name__ == "__main__":
    main()
