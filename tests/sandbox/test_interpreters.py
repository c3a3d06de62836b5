"""Interpreters that are missing, too old, silent, or print rubbish: each is named, with what to install."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Harness, Limits, Run
from pytest_codereason.errors import MissingInterpreter
from pytest_codereason.sandbox import Sandbox, interpreters
from tests.sandbox import attacks
from tests.sandbox.conftest import in_tier


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Harness]:
    """A harness whose interpreter is a shell script with the text given."""

    def make(script: str) -> Harness:
        path = tmp_path / "fake"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        interpreters._probe_interpreter.cache_clear()
        return Harness(interpreter="fake", package="fake-runtime", arguments=(), files={}, minimum=(2, 1))

    return make


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo fake 1.9", "is version 1.9, which is too old: install fake-runtime 2.1 or later"),
        ("echo fake 2.1; exit 1", "prints no version: install fake-runtime"),
        ("head -c 3000 /dev/zero", "prints no version: install fake-runtime"),
        ("echo fake 2.1; yes 2.2", "prints no version: install fake-runtime"),
        ("yes 2.2 >&2", "prints no version: install fake-runtime"),
        ("head -c 65000 /dev/zero | tr '\\0' 9", "prints no version: install fake-runtime"),
        ("head -c 65000 /dev/zero | tr '\\0' 9; echo .1", "prints no version: install fake-runtime"),
    ],
)
def test_a_wrong_interpreter_is_named(script: str, complaint: str, command: Callable[[str], Harness]) -> None:
    with pytest.raises(MissingInterpreter, match=complaint):
        interpreters.find(command(script))


def test_a_version_stands_on_either_stream(command: Callable[[str], Harness]) -> None:
    assert interpreters.find(command("echo option 1.1 >&2; echo fake 3.0"))
    assert interpreters.find(command("echo fake v2.1.7-3 >&2"))


def test_an_interpreter_that_says_nothing_is_named(
    command: Callable[[str], Harness], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreters, "PATIENCE", 0.2)
    marker = f"{os.getpid()}.66"
    with pytest.raises(MissingInterpreter, match=r"does not start.*timed out"):
        interpreters.find(command(f"sleep {marker}"))
    while attacks.processes(marker):  # it was killed, and ends
        continue


def test_a_missing_interpreter_is_named() -> None:
    harness = Harness(interpreter="no-such-thing", package="thing", arguments=(), files={})
    with pytest.raises(MissingInterpreter, match="no-such-thing is not installed: install thing"):
        interpreters.find(harness)


@pytest.mark.parametrize("tier", attacks.TIERS)
def test_an_interpreter_that_prints_rubbish_tampers(
    tier: str, command: Callable[[str], Harness], sandboxes: dict[str, Sandbox]
) -> None:
    harness = command('[ "$1" = --version ] && echo 3.0 || echo rubbish >&3')
    job = in_tier(sandboxes, tier).execute(harness, {}, "", Limits())
    assert job.result == b"rubbish\n"


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo rubbish", r"node does not run an empty program \(.*printed 'rubbish'\): install nodejs"),
        ("exit 127", "ended with status 127.*install nodejs"),
    ],
)
def test_an_interpreter_that_runs_nothing_is_named(
    script: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "node").write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo v20.1.0; else {script}; fi\n')
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    run = Run.from_source(language="javascript", source="function f() { return 1; }", call="f()")
    with attacks.open_tier("processes") as sandbox, pytest.raises(MissingInterpreter, match=complaint):
        sandbox.run(run)


@pytest.mark.slow
def test_an_interpreter_that_hangs_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_codereason.sandbox.sandbox.PATIENT", Limits(wall_s=0.5))
    script = 'if [ "$1" = --version ]; then echo v20.1.0; else echo >> $0.starts; sleep 60; fi'
    (tmp_path / "node").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "node").chmod(0o755)
    (tmp_path / "node.starts").touch(0o666)
    (tmp_path / "node.starts").chmod(0o666)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    runs = [Run.from_source(language="javascript", source="function f() { return 1; }", call=f"f({n})") for n in (1, 2)]
    python = Run.from_source(language="python", source="def f(): return 1", call="f()")
    complaint = r"node hangs: it does not end an empty program within 0\.5 seconds\. No program of JavaScript is run"
    with attacks.open_tier("processes") as sandbox, ThreadPoolExecutor(4) as pool:
        tried = [pool.submit(sandbox.run, run) for run in runs for _ in range(4)]
        for future in tried:
            with pytest.raises(MissingInterpreter, match=complaint):
                future.result()
        assert sandbox.run(python).value == 1
    assert (tmp_path / "node.starts").read_text() == "\n"
