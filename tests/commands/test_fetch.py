"""``codereason fetch``, as a user types it, against a server on this machine."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.core.files.fetching import Remote
from pytest_codereason.models.shared import weights
from pytest_codereason.programs.sources.cruxeval import CruxEval
from pytest_codereason.session.doctor.public_files import list_public_files
from tests.core.files.file_server import serve

BODY = b'{"id": "sample_0"}\n'


@pytest.fixture(autouse=True)
def _nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CODEREASON_DATA", raising=False)


def test_a_data_set_is_fetched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(BODY) as (url, paths):
        remote = Remote(name="cruxeval.jsonl", url=f"{url}/rows", sha256=hashlib.sha256(BODY).hexdigest())
        monkeypatch.setattr(CruxEval, "files", {"python": remote})
        assert main(["fetch", "cruxeval"]) == main(["fetch", "cruxeval", "--language", "python"]) == 0
        assert paths == ["/rows"]
    path = tmp_path / "cache" / "data" / "cruxeval.jsonl"
    assert path.read_bytes() == BODY
    assert capsys.readouterr().out.splitlines() == [
        "cruxeval, python: licence MIT",
        f"cruxeval, python: {path}",
        f"cruxeval, python: is here: {path}",
    ]


def test_what_there_is_stands_in_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cruxeval.jsonl").write_bytes(BODY)
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["fetch"]) == 0
    rows = {tuple(line.split()[:2]): line.split("  ")[-1].strip() for line in capsys.readouterr().out.splitlines()[1:]}
    assert rows["cruxeval", "python"] == "cruxeval.jsonl"
    assert rows["cruxeval-x", "php"] == rows["code-search-net", "java"] == rows["smollm2", "weights"] == "not here"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cruxevl"], "nothing is called 'cruxevl' (did you mean 'cruxeval'?): there is code-instructions, "),
        (["cruxeval", "--language", "java"], "cruxeval has no java: it has python"),
        (["--language", "php"], "--language: name a data set too"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch", *words]) == 4
    complaint = capsys.readouterr().err
    assert message in complaint
    assert complaint.count("\n") == 1


def test_every_file_has_a_licence() -> None:
    files = list(list_public_files())
    assert {file.name for file in files} >= {"cruxeval", "livecodebench", "code-search-net", *weights.PINS}
    assert all(file.licence for file in files)


def test_after_the_word_model_there_are_only_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path))
    assert main(["fetch", "model"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:-2]] == [*weights.PINS]
    path = weights.locate(weights.SMOLLM2)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"weights")
    assert main(["fetch", "model", "smollm2"]) == 0
    assert capsys.readouterr().out == f"smollm2, weights: is here: {path}\n"
    assert main(["fetch", "model", "cruxeval"]) == 4
    assert "nothing is called 'cruxeval'" in capsys.readouterr().err
