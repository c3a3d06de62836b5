"""Attacks the sandbox from inside, once a session, to find out which of its layers work."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_codereason.core.execution import Limits
from pytest_codereason.errors import SandboxError
from pytest_codereason.registry import language
from pytest_codereason.sandbox import outcome
from pytest_codereason.sandbox.keeper.view import DECOY

if TYPE_CHECKING:
    from pytest_codereason.sandbox.sandbox import Sandbox

#: This program runs in the sandbox. An attack that succeeds gives ``""``, a stopped one the name of the error.
ATTACKS = """
import errno, os, socket, time

def attempt(attack):
    try:
        attack()
        return ""
    except OSError as error:
        return errno.errorcode.get(error.errno, "timeout")

def read(path):
    with open(path, "rb") as file:
        file.read(1)

def write(path):
    with open(path, "wb") as file:
        file.write(b"x")

def connect(kind, port):
    with socket.socket(socket.AF_INET, kind) as end:
        end.settimeout(1)
        end.connect(("127.0.0.1", port))
        end.send(b"x")

def detach():
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.setsid()
    time.sleep(600)
    os._exit(0)

def attacks(parent, secret, outside, port, decoy):
    tried = {
        "environ": lambda: read(f"/proc/{parent}/environ"),
        "memory": lambda: read(f"/proc/{parent}/mem"),
        "kill": lambda: os.kill(parent, 0),
        "stat": lambda: os.stat(secret),
        "read": lambda: read(secret),
        "decoy": lambda: read(decoy),
        "write": lambda: write(outside),
        "tcp": lambda: connect(socket.SOCK_STREAM, port),
        "udp": lambda: connect(socket.SOCK_DGRAM, port),
        "socket": lambda: socket.socket().close(),
        "detach": detach,
    }
    return {name: attempt(attack) for name, attack in tried.items()}
"""


def find_holding_layers(sandbox: Sandbox) -> tuple[str, ...]:
    """The layers of ``sandbox`` that stopped every attack that they must stop.

    Raises:
        SandboxError: the sandbox does not start, or does not run the attacks.
    """
    with tempfile.TemporaryDirectory(prefix="codereason-") as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret, outside = Path(folder, "secret"), Path(folder, "outside")
        secret.write_text("secret")
        Path(folder).chmod(0o777)
        decoy = DECOY if "namespaces" in sandbox.layers else str(secret)
        call = f"attacks({os.getpid()}, {str(secret)!r}, {str(outside)!r}, {server.getsockname()[1]}, {decoy!r})"
        python, limits = language("python"), Limits(wall_s=30)
        ended = sandbox.execute(python.runner.harness({"attacks.py": ATTACKS}, "attacks.py", call), {}, "", limits)
        execution = outcome.judge_job(ended, limits, python.values.decode, "")
        if not execution.returned:
            raise SandboxError(f"the sandbox's self-test did not run ({execution.ending}: {execution.message})")
        stopped: dict[str, str] = execution.value
        wrote = outside.exists()
    return tuple(layer for layer in sandbox.layers if _does_hold(layer, stopped, wrote=wrote, left=ended.left))


def _does_hold(layer: str, stopped: dict[str, str], *, wrote: bool, left: bool) -> bool:
    if layer == "namespaces":  # files and processes outside must be missing, not refused
        alone = stopped["stat"] == "ENOENT" and stopped["kill"] == "ESRCH" and not left
        return alone and bool(stopped["tcp"] and stopped["udp"])
    if layer == "landlock":
        return stopped["decoy"] == "EACCES" and bool(stopped["read"] and stopped["write"]) and not wrote
    return stopped["socket"] == "EPERM"
