"""``codereason cite``: what a paper says of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.engine.storage.seals import SEAL
from tests.reports.exchange.words import OURS
from tests.results.synthetic import make_rows, make_run, write_run


def test_a_run_is_cited(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", str(OURS)]) == 0
    out = capsys.readouterr().out
    assert "model openai:scripted\n" in out
    assert "suite mine\n" in out
    assert out.count("\n@") == 2


def test_a_broken_seal_is_told_and_not_cited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = make_run()
    write_run(tmp_path / "run", run, make_rows(run, families=2))
    (tmp_path / "run" / SEAL).write_text("{}")
    assert main(["cite", str(tmp_path / "run")]) == 0
    said = capsys.readouterr()
    assert "seal.json is damaged" in said.err
    assert "\nseal " not in said.out


def test_what_is_no_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", str(tmp_path)]) == 4
    assert "is not a run folder" in capsys.readouterr().err
