"""Questions as files, which any engine answers: the same command writes them and reads the answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.engine.posting.courier import Pace
from tests.servers import solve
from tests.session.batched import ADAPTIVE, ask_one_by_one, read
from tests.session.conftest import Project, usage_error

OFFLINE = ("--model=openai:scripted", "--model-url=file:offline", "--eval-batch")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = Pace.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "gather", 0.2)


def answer(requests: Path, output: Path, *, plain: bool = False, leave: int = 0) -> None:
    """What an engine makes of a file of requests."""
    lines = [json.loads(line) for line in requests.read_text().splitlines()]
    results = []
    for line in lines[leave:]:
        text = solve()(line["body"]["messages"], line["body"])
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        response = {"status_code": 200, "body": {"choices": [choice], "usage": usage, "model": "scripted"}}
        more: dict[str, Any] = {"text": text, "usage": usage} if plain else {"response": response, "error": None}
        results.append({"custom_id": line["custom_id"], **more})
    output.parent.mkdir(exist_ok=True)
    output.write_text("".join(json.dumps(result) + "\n" for result in reversed(results)))


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
def test_the_same_command_writes_the_questions_and_reads_the_answers(project: Project, plain: bool) -> None:
    project.suite(count=3)
    folder = project.path / "offline"
    result = project.run(*OFFLINE)
    assert result.ret == 1
    printed = " ".join(result.stdout.str().split())
    assert "openai:scripted is asked by files in offline" in printed
    command = "vllm run-batch -i offline/batch-1.jsonl -o offline/batch-1.out.jsonl --model scripted"
    assert "offline/batch-1.jsonl waits for its answers in offline/batch-1.out.jsonl; give them, for" in printed
    assert f"for example by: {command};" in printed
    assert "1 batch with 6 requests of this run is under way" in printed
    assert project.run(*OFFLINE).ret == 1
    assert [path.name for path in folder.iterdir()] == ["batch-1.jsonl"], "nothing is written twice"
    answer(
        folder / "batch-1.jsonl", folder / ("batch-1.out/part-0.jsonl" if plain else "batch-1.out.jsonl"), plain=plain
    )
    result = project.run(*OFFLINE)
    assert result.ret == 0, result.stdout.str()
    rows, others = read(project), ask_one_by_one(project)
    for row in (*rows, *others):
        del row["usage"]
    assert rows == others


@pytest.mark.slow
def test_what_lacks_an_answer_is_written_once_more(project: Project) -> None:
    project.suite(count=3)
    folder = project.path / "offline"
    project.run(*OFFLINE)
    answer(folder / "batch-1.jsonl", folder / "batch-1.out.jsonl", leave=2)
    assert project.run(*OFFLINE).ret == 1
    assert len((folder / "batch-2.jsonl").read_text().splitlines()) == 2
    assert [row["outcome"] for row in read(project)].count("correct") == 4, "what was answered is recorded"
    answer(folder / "batch-2.jsonl", folder / "batch-2.out.jsonl")
    assert project.run(*OFFLINE).ret == 0


@pytest.mark.slow
def test_rounds_of_an_adaptive_suite_are_files(project: Project) -> None:
    (project.path / "small.suite.toml").write_text(ADAPTIVE)
    folder, rounds = project.path / "offline", 0
    while project.run(*OFFLINE).ret == 1:
        rounds += 1
        answer(folder / f"batch-{rounds}.jsonl", folder / f"batch-{rounds}.out.jsonl")
    assert rounds == max(row["adaptive"]["round"] for row in project.records())


@pytest.mark.slow
def test_a_file_is_given_up_as_any_batch(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.suite(count=2)
    requests = project.path / "offline/batch-1.jsonl"
    project.run(*OFFLINE)
    before = requests.read_text()
    assert main(["status", "--cancel", str(requests)]) == 0
    assert not requests.exists()
    assert project.run(*OFFLINE).ret == 1
    assert requests.read_text() == before
    capsys.readouterr()


def test_mistakes(project: Project) -> None:
    project.suite()
    assert "openai:scripted is asked by files: add --eval-batch" in usage_error(project, *OFFLINE[:2])
    assert "--model-url file: names no folder" in usage_error(project, OFFLINE[0], "--model-url=file:", "--eval-batch")
    (project.path / "offline").write_text("")
    assert "offline cannot be made: a file of that name is in the way" in usage_error(project, *OFFLINE)
