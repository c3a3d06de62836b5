"""What a session knows before it judges gates."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_codereason.engine.storage.seals import Chain, write_seal
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.run_info import RunInfo, read_content
from pytest_codereason.results.verdicts.grammar import parse_gate
from pytest_codereason.session.running.gating import read_baseline_info, read_rules
from tests.results.synthetic import make_row, make_run, write_run
from tests.session.collected import read_typed
from tests.session.conftest import Project


def test_the_baseline_is_a_run_in_another_folder(project: Project, tmp_path: Path) -> None:
    def read(*args: str) -> RunInfo | None:
        return read_baseline_info(read_typed(project, *args))

    write_run(tmp_path / "old", make_run(models=["m"]), [make_row()])
    old = f"--eval-baseline={tmp_path / 'old'}"
    assert read() is None
    info = read(old, f"--eval-report={tmp_path / 'new'}")
    assert info is not None
    assert list(info.models) == ["m"]
    with pytest.raises(UsageError, match="--eval-baseline and --eval-report name the same folder"):
        read(old, f"--eval-report={tmp_path / 'new/../old'}")
    with pytest.raises(UsageError, match=r"^--eval-baseline: "):
        read(f"--eval-baseline={tmp_path / 'none'}")
    records = tmp_path / "old/records.jsonl"
    write_seal(tmp_path / "old", Chain(records.read_bytes().splitlines()).seal(read_content(tmp_path / "old")))
    assert read(old) == info
    records.write_text("{}\n")
    with pytest.raises(UsageError, match=r"^--eval-baseline: .*/old: the seal is broken: 1 record is changed, or new"):
        read(old)
    records.chmod(0)
    if os.geteuid():
        with pytest.raises(UsageError, match=r"^--eval-baseline: .*records\.jsonl: Permission denied"):
            read(old)
    records.unlink()
    records.mkdir()
    with pytest.raises(UsageError, match=r"^--eval-baseline: "):
        read(old)
    records.rmdir()
    with pytest.raises(UsageError, match=r"^--eval-baseline: "):
        read(old)


def test_the_rules_are_the_users(project: Project, tmp_path: Path) -> None:
    write_run(tmp_path / "old", make_run(models=["m"]), [make_row()])
    own = ("--eval-claim=suite", "--eval-undecided=pass", "--eval-allow-partial")
    options = read_typed(project, *own, f"--eval-baseline={tmp_path / 'old'}")
    rules = read_rules(options, [parse_gate("s.exact >= baseline")])
    assert (rules.claim, rules.undecided, rules.allow_partial) == ("suite", "pass", True)
    assert rules.baseline is not None
    assert read_rules(options, [parse_gate("s.exact >= 0.5")]).baseline is None
    plain = read_rules(read_typed(project), [])
    assert (plain.claim, plain.undecided, plain.allow_partial, plain.baseline) == ("generator", "fail", False, None)
