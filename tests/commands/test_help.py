"""What ``--help`` says: what each command is for, and what each argument is."""

from __future__ import annotations

import re

import pytest

from pytest_codereason.cli import main

COMMANDS = (
    "audit",
    "cite",
    "compare",
    "doctor",
    "export",
    "fetch",
    "figure",
    "finetune",
    "harvest",
    "init",
    "judge",
    "leaderboard",
    "merge",
    "pool",
    "prepare",
    "report",
    "sft",
    "shards",
    "show",
    "status",
    "suites",
    "table",
    "trace",
    "translate",
)


def read_help(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("width", ["80", "120"])
def test_the_list_has_a_line_for_each_command(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    text = read_help(capsys)
    assert re.findall(r"^    (\w+) +\w", text, re.MULTILINE) == list(COMMANDS)
    assert "`" not in text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_it_does_and_what_each_argument_is(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    text = read_help(capsys, command)
    usage, description, *lists = text.split("\n\n")
    assert usage.startswith(f"usage: codereason {command}")
    assert re.match(r"[A-Z]\w+s .*\.$", description, re.DOTALL), "a sentence that begins with what it does"
    for block in lists:
        _, *lines = block.rstrip("\n").split("\n")
        unexplained = [line for line in lines if re.fullmatch(r"  \S+", line)]
        assert not unexplained, "nothing says what this is"
    assert "`" not in text
