"""Steps through PHP programs by the debugger Xdebug, which tells over a socket what variables hold."""

from __future__ import annotations

import base64
import re
import socket
import struct
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

_EXTENSIONS = ("ctype", "iconv", "mbstring")
LOADED = "zend_extension=xdebug.so"
_MESSAGE = "{https://xdebug.org/dbgp/xdebug}message"
_DBGP = "{urn:debugger_protocol_v1}"
#: What is asked of the debugger before the first step.
_FEATURES = {"max_depth": 101, "max_children": 10_000, "max_data": 1_000_000, "extended_properties": 1}


class Stop(NamedTuple):
    """Where the debugger stands."""

    file: str  #: of the program
    line: int
    raised: bool  #: because an exception is thrown there
    held: Mapping[str, Any]  #: the variables, as the harness writes values, if they are looked at there


@cache
def is_installed() -> bool:
    """Whether PHP can load the debugger."""
    command = ["php", "-n", f"-d{LOADED}", "-dxdebug.mode=off", "-m"]
    try:
        return "Xdebug" in subprocess.run(command, check=False, capture_output=True, text=True, timeout=30).stdout
    except FileNotFoundError:
        return False


needs_debugger = pytest.mark.skipif(
    not is_installed(), reason="the debugger Xdebug is not installed: apt-get install php-xdebug"
)


def step_through(
    folder: Path, driver: str, looks: Mapping[tuple[str, int], Sequence[Collection[str]]]
) -> Iterator[Stop]:
    """Where the debugger stops in the files of a folder, before each statement, and where exceptions are thrown.

    Args:
        folder: The program.
        driver: The file that is run. Nothing is said of its own lines.
        looks: By file and line: the variables that are looked at, visit by visit.
    """
    left = {place: iter(names) for place, names in looks.items()}
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        settings = ["mode=debug", "start_with_request=yes", "client_host=127.0.0.1"]
        settings += [f"client_port={server.getsockname()[1]}", "log_level=0"]
        command = ["php", "-n", f"-d{LOADED}", *(f"-dxdebug.{each}" for each in settings), *list_extensions()]
        with subprocess.Popen(
            [*command, "-dzend.assertions=1", "-dshort_open_tag=0", driver],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                with server.accept()[0] as connection:
                    connection.settimeout(60)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    yield from _Session(connection, folder).step(driver, left)
            finally:
                process.kill()


class _Session:
    """A conversation with the debugger."""

    def __init__(self, connection: socket.socket, folder: Path) -> None:
        self._connection, self._waiting, self._number = connection, b"", 0
        self._root = folder.resolve().as_uri() + "/"

    def step(self, driver: str, left: Mapping[tuple[str, int], Iterator[Collection[str]]]) -> Iterator[Stop]:
        """Goes from statement to statement up to the end."""
        self._read()
        for name, value in _FEATURES.items():
            self._ask(f"feature_set -n {name} -v {value}")
        self._ask("breakpoint_set", "-t exception -x *")
        while True:
            answer = self._ask("step_into")
            where = answer.find(_MESSAGE)
            if answer.get("status") != "break" or where is None:
                return
            file, line = where.get("filename", ""), int(where.get("lineno", "0"))
            if not file.startswith(self._root) or file == self._root + driver:
                continue
            name, raised = file.removeprefix(self._root), where.get("exception") is not None
            names = next(left.get((name, line), iter(())), ()) if not raised else ()
            yield Stop(name, line, raised, self._look(names))

    def _look(self, names: Collection[str]) -> dict[str, Any]:
        found = {}
        for name in names:
            node = self._ask("property_get", f"-n ${name}").find(f"{_DBGP}property")
            if node is not None and _is_plain(node):
                found[name] = _read_value(node)
        return found

    def _ask(self, command: str, arguments: str = "") -> ET.Element:
        self._number += 1
        words = command.split(" ", 1)
        text = f"{words[0]} -i {self._number} {words[1] if len(words) > 1 else ''} {arguments}"
        self._connection.sendall(" ".join(text.split()).encode() + b"\0")
        return self._read()

    def _read(self) -> ET.Element:
        while self._waiting.count(b"\0") < 2:
            received = self._connection.recv(1 << 16)
            if not received:
                return ET.Element("end")
            self._waiting += received
        _, text, self._waiting = self._waiting.split(b"\0", 2)
        return ET.fromstring(text)


def list_extensions() -> list[str]:
    return [f"-dextension={name}.so" for name in _EXTENSIONS if (_find_extensions() / f"{name}.so").exists()]


@cache
def _find_extensions() -> Path:
    command = ["php", "-n", "-r", 'echo ini_get("extension_dir");']
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _read_name(node: ET.Element) -> bytes:
    """The name of a variable or key, which may be a part of its own, for the sake of its letters."""
    inner = node.find(f"{_DBGP}name")
    return base64.b64decode(inner.text or "") if inner is not None else node.get("name", "").encode()


def _is_plain(node: ET.Element) -> bool:
    return node.get("type") in ("null", "bool", "int", "float", "string", "array") and all(
        _is_plain(child) for child in node.findall(f"{_DBGP}property")
    )


def _read_value(node: ET.Element) -> Any:
    """A value as the harness writes it."""
    kind = node.get("type")
    if kind == "array":
        items = [(_read_key(child), _read_value(child)) for child in node.findall(f"{_DBGP}property")]
        assert len(items) == int(node.get("numchildren", "0"))
        if [key for key, _ in items] == list(range(len(items))):
            return [value for _, value in items]
        return {"array": [[key, value] for key, value in items]}
    if kind == "null":
        return None
    value = node.find(f"{_DBGP}value")
    text = (value.text if value is not None else node.text) or ""
    encoded = (value if value is not None else node).get("encoding") == "base64"
    data = base64.b64decode(text) if encoded else text.encode("utf-8")
    if kind == "string":
        return _read_text(data)
    if kind == "float":
        return {"float": struct.pack(">d", float(data)).hex()}
    return bool(int(data)) if kind == "bool" else int(data)


def _read_key(node: ET.Element) -> Any:
    key = _read_text(_read_name(node))
    number = re.fullmatch(r"0|-?[1-9]\d*", key) if isinstance(key, str) else None
    return int(key) if number and -(2**63) <= int(key) < 2**63 else key


def _read_text(data: bytes) -> Any:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"bytes": data.hex()}
