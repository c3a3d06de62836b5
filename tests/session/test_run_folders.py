"""The folder of --eval-report: only the very same incomplete run goes on in it, and one command at a time."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.run_folder import RunFolder
from pytest_codereason.errors import UsageError
from tests.servers import Server, error, solve
from tests.session.background import args
from tests.session.conftest import Project

RUN: dict[str, Any] = {
    "argv": ["pytest", "-k", "a b"],
    "suites": {"s": {"plan": "1"}},
    "models": {"m": {"identity": {"url": "u"}, "sampling": {}}},
    "writer": None,
    "selection": "5 of 40 questions",
    "questions": "00",
    "complete": False,
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")


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
    first.add({"id": "precious"})
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
    first.add({"id": "precious"})
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


def test_a_run_that_stopped_when_its_gates_were_decided_is_kept(project: Project) -> None:
    project.suite(count=20, languages=("python",))
    command = ("--eval-gate=small.exact >= 0.5", "--eval-stop-when-decided", "--eval-report=out")
    with Server(solve(accuracy=1)) as server:
        assert project.run(*args(server, "--eval-concurrency=1", *command)).ret == 0
        before = project.records("out")
        assert "stopped_early" in project.run_json("out")
        result = project.run(*args(server, "--eval-concurrency=1", *command))
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --eval-report *out: the folder holds another run, which has ended*"])
    assert project.records("out") == before


def test_an_incomplete_run_is_continued_by_the_same_command_alone(project: Project) -> None:
    """With as many other questions, or another setting of one model, the command is refused."""
    project.suite(count=4)
    with Server(script=repeat(error(401, "no"))) as server:
        command = args(server, "--eval-report=out", "-k")
        assert project.run(*command, "python").ret == 1
        server.requests.clear()
        for more in (("php",), ("python", "--model-arg=openai:scripted:temperature=0.9")):
            result = project.run(*command, *more)
            assert result.ret == 4
            result.stderr.fnmatch_lines(["ERROR: --eval-report *out: the folder holds another run, which is incompl*"])
        assert not server.requests
        assert project.run(*command, "python").ret == 1
        assert server.requests
