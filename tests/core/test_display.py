"""What a command prints acts on no terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.cli import main
from pytest_codereason.core.display import VisibleStream, calm, displaying, print_command, visible, write_over
from tests.examples import mostly_slow


@given(st.text(st.characters(codec=None)))
def test_what_is_visible_acts_on_nothing_and_can_be_stored(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not any(ord(c) < 32 and c not in "\t\n" for c in shown)
    assert not any(c in shown for c in "\x7f\x9b\u202e\u2066")
    assert visible(shown) == shown


def test_control_characters_are_shown() -> None:
    assert visible("\x1b[31m\x7f\u202e\ud800\x9b") == r"\x1b[31m\x7f\u202e\ud800\x9b"
    assert visible("a\tb\nπ 😀") == "a\tb\nπ 😀"


def test_everything_that_is_printed_within_is_made_visible(capsys: pytest.CaptureFixture[str]) -> None:
    with displaying():
        print("\x1b[2J a", "\rb")
        print("\x9b31m", file=sys.stderr)
        assert sys.stdout.isatty() is False
    print("\x1b", end="")
    assert capsys.readouterr() == ("\\x1b[2J a \\rb\n\x1b", "\\x9b31m\n")


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", "-0.5~ [1, 2] ?"), ("latin-1", "-0.5~ [1, 2] é")])
def test_a_stream_without_a_sign_gets_another_one(encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    with displaying():
        print("−0.5… [1,\xa02] é")
        print_command("−0.5… [1,\xa02] é")
    stream.flush()
    assert stream.buffer.getvalue().decode(encoding) == f"{shown}\n" * 2


def test_a_line_that_changes_is_cleared_by_us_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", VisibleStream(stream))
    write_over("1 of 2 \x1b]0;title\x07")
    write_over("2 of 2", "\n")
    assert stream.getvalue() == "\r\x1b[K1 of 2 \\x1b]0;title\\x07\r\x1b[K2 of 2\n"


HOSTILE = "\x1b]0;owned\x07\u202e\x9b31m"


COMMANDS = ("suites", "export", "show", "report", "status", "judge", "compare", "table")


@pytest.mark.parametrize("command", mostly_slow(COMMANDS, 7))
def test_no_command_prints_what_a_suite_or_run_tells_the_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    row = {
        "language": "python",
        "code": f"def f(n):\n    return '{HOSTILE}'\n",
        "call": "f(1)",
        "output": repr(HOSTILE),
    }
    Path("rows.jsonl").write_text(json.dumps({**row, "id": f"a{HOSTILE}"}) + "\n")
    Path("s.suite.toml").write_text(
        'task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "jsonl"\npath = "rows.jsonl"\n'
    )
    Path("run").mkdir()
    Path("run/run.json").write_text(json.dumps({"version": HOSTILE, "suites": {HOSTILE: {}}}))
    Path("run/records.jsonl").write_text(json.dumps({"suite": HOSTILE}) + "\n")
    target = "s.suite.toml" if command in ("export", "show") else "run"
    arguments = {"suites": [], "compare": ["run", "run"], "table": ["run", HOSTILE]}.get(command, [target])
    main([command, *arguments])
    printed = "".join(capsys.readouterr())
    assert printed
    assert printed == visible(printed)
    if command == "export":
        assert HOSTILE in str(json.loads(printed.splitlines()[0])["messages"][-1]["content"])


def test_a_job_of_github_obeys_what_is_meant_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = "a\n  ::stop-commands::x\n::add-mask::b ::\nc ::d:: ##[group]e\nA::b"
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert calm(hostile) == hostile
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert calm(hostile) == "a\n  \\::stop-commands::x\n\\::add-mask::b ::\nc ::d:: #\\#[group]e\nA::b"
    with displaying():
        print("::error::no")
        print_command("::error title=a::yes\x1b")
    assert capsys.readouterr().out == "\\::error::no\n::error title=a::yes\\x1b\n"
