"""``codereason shards``: the commands of a divided run, written or started, and the joined run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from pytest_codereason.cli import main
from tests.session.conftest import SUITE as TEXT

SUITE = "s.suite.toml"
ASKED = (SUITE, "--model=baseline:truth", "-k", "python or php")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a suite, and a machine on which this Python's ``pytest`` and ``codereason`` are installed."""
    (tmp_path / SUITE).write_text(TEXT.format(languages='["python", "php"]', count=3, prompting='["direct"]'))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def write(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["shards", *args, "--", *ASKED]) == 0
    return capsys.readouterr().out


def refuse(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["shards", *args]) == 4
    return capsys.readouterr().err


# --- what is written ----------------------------------------------------------------------------------------


def test_the_lines_for_a_shell_have_every_part_and_join_them(capsys: pytest.CaptureFixture[str]) -> None:
    asked = f"pytest {SUITE} --model=baseline:truth -k 'python or php'"
    assert write(capsys, "2", "-o", "my whole").splitlines() == [
        f"{asked} --eval-shard=1/2 '--eval-report=my whole-1-of-2' &",
        f"{asked} --eval-shard=2/2 '--eval-report=my whole-2-of-2' &",
        "wait",
        "codereason merge 'my whole-1-of-2' 'my whole-2-of-2' -o 'my whole'",
    ]


def test_hosts_take_turns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = write(capsys, "3", "-o", "whole", "--ssh", "a, b", "--cd=/data/my evals").splitlines()
    assert [shlex.split(line)[:2] for line in lines[:3]] == [["ssh", "a"], ["ssh", "b"], ["ssh", "a"]]
    there = shlex.split(lines[1])[2]
    assert shlex.split(there)[:5] == ["cd", "/data/my evals", "&&", "exec", "pytest"]
    assert shlex.split(there)[-3:-1] == ["python or php", "--eval-shard=2/3"]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What ``pytest`` was given: one that only notes its arguments stands in the way of the real one."""
    tools, noted = tmp_path / "tools", tmp_path / "noted"
    tools.mkdir()
    (tools / "pytest").write_text(f"#!/bin/bash\nprintf '%s\\n' \"$*\" >> {shlex.quote(str(noted))}\n")
    (tools / "pytest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    return noted


ARGUMENTS = f"{SUITE} --model=baseline:truth -k python or php --eval-shard={{}} --eval-report=whole-{{}}-of-2"
JOINING = ["codereason", "merge", "whole-1-of-2", "whole-2-of-2", "-o", "whole"]


def test_the_script_for_slurm_asks_every_part(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(capsys, "2", "-o", "whole", "--slurm")
    assert f"#SBATCH --array=1-2\n#SBATCH --chdir={tmp_path}\n" in script
    for name, value in {"MIN": 1, "MAX": 2, "COUNT": 2}.items():
        monkeypatch.setenv(f"SLURM_ARRAY_TASK_{name}", str(value))
    for number in ("1", "2"):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", number)
        assert subprocess.run(["bash", "-c", script], capture_output=True, check=False).returncode == 0
    assert started.read_text().splitlines() == [ARGUMENTS.format("slurm", part) for part in (1, 2)]
    assert shlex.split(script[script.rindex("codereason ") :]) == JOINING


def test_the_job_for_kubernetes_asks_every_part(
    capsys: pytest.CaptureFixture[str], started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = yaml.safe_load(write(capsys, "2", "-o", "whole", "--kubernetes=me/evals:1"))
    assert (job["spec"]["completions"], job["spec"]["completionMode"]) == (2, "Indexed")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["image"] == "me/evals:1"
    for number in ("0", "1"):
        monkeypatch.setenv("JOB_COMPLETION_INDEX", number)
        assert subprocess.run(container["command"], capture_output=True, check=False).returncode == 0
    assert started.read_text().splitlines() == [ARGUMENTS.format(f"{part}/2", part) for part in (1, 2)]


# --- what is started ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_parts_are_started_and_joined(capsys: pytest.CaptureFixture[str]) -> None:
    gate = "--eval-gate=s.exact >= 10%"
    assert main(["shards", "2", "-o", "out/whole", "--run", "--", *ASKED, gate, "--eval-claim=suite"]) == 0
    assert len(Path("out/whole/records.jsonl").read_text().splitlines()) == 6
    assert "shard 2/2 asks: out/whole-2-of-2.log" in capsys.readouterr().out


@pytest.mark.slow
def test_parts_on_hosts_without_a_common_disk_are_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``ssh`` and ``scp`` are stand-ins that know one host, which is a folder of this machine."""
    host, tools = tmp_path / "host", tmp_path / "tools"
    for each in (host, tools):
        each.mkdir()
    (host / SUITE).write_text(Path(SUITE).read_text())
    (tools / "ssh").write_text('#!/bin/bash\n[ "$1" = far ] && exec bash -c "$2"\n')
    (tools / "scp").write_text('#!/bin/bash\nexec cp -r "${2#far:}" "$3"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    more = ("--ssh=far", f"--cd={host}", "--run", "--copy")
    assert main(["shards", "2", "-o", "whole", *more, "--", *ASKED]) == 0
    assert len(Path("whole/records.jsonl").read_text().splitlines()) == 6
    assert main(["shards", "2", "-o", "other", "--ssh=far,nowhere", f"--cd={host}", "--run", "--", *ASKED]) == 1
    assert not Path("other").exists()


@pytest.mark.slow
def test_a_part_that_did_not_end_is_named_and_nothing_is_joined(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shards", "2", "-o", "whole", "--run", "--", SUITE, "--model=nobody:x"]) == 1
    said = capsys.readouterr().err
    assert "whole-1-of-2 is not joined: see whole-1-of-2.log" in said
    assert "to go on, run the same command again" in said
    assert "unknown model 'nobody:x'" in Path("whole-1-of-2.log").read_text()
    assert not Path("whole").exists()


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("2", "-o", "w", "--", SUITE, "--eval-shard=1/2"), "--eval-shard: leave it out"),
        (("2", "-o", "w", "--", SUITE, "--eval-report", "x"), "--eval-report: leave it out"),
        (("2", "-o", "w", "--", SUITE, "--eval-stop-when-decided"), "--eval-stop-when-decided: leave it out"),
        (("2", "-o", "w", "--slurm", "--ssh=a", "--", SUITE), "are three ways: keep one"),
        (("2", "-o", "w", "--slurm", "--run", "--", SUITE), "give what is written to sbatch or kubectl"),
        (("2", "-o", "w", "--copy", "--", SUITE), "--copy has no effect"),
        (("2", "-o", ".", "--run", "--", SUITE), "it is there already"),
    ],
)
def test_what_cannot_be_is_refused(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], message: str) -> None:
    assert message in refuse(capsys, *args)
