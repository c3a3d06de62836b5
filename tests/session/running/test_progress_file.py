"""The files that say how far a run is, while it runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.session.running import progress_file
from pytest_codereason.session.running.progress_file import ProgressFile
from tests.servers import Server
from tests.session.background import Waiter, args, background
from tests.session.conftest import Project


def test_both_files_are_written_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "a<b"
    folder.mkdir()
    file = ProgressFile(folder)
    file.write({"done": 30, "of": 120, "tokens": 7}, "30/120 25% · right 1 & more")
    assert json.loads((folder / "progress.json").read_text()) == {
        "done": 30,
        "of": 120,
        "tokens": 7,
        "line": "30/120 25% · right 1 & more",
    }
    page = (folder / "progress.html").read_text()
    assert "<title>25 % of a&lt;b</title>" in page
    assert 'max="120" value="30"' in page
    assert "right 1 &amp; more" in page
    assert f'http-equiv="refresh" content="{progress_file.EVERY_S:g}"' in page
    file.remove()
    assert not [*folder.iterdir()]


def test_a_folder_that_cannot_be_written_stops_no_run(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "gone")
    file.write({"done": 0, "of": 0}, "")
    file.remove()


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("small.suite.toml", "-n2")], ids=["alone", "forked"])
def test_a_run_that_goes_on_can_be_read_and_leaves_no_file(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    def read_status() -> str:
        assert main(["status", str(folder)]) == 0
        return capsys.readouterr().out

    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    project.suite(count=60)
    folder = project.path / "run"
    with Server(latency_s=0.3) as server:
        process = background(project, *args(server, "--eval-concurrency=4", "--eval-report=run", *more))
        Waiter().until((folder / "progress.json").exists)
        said = read_status()
        assert re.search(r"under way: \d+/120 \d+%", said), said
        assert re.search(r'max="120" value="\d+"', (folder / "progress.html").read_text())
        server.latency_s = 0.0
        output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    assert not [*folder.glob("progress*")]
    assert "under way" not in read_status()
