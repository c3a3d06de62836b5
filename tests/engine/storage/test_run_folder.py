"""The folder of a run: only the very same incomplete run goes on in it, and one command at a time."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import secrets
from pytest_codereason.engine.storage import run_folder
from pytest_codereason.engine.storage.run_folder import FLUSH_EVERY, RunFolder, new_folder, write_line, write_run
from pytest_codereason.errors import UsageError

RUN: dict[str, Any] = {
    "argv": ["pytest", "-k", "a b"],
    "suites": {"s": {"plan": "1"}},
    "models": {"m": {"identity": {"url": "u"}, "sampling": {}}},
    "writer": None,
    "selection": "5 of 40 questions",
    "questions": "00",
    "complete": False,
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"suites": {"t": {"plan": "1"}}}, "it asks the suites s, and this command t"),
        ({"suites": {"s": {"plan": "2"}}}, "s had another suite file, seed, or setting for all models"),
        ({"models": {"n": RUN["models"]["m"]}}, "it asks the models m, and this command n"),
        ({"models": {"m": {"identity": {"url": "v"}, "sampling": {"top_p": 1}}}}, "m had another top_p, url"),
        ({"writer": {"w": {}}}, "its texts have another writer"),
        (
            {"questions": "01"},
            "it selects other questions (5 of 40 questions; this command 5 of 40 questions)",
        ),
        ({"repeat": "1/8"}, "it has another --eval-repeat"),
    ],
)
def test_an_incomplete_run_that_asks_something_else_is_kept(
    tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    first = RunFolder(tmp_path, RUN)
    first.add(write_line({"id": "precious"}))
    first.close()
    first.release()
    with pytest.raises(UsageError) as refused:
        RunFolder(tmp_path, RUN | change)
    told = str(refused.value)
    assert told.startswith(f"--eval-report {tmp_path}: the folder holds another run, which is incomplete: {complaint}.")
    assert told.endswith("Name a new folder, or continue that run: pytest -k 'a b'")
    assert "precious" in (tmp_path / "records.jsonl").read_text()
    RunFolder(tmp_path, RUN | {"gates": ["other"], "argv": []}).release()


def test_one_command_at_a_time_writes_into_a_folder(tmp_path: Path) -> None:
    first = RunFolder(tmp_path, RUN)
    first.add(write_line({"id": "precious"}))
    with pytest.raises(UsageError, match="another command writes into this folder now; name a new folder, or wait"):
        RunFolder(tmp_path, RUN)
    first.close()
    with pytest.raises(UsageError, match="another command writes into this folder now"):
        RunFolder(tmp_path, RUN)  # the first still writes its reports
    assert "precious" in (tmp_path / "records.jsonl").read_text()
    first.release()
    RunFolder(tmp_path, RUN).release()


def test_a_folder_of_other_files_gets_no_file(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UsageError, match="the folder holds other files; name a new folder"):
        RunFolder(tmp_path, RUN)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def end(folder: RunFolder) -> None:
    folder.close()
    folder.release()


@pytest.mark.parametrize("how", [{"complete": True}, {"stopped_early": {"asked": 5}}])
def test_a_run_that_has_ended_is_kept(tmp_path: Path, how: dict[str, object]) -> None:
    end(RunFolder(tmp_path, RUN | how))
    with pytest.raises(UsageError, match=r"holds another run, which has ended.* is judged again by codereason judge"):
        RunFolder(tmp_path, RUN)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"complete": false}', '{"complete": false, "argv": 3}'])
def test_a_file_that_is_no_run_is_kept(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(UsageError, match="the folder holds other files"):
        RunFolder(tmp_path, RUN)
    assert (tmp_path / "run.json").read_text() == content


def test_a_folder_in_which_a_command_only_began_is_taken(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").touch()
    end(RunFolder(tmp_path, RUN))
    assert json.loads((tmp_path / "run.json").read_text()) == RUN
    (tmp_path / "run.json").unlink()
    (tmp_path / "records.jsonl").write_text("{}")
    with pytest.raises(UsageError, match="the folder holds other files"):
        RunFolder(tmp_path, RUN)


def test_the_run_that_goes_on_writes_its_records_anew(tmp_path: Path) -> None:
    first = RunFolder(tmp_path, RUN)
    first.add(write_line({"id": "old"}))
    end(first)
    again = RunFolder(tmp_path, RUN | {"models": {"m": {"identity": {"url": "u"}, "sampling": {}, "price": [1, 2]}}})
    again.add(write_line({"id": "new"}))
    again.add(write_line({"id": "é"}))
    end(again)
    assert (tmp_path / "records.jsonl").read_text() == '{"id":"new"}\n{"id":"\\u00e9"}\n'


def test_records_lie_on_the_disk_after_so_many(tmp_path: Path) -> None:
    """Somebody looks at a run of hours while it goes on."""
    folder = RunFolder(tmp_path, RUN)
    for number in range(2 * FLUSH_EVERY):
        assert (tmp_path / "records.jsonl").read_text().count("\n") == number // FLUSH_EVERY * FLUSH_EVERY
        folder.add(write_line({"id": number}))
    assert (tmp_path / "records.jsonl").read_text().count("\n") == 2 * FLUSH_EVERY
    end(folder)


def test_no_secret_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_shown", {"sk-0123456789": "[hidden]"})
    folder = RunFolder(tmp_path, RUN | {"argv": ["--key=sk-0123456789"]})
    folder.add(write_line({"reply": "you sent sk-0123456789"}))
    end(folder)
    for file in ("run.json", "records.jsonl"):
        text = (tmp_path / file).read_text()
        assert "[hidden]" in text
        assert "sk-" not in text


def test_the_latest_folder_of_reports_has_a_link(tmp_path: Path) -> None:
    for name in ("first", "second"):
        end(RunFolder(tmp_path / "reports" / name, RUN))
        assert (tmp_path / "reports/latest").readlink() == Path(name)
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == ["first", "latest", "second"]
    end(RunFolder(tmp_path / "elsewhere" / "third", RUN))
    assert not (tmp_path / "elsewhere/latest").exists()
    (tmp_path / "reports/latest").unlink()
    (tmp_path / "reports/latest").mkdir()
    end(RunFolder(tmp_path / "reports" / "fourth", RUN))
    assert not (tmp_path / "reports/latest").is_symlink(), "somebody's own folder stays"


def test_the_description_of_a_run_is_written_whole(tmp_path: Path) -> None:
    write_run(tmp_path, {"folder": Path("a"), "n": 1})
    assert (tmp_path / "run.json").read_text() == '{\n  "folder": "a",\n  "n": 1\n}\n'
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_new_folder_has_a_name_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Now(datetime):
        @classmethod
        def now(cls, tz: object = None) -> Now:
            return cls(2026, 11, 21, 10, 3, 12)

    monkeypatch.setattr(run_folder, "datetime", Now)
    names = [new_folder(tmp_path / "reports", suites).name for suites in (["a b/ü"], ["a b/ü"], ["x", "y"], ["a b/ü"])]
    stem = "2026-11-21-100312"
    assert names == [f"{stem}-a_b__", f"{stem}-a_b__-2", f"{stem}-2-suites", f"{stem}-a_b__-3"]
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot be made: .*; name one with --eval-report"):
        new_folder(tmp_path / "file", ["s"])
    with pytest.raises(UsageError, match=r"cannot be written: .*; name another with --eval-report"):
        RunFolder(tmp_path / "file" / "reports", RUN)
