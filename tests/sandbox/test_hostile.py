"""Every hostile program, in every tier, as the user who runs the tests and as nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.sandbox import Sandbox, outcome
from tests.examples import mostly_slow, take_every
from tests.sandbox import attacks, hostile
from tests.sandbox.commons import Commons
from tests.sandbox.conftest import check, in_tier
from tests.sandbox.targets import Targets

STRONGEST, *OTHERS = attacks.TIERS
MARKED = [STRONGEST, *(pytest.param(tier, marks=pytest.mark.slow) for tier in OTHERS)]


@pytest.mark.parametrize("name", mostly_slow(attacks.ALL, 3))
@pytest.mark.parametrize("tier", MARKED)
def test_an_attack_ends_as_it_must(tier: str, name: str, sandboxes: dict[str, Sandbox], tmp_path: Path) -> None:
    check("python", name, in_tier(sandboxes, tier), tmp_path)


ROOT_ONLY = {"the kernel's log", "passwords", "becoming root", "writing to the interpreter", "the parent's memory"}


@pytest.mark.parametrize("name", [name for name, a in attacks.ALL.items() if "denied" in str(a.value)])
def test_an_attack_succeeds_without_a_sandbox(name: str, tmp_path: Path) -> None:
    """An attack that fails here shows nothing when it fails in a sandbox. None of them does any harm."""
    if name == "the kernel's log" and not Path("/dev/kmsg").exists():
        pytest.skip("containers have no /dev/kmsg")
    if name in ROOT_ONLY and os.geteuid() != 0:
        pytest.skip("only root can do this")
    job = tmp_path / "job"
    job.mkdir()
    attack = attacks.ALL[name]
    with Targets(tmp_path) as targets:
        source = f"{targets.fill_in(attack.source)}\nprint(f() == 'denied')"
        process = subprocess.run([sys.executable, "-c", source], cwd=job, capture_output=True, text=True, check=False)
        assert process.stdout == "False\n", process.stderr
        sockets = {"tcp": "the TCP port", "udp": "the UDP port", "abstract sockets": "the abstract socket"}
        if name in sockets:
            assert sockets[name] in targets.list_reached()
        if name == "writing outside":
            assert targets.list_reached() == ["a file outside"]


@pytest.mark.parametrize("tier", attacks.TIERS)
def test_a_tier_claims_what_it_has(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    assert in_tier(sandboxes, tier).tier == tier


DAEMON = """
import os, time
def f():
    if os.fork():
        time.sleep(0.05)
        return 1
    os.setsid()
    if os.fork():
        os._exit(0)
    os.setsid()
    os.execv("/bin/sleep", ["sleep", "{marker}"])
"""


@pytest.mark.slow
@pytest.mark.parametrize("tier", MARKED)
def test_a_fork_bomb_hits_a_limit(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    sandbox = in_tier(sandboxes, tier)
    if not attacks.bounded(sandbox):
        pytest.skip("the processes of root are not counted here")
    assert not attacks.bombed(sandbox)
    assert sandbox.run(attacks.PROBE).value == attacks.CLEAN


@pytest.mark.parametrize("tier", MARKED)
def test_a_daemon_is_gone_afterwards(tier: str, sandboxes: dict[str, Sandbox]) -> None:
    sandbox = in_tier(sandboxes, tier)
    marker = f"{os.getpid()}.{attacks.TIERS.index(tier)}1"
    execution = sandbox.run(Run.from_source(language="python", source=DAEMON.replace("{marker}", marker), call="f()"))
    assert execution.value == 1 or execution.limit == "processes"
    assert not attacks.processes(marker)


def test_forged_results_are_tampering(sandbox: Sandbox) -> None:
    source = "import os\ndef f():\n    os.write(3, b'{\"value\": 7}\\n')\n    os._exit(0)"
    # The line lacks the seal, which only the harness knows.
    assert sandbox.run(Run.from_source(language="python", source=source, call="f()")).ending == "tampered"


#: Of the attacks that no layer stops each tier meets one in so many, and no two tiers the same. Beside that the
#: strongest tier meets all: those of Python by this user, those of other languages by another user.
EVERY = take_every(len(attacks.TIERS))


@pytest.mark.slow
@pytest.mark.parametrize("language", [name for name in hostile.ALL if name != "python"])
@pytest.mark.parametrize("tier", attacks.TIERS)
def test_attacks_in_other_languages(tier: str, language: str, sandboxes: dict[str, Sandbox]) -> None:
    assert hostile.complaints(in_tier(sandboxes, tier), language, EVERY) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tier", "language"),
    [
        (tier, language)
        for tier in attacks.TIERS
        for language in hostile.ALL
        if language == "python" or tier == attacks.TIERS[0]
    ],
)
def test_attacks_by_another_user(tier: str, language: str, commons_of_all: Commons) -> None:
    every = str(EVERY if language == "python" else 1)
    assert commons_of_all.run("tests.sandbox.hostile", tier, language, "complaints", every) == [tier]


@pytest.mark.slow
@pytest.mark.parametrize("tier", [tier for tier in attacks.TIERS if "namespaces" not in tier])
def test_the_signal_alone_tells_that_processor_time_ran_out(
    tier: str, sandboxes: dict[str, Sandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcome, "NEARLY", 100.0)  # as if the kernel reported far less time than it had counted
    burns = replace(attacks.ALL["burns"], limits=Limits(wall_s=120, cpu_s=1))
    assert attacks.run_attack(burns, in_tier(sandboxes, tier), None).limit == "cpu"


@pytest.mark.slow
@pytest.mark.parametrize("language", hostile.ALL)
def test_attacks_succeed_where_nothing_stops_them(language: str, commons_of_all: Commons) -> None:
    """An attack that fails where no layer claims to stop it shows nothing where one does."""
    assert commons_of_all.run("tests.sandbox.hostile", "processes", language, "toothless") == ["processes"]


def test_a_killed_parent_takes_everything_with_it(tmp_path: Path) -> None:
    marker = f"{os.getpid()}.77"
    program = f"import os\nos.write(1, b'up')\nos.execv('/bin/sleep', ['sleep', '{marker}'])"
    script = f"""
import os, sys, threading
from pytest_codereason.core.execution import Run
from pytest_codereason.sandbox import open_sandbox
sandbox = open_sandbox()
threading.Thread(target=sandbox.run, args=[Run.from_source(language="python", source={program!r})]).start()
print("started", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"started\n"
        while not attacks.processes(marker):
            assert process.poll() is None
        process.kill()
    while left := attacks.processes(marker):
        assert len(left) == 1


@pytest.mark.parametrize("name", [name for name in attacks.ALL if name.startswith("signals")])
def test_seccomp_alone_keeps_signals_in(name: str, sandboxes: dict[str, Sandbox], tmp_path: Path) -> None:
    sandbox, attack = in_tier(sandboxes, "seccomp"), attacks.ALL[name]
    with Targets(tmp_path) as targets:
        assert not attacks.complaint(attack, attacks.run_attack(attack, sandbox, targets))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["folders in folders", "locked folders"])
def test_no_folder_is_left(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Jobs of root may be another user, who must get there.
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setattr("tempfile.tempdir", folder)
        with attacks.open_tier("landlock+seccomp") as sandbox:
            attack = attacks.ALL[name]
            assert not attacks.complaint(attack, attacks.run_attack(attack, sandbox, None))
        assert not [*Path(folder).iterdir()]


def test_a_folder_for_temporary_files_may_be_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with attacks.open_tier("landlock+seccomp") as sandbox:
        execution = sandbox.run(Run.from_source(language="python", source="def f(): return 1", call="f()"))
    assert execution.value == 1
