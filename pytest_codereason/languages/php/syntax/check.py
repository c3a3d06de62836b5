"""Checks a PHP program with PHP's compiler: in one lasting process, else by ``php -l``.

The process needs the extensions opcache and pcntl, which Debian's php-cli has. It forks for each program, which is
cheaper than a start of php. Neither way runs the program.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from pytest_codereason.errors import MissingInterpreter, SandboxError
from pytest_codereason.languages.php.syntax.tree import find_opening

#: What the two ways call the program.
_SOURCE = re.compile(r"source://program|Standard input code")
_COMPLAINT = re.compile(rf"(?:Parse|Fatal) error: +(.*?) in (?:{_SOURCE.pattern}) on line (\d+)", re.DOTALL)
#: No settings of the machine; ``<?`` alone opens nothing.
_SETTINGS = ("-n", "-d", "short_open_tag=0", "-d", "display_errors=1", "-d", "html_errors=0")
_OPCACHE = ("enable_cli=1", "memory_consumption=8", "interned_strings_buffer=2")
_SECONDS = 30


class _Process:
    """A php process that compiles the programs that it receives."""

    def __init__(self, php: str) -> None:
        settings = [word for setting in _OPCACHE for word in ("-d", f"opcache.{setting}")]
        script = str(Path(__file__).with_name("compiler.php"))
        self.owner = (os.getpid(), php)
        self._php = subprocess.Popen(
            [php, *_SETTINGS, "-d", "zend_extension=opcache", *settings, script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.works = self._read_line() == b"ready\n"

    def _read_line(self) -> bytes:
        assert self._php.stdout is not None
        return self._php.stdout.readline()

    def ask(self, text: bytes) -> str | None:
        """The answer of php about a program. ``None`` if the process has ended."""
        assert self._php.stdin is not None
        assert self._php.stdout is not None
        try:
            self._php.stdin.write(b"%d\n%b" % (len(text), text))
            self._php.stdin.flush()
            length = self._read_line()
            return self._php.stdout.read(int(length)).decode(errors="replace") if length.strip().isdigit() else None
        except OSError:
            return None

    def close(self) -> None:
        """Ends the process."""
        if self.owner[0] == os.getpid():
            with contextlib.suppress(OSError):
                self._php.communicate(timeout=1)
            self._php.kill()


_lock = threading.Lock()
_process: _Process | None = None


def _ask(php: str, text: bytes) -> str | None:
    global _process  # noqa: PLW0603
    with _lock:
        if _process is None or _process.owner != (os.getpid(), php):
            _process = _Process(php)
        if not _process.works:
            return None
        if (said := _process.ask(text)) is None:
            _process.close()
            _process = None
        return said


@atexit.register
def _end() -> None:
    if _process is not None:
        _process.close()


def check(source: str) -> str:
    """The complaint of php, empty if it accepts the program. The program is compiled, not run.

    Raises:
        MissingInterpreter: php is not installed.
        SandboxError: php did not answer.
    """
    try:
        text = (find_opening(source) + source).encode()
    except UnicodeEncodeError:
        return "holds half of a surrogate pair"
    return _find_complaint(text)


def _find_complaint(text: bytes) -> str:
    """The complaint of php with its line, empty if it accepts the program.

    Raises:
        MissingInterpreter: php is not installed.
        SandboxError: php did not answer.
    """
    if (php := shutil.which("php")) is None:
        raise MissingInterpreter("php is not installed: install php-cli")
    answer = _ask(php, text)
    return _read(_lint(php, text) if answer is None else answer)


def _read(answer: str) -> str:
    if answer == "accepted":
        return ""
    complaint = _COMPLAINT.search(answer)
    if complaint is None:
        return answer.strip() or "php gave no answer"
    return f"line {complaint[2]}: {_SOURCE.sub('the program', complaint[1])}"


def _lint(php: str, text: bytes) -> str:
    try:
        done = subprocess.run([php, *_SETTINGS, "-l"], input=text, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxError(f"php cannot check a program: {error}") from error
    return "accepted" if done.returncode == 0 else done.stdout.decode(errors="replace")
