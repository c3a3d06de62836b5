"""A decoy copy of an interpreter's file: jobs read it, and can neither damage nor lock it."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Limits
from pytest_codereason.registry import language
from pytest_codereason.sandbox import Sandbox
from tests.sandbox.attacks import TIERS
from tests.sandbox.conftest import in_tier

pytestmark = pytest.mark.slow

DAMAGE = {
    "written": "open(path, 'w').write('x')",
    "written at its end": "open(path, 'a').write('x')",
    "cut": "os.truncate(path, 0)",
    "written by a mapping": "mmap.mmap(os.open(path, os.O_RDWR), 1)[0:1] = b'x'",
    "removed": "os.unlink(path)",
    "renamed": "os.rename(path, path + '.old')",
    "replaced": "open(path + '.new', 'w').close(), os.rename(path + '.new', path)",
    "in a new folder": "os.rename(os.path.dirname(path), os.path.dirname(path) + '.old')",
}
SOURCE = """
import fcntl, mmap, os, time
def f(path):
    length = len(open(path, 'rb').read())
    try:
        {attack}
    except OSError:
        pass
    return length
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every user may change. Each sandbox needs one keeper for it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.fixture
def decoy(place: Path) -> Path:
    """A whole copy of a file, which every user may write, in a folder that every user may change."""
    file = place / "lib" / "os.py"
    if (renamed := place / "lib.old").exists():  # keepers know the folder itself, not its name
        renamed.rename(file.parent)
    file.parent.mkdir(exist_ok=True)
    shutil.copyfile(os.__file__, file)
    file.parent.chmod(0o777)
    file.chmod(0o666)
    return file


def attack_decoy(attack: str, decoy: Path, sandbox: Sandbox) -> bool:
    """Runs an attack on a file that the interpreter reads. Whether the job has read the file."""
    call = f"f({str(decoy)!r})"
    harness = language("python").runner.harness({"main.py": SOURCE.format(attack=attack)}, "main.py", call)
    end = sandbox.execute(replace(harness, readable=(str(decoy.parent),)), {}, "", Limits())
    return end.result == b'{"value":%d}\n' % len(Path(os.__file__).read_bytes())


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("tier", TIERS)
def test_a_job_damages_no_file_of_its_interpreter(
    tier: str, name: str, decoy: Path, sandboxes: dict[str, Sandbox]
) -> None:
    assert attack_decoy(DAMAGE[name], decoy, in_tier(sandboxes, tier)), "the job cannot read the decoy"
    whole = decoy.exists() and decoy.read_bytes() == Path(os.__file__).read_bytes()
    assert whole == (tier != "processes"), "damaged" if tier != "processes" else "the attack does not bite"


LOCKS = {
    "flock": "fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX)",
    "a lock of a part": "fcntl.lockf(os.open(path, os.O_RDONLY), fcntl.LOCK_SH)",
    "a lock of an open file": "fcntl.fcntl(os.open(path, os.O_RDONLY), 38, bytes(32))",
    "a lease": "fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
}


def is_ever_locked(decoy: Path, job: Future[bool]) -> bool:
    """Whether anybody else holds a lock or a lease on a file before the job ends."""
    locked = False
    while not locked and not job.done():
        try:
            with open(os.open(decoy, os.O_RDWR | os.O_NONBLOCK)) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with open(decoy, "r+") as file:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            locked = True
    return locked


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("tier", TIERS)
def test_a_job_locks_no_file_of_its_interpreter(
    tier: str, name: str, decoy: Path, sandboxes: dict[str, Sandbox]
) -> None:
    sandbox = in_tier(sandboxes, tier)
    attack_decoy("pass", decoy, sandbox)  # starts the keeper: a process that is started meanwhile shares a lock
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(attack_decoy, f"{LOCKS[name]}, time.sleep(0.3)", decoy, sandbox)
        locked = is_ever_locked(decoy, job)
    if "seccomp" in tier:
        assert job.result(), "the job cannot read the decoy"
        assert not locked
    elif name != "a lease":  # only the owner of a file may take one
        assert locked, "the attack does not bite"
