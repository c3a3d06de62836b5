"""What attacks reach for."""

from __future__ import annotations

import contextlib
import os
import socket
import sysconfig
from pathlib import Path

from pytest_codereason.sandbox import tiers


class Targets:
    """What attacks reach for: real files, and sockets on which somebody really listens.

    :meth:`list_reached` says afterwards what an attack has reached, whatever the attack itself says.
    """

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o777)
        secret = folder / "secret"
        secret.write_text("secret")
        self._outside = folder / "outside"
        self._interpreter = Path(os.__file__)
        self._bytes = self._interpreter.read_bytes()
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._abstract = socket.socket(socket.AF_UNIX)
        name = f"codereason-{os.getpid()}-{id(self):x}"
        self._abstract.bind(f"\0{name}")
        self._abstract.listen()
        for listener in (self._tcp, self._udp, self._abstract):
            listener.setblocking(False)
        self.values: dict[str, object] = {
            "parent": os.getpid(),
            "secret": secret,
            "outside": self._outside,
            "project": Path(tiers.__file__),
            "home": next((p for p in Path.home().glob(".*") if p.is_file()), secret),
            "packages": _installed_file() or secret,
            "port": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "abstract": name,
        }

    def fill_in(self, source: str) -> str:
        """A program with the names of the targets in place of ``{secret}`` and the like."""
        for name, value in self.values.items():
            source = source.replace(f"{{{name}}}", str(value))
        return source

    def list_reached(self) -> list[str]:
        """The targets that an attack has reached so far."""
        accepted = {
            "the TCP port": self._tcp.accept,
            "the UDP port": lambda: self._udp.recv(1),
            "the abstract socket": self._abstract.accept,
        }
        reached = []
        for name, accept in accepted.items():
            with contextlib.suppress(BlockingIOError):
                accept()
                reached.append(name)
        if self._outside.exists():
            reached.append("a file outside")
        if self._interpreter.read_bytes() != self._bytes:
            reached.append("the interpreter")
        return reached

    def __enter__(self) -> Targets:
        return self

    def __exit__(self, *error: object) -> None:
        for listener in (self._tcp, self._udp, self._abstract):
            listener.close()


def _installed_file() -> Path | None:
    """A file of an installed package, where the interpreter's own library holds packages."""
    folders = [Path(os.__file__).parent / "site-packages", Path(sysconfig.get_paths()["purelib"])]
    return next((path for folder in folders for path in sorted(folder.glob("*")) if path.is_file()), None)
