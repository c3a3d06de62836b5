"""Runs llama.cpp in a process of its own and talks to it.

A crash of the engine is an error of this run, and no crash of it. While weights are loaded or a prompt is computed, the
event loop is free, so Ctrl-C ends a run at once. The process ends with its input, so nothing stays behind whichever of
the two is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from pytest_codereason.errors import FatalModelError, ModelError, UsageError

if TYPE_CHECKING:
    import aiohttp

#: What llama.cpp replies to a request, as JSON.
Reply = dict[str, Any]
SERVING = Path(__file__).with_name("serving.py")
#: Bytes of the engine's output that are kept for a message, and lines of it that are shown.
_MOST_SAID, _SHOWN = 4_000, 2
#: What stands before a message: ``0.00.138.105 E llama_model_load: ``.
_PLACE = re.compile(r"^[\d.]+ [A-Z] (\w+ +)?\w+: ")
_END_S = 5.0  #: an engine that has broken a connection has so many seconds to end


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """What an engine is started with."""

    path: str  #: of the GGUF file
    context: int  #: tokens of prompt and answer
    chunk: int  #: tokens of a prompt that are computed together
    threads: int
    flash: bool  #: whether attention may be computed in parts, which is faster and rounds otherwise


class EngineProcess:
    """A running engine; :meth:`start` makes one."""

    def __init__(self, process: subprocess.Popen[bytes], log: IO[bytes], address: str, key: str) -> None:
        self._process, self._log = process, log
        self._address, self._key = address, key
        self._session: aiohttp.ClientSession | None = None

    @classmethod
    async def start(cls, settings: EngineSettings) -> EngineProcess:
        """Loads the weights in a new process.

        Raises:
            UsageError: llama.cpp cannot load them, with its own words.
        """
        log, key = tempfile.TemporaryFile(), secrets.token_hex(16)  # noqa: SIM115  # the engine's end closes it
        process = subprocess.Popen(
            [sys.executable, "-P", str(SERVING)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for this process, which ends the engine
        )
        try:
            line = await _run_in_daemon(_introduce, process, json.dumps({**asdict(settings), "key": key}))
        except BaseException:
            _end(process, log)
            raise
        told = json.loads(line) if line else {}
        if "address" not in told:
            process.wait()
            # The first error is the cause of the others.
            reason = "; ".join(_read_log(log)[:_SHOWN]) or told.get("error") or _describe_end(process)
            _end(process, log)
            raise UsageError(reason)
        return cls(process, log, told["address"], key)

    async def post(self, path: str, body: object) -> Reply:
        """The engine's reply.

        Raises:
            FatalModelError: the engine has ended.
            ModelError: it refuses the request.
        """
        import aiohttp

        if self._session is None:
            # The server ends a connection that was idle for five seconds, and a request that has just been written to
            # it would be lost. So each request has a connection of its own.
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(force_close=True),
                headers={"Authorization": f"Bearer {self._key}"},
                timeout=aiohttp.ClientTimeout(total=None),
            )
        try:
            async with self._session.post(self._address + path, json=body) as response:
                reply: Reply = await response.json()
        except (aiohttp.ClientError, OSError) as error:
            raise await self._explain(error) from error
        if response.status >= 400:
            message = reply.get("error", {}).get("message") or response.status
            raise ModelError(f"llama.cpp refuses the request: {message}")
        return reply

    def post_now(self, path: str, body: object) -> Reply:
        """The engine's reply, for a caller that cannot await one; only for what takes a millisecond.

        Raises:
            FatalModelError: there is none.
        """
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            with urlopen(Request(self._address + path, json.dumps(body).encode(), headers)) as response:
                reply: Reply = json.load(response)
        except OSError as error:
            raise FatalModelError(f"the engine llama.cpp gives no answer: {error}") from error
        return reply

    async def close(self) -> None:
        """Ends the process."""
        session, self._session = self._session, None
        _end(self._process, self._log)
        if session is not None:
            await session.close()

    async def _explain(self, error: Exception) -> ModelError:
        """The error for a broken connection: why the engine has ended, in its last words."""
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(self._process.wait, _END_S)
        if self._process.returncode is None:
            return ModelError(f"llama.cpp gives no answer: {error}")
        said = "" if self._log.closed else "; ".join(_read_log(self._log)[-_SHOWN:])
        return FatalModelError(f"the engine llama.cpp {_describe_end(self._process)}" + (f": {said}" if said else ""))


async def _run_in_daemon(function: Any, *args: Any) -> Any:
    """The result of a function that a thread runs for which nobody waits: a run that is interrupted ends at once."""
    import threading

    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def work() -> None:
        result = function(*args)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(lambda: None if future.done() else future.set_result(result))

    threading.Thread(target=work, daemon=True).start()
    return await future


def _introduce(process: subprocess.Popen[bytes], settings: str) -> bytes:
    """Sends the settings to a new engine; gives its first line, empty if it has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(settings.encode() + b"\n")
        process.stdin.flush()
        return process.stdout.readline()
    except (OSError, ValueError):  # it has ended, or this process has ended it
        return b""


def _end(process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, log):
        assert stream is not None
        with suppress(OSError):
            stream.close()


def _read_log(log: IO[bytes]) -> list[str]:
    """The last lines that the engine wrote, without llama.cpp's clock and the names of its functions."""
    log.seek(0, os.SEEK_END)
    log.seek(max(0, log.tell() - _MOST_SAID))
    lines = (_PLACE.sub("", line).strip() for line in log.read().decode("utf-8", "replace").splitlines())
    return list(dict.fromkeys(line for line in lines if line))


def _describe_end(process: subprocess.Popen[bytes]) -> str:
    code = process.returncode
    if code == -9:
        return "was killed (signal 9), as the system does where memory runs out"
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
