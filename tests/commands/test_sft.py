"""``codereason sft`` and ``codereason finetune``, as a user types them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.core import Message
from pytest_codereason.harvest.training.grading import Grader
from tests.questions.pairs.pairing import PROGRAMS
from tests.servers import Server

SUITE = """\
task = "call-graph"
languages = ["python", "javascript"]
[source]
name = "corpus"
count = 2
[sampling]
max_tokens = 800
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "calls.suite.toml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def read_rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_conversations_end_with_the_steps_and_the_right_reply(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sft", str(suite), "-o", "train.jsonl"]) == 0
    assert "train.jsonl: 4 conversations of 4 repositories" in capsys.readouterr().out
    with Grader(suite) as grader:
        for row in read_rows(Path("train.jsonl")):
            messages = row["messages"]
            assert isinstance(messages, list)
            assert [message["role"] for message in messages] == ["system", "user", "assistant"]
            steps, closing, reply = messages[-1]["content"].partition("\n</think>\n")
            assert closing
            assert steps.startswith("<think>\n")
            assert "main: Line " in steps
            asked = grader.ask(str(row["id"]))
            assert reply == asked.truth
            assert [Message(m["role"], m["content"]) for m in messages[:-1]] == list(asked.messages)
            assert grader.grade(str(row["id"]), messages[-1]["content"]).outcome == "correct"


@pytest.mark.slow
def test_the_steps_to_a_moment_are_the_lines_that_ran_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = tmp_path / "moments.suite.toml"
    text = SUITE.replace("call-graph", "moment").replace(', "javascript"', "")
    suite.write_text(f'{text}[matrix]\nabout = ["value", "raise"]\n', encoding="utf-8")
    assert main(["sft", str(suite), "-o", "train.jsonl"]) == 0
    assert "2 left out: the run has no moment of the kind raise" in capsys.readouterr().out
    for row in read_rows(Path("train.jsonl")):
        assert re.search(r"<think>\n\s*\d+  line \d+, visit \d+: ", str(row["messages"]).replace("\\n", "\n"))


#: Tasks whose answers have no steps, and axes of theirs.
WITHOUT_STEPS = {
    "equivalence": 'pair = ["equal", "different"]',
    "meaning": 'meaning = ["swapped(rules=1)"]',
    "twins": 'twin = ["fresh-input"]',
    "moment": 'about = ["rounds"]',
}


@pytest.mark.slow
@pytest.mark.parametrize("task", WITHOUT_STEPS)
def test_answers_without_steps_are_written_alone(
    task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source, call = PROGRAMS["python"]
    row = {"id": "odds", "language": "python", "code": source, "call": call}
    Path("programs.jsonl").write_text(json.dumps(row), encoding="utf-8")
    suite = tmp_path / "mine.suite.toml"
    suite.write_text(
        f'task = "{task}"\n[source]\nname = "jsonl"\npath = "programs.jsonl"\n[matrix]\n{WITHOUT_STEPS[task]}\n',
        encoding="utf-8",
    )
    assert main(["sft", str(suite), "-o", "train.jsonl"]) == 4
    said = capsys.readouterr()
    assert "left out: nothing shows the steps to the answer" in said.out
    assert "so nothing is written; --writer none writes questions without steps" in said.err
    assert main(["sft", str(suite), "--writer", "none", "-o", "train.jsonl"]) == 0
    with Grader(suite) as grader:
        for written in read_rows(Path("train.jsonl")):
            assert isinstance(messages := written["messages"], list)
            assert grader.grade(str(written["id"]), messages[-1]["content"]).outcome == "correct"


def test_replies_alone(suite: Path) -> None:
    assert main(["sft", str(suite), "--writer", "none", "--eval-limit", "2", "-o", "train.jsonl"]) == 0
    assert all("<think>" not in str(row["messages"]) for row in read_rows(Path("train.jsonl")))


@pytest.mark.slow
def test_a_writer_that_names_every_call_is_taken_and_another_is_not(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(messages: Sequence[Mapping[str, str]], _: object) -> str:
        prompt = messages[-1]["content"]
        edges = prompt.rpartition("```")[2].partition("Take these functions")[0]
        return f"<think>{edges}</think>" if "```python" in prompt else "<think>I see.</think>"

    with Server(write) as server:
        command = ["sft", str(suite), "--writer", "openai:scripted", "--writer-url", server.url]
        assert main([*command, "--eval-store", str(tmp_path / "store"), "-o", "train.jsonl"]) == 0
    printed = capsys.readouterr().out
    assert "2 with the steps of the trace: the writer left out a call" in printed
    by_trace = {row["language"]: "main: Line" in str(row["messages"]) for row in read_rows(Path("train.jsonl"))}
    assert by_trace == {"python": False, "javascript": True}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sft", "nowhere.toml", "-o", "a.jsonl"], "nowhere.toml"),
        (["finetune", "nowhere.jsonl", "--base", "x", "-o", "a"], "nowhere.jsonl: cannot be read"),
    ],
)
def test_mistakes_are_said(words: list[str], message: str, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 4
    assert message in capsys.readouterr().err


def test_a_line_that_is_no_conversation_is_named(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.jsonl").write_text('{"messages": [{"role": "user", "content": "?"}]}\n', encoding="utf-8")
    assert main(["finetune", "bad.jsonl", "--base", "x", "-o", "a"]) == 4
    assert "bad.jsonl:1: no conversation" in capsys.readouterr().err


def test_a_file_is_never_overwritten(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("train.jsonl").write_text("", encoding="utf-8")
    assert main(["sft", str(suite), "-o", "train.jsonl"]) == 4
    assert "never overwritten" in capsys.readouterr().err
