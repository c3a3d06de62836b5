"""Builds the file system that jobs see: the interpreter, read-only, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from . import kernel

#: A job's working folder in namespaces: a file system of its own in memory. Each job mounts it at the same path, so
#: that one set of Landlock rules serves all jobs.
JOBS = "/job"
JOB = f"{JOBS}/own"
#: A visible file that no Landlock rule allows. A job that can read it shows that Landlock does not work.
DECOY = "/decoy"
#: Memory of ``/dev/zero`` that processes share stays after it is unmapped, and no limit counts it. So it is missing.
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")


def is_beneath(path: str, folder: str) -> bool:
    """Whether ``path`` lies somewhere in ``folder``."""
    return path.startswith(folder.rstrip("/") + "/")


def exclude_hidden(readable: Iterable[str], hidden: Iterable[str]) -> Iterator[str]:
    """The readable paths without the hidden ones. A folder that holds one is replaced by its other entries."""
    hidden = tuple(hidden)
    for path in readable:
        if path in hidden:
            continue
        if any(is_beneath(h, path) for h in hidden) and os.path.isdir(path):
            yield from exclude_hidden((os.path.join(path, name) for name in sorted(os.listdir(path))), hidden)
        else:
            yield path


def enter(place: str, readable: Iterable[str], hidden: Iterable[str]) -> None:
    """Builds the new root in the folder ``place`` and enters it. The process needs a namespace of mounts."""
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    wanted = {path for path in (*readable, *DEVICES) if os.path.exists(path)}
    outermost = [path for path in wanted if not any(is_beneath(path, other) for other in wanted)]
    descriptors = {path: os.open(path, os.O_PATH) for path in outermost}
    kernel.mount_memory(place, "mode=0755,size=1m")
    for path, descriptor in descriptors.items():
        target = place + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.islink(path):
            os.symlink(os.readlink(path), target)
        else:
            _bind(descriptor, path, target)
        os.close(descriptor)
    for path in hidden:
        if os.path.isdir(place + path):
            kernel.mount_memory(place + path, "size=4k,mode=0755", kernel.MS_RDONLY)
    os.makedirs(place + JOB)
    for link in ("/tmp", "/var/tmp"):
        os.makedirs(os.path.dirname(place + link), exist_ok=True)
        if not os.path.exists(place + link):
            os.symlink(JOB, place + link)
    with open(place + DECOY, "w") as file:
        file.write("decoy")
    kernel.mount("", place, flags=kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID)
    kernel.enter_root(place)


def _bind(descriptor: int, path: str, target: str) -> None:
    if os.path.isdir(path):
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    kernel.mount(f"/proc/self/fd/{descriptor}", target, flags=kernel.MS_BIND | kernel.MS_REC)
    device = 0 if path in DEVICES else kernel.MS_NODEV
    kernel.restrict_mount(target, kernel.MS_RDONLY | kernel.MS_NOSUID | device)
