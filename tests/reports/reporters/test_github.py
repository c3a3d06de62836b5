"""Annotations and the summary of a step in a job of GitHub Actions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_codereason.reports.reporters.github import MOST_BYTES, append_summary, list_annotations, write_command
from pytest_codereason.reports.reporters.summary_md import escape_markdown
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict


def judge(verdict: Decision, gate: str = "s.exact >= 80%", model: str = "openai:x") -> GateVerdict:
    sentence = f"{gate} of {model}"
    return GateVerdict(
        gate=gate, model=model, verdict=verdict, passed=verdict is Decision.PASS, claim="generator", sentence=sentence
    )


def read_commands(output: str) -> list[tuple[str, dict[str, str], str]]:
    """What a runner of GitHub reads in a log: each command with its properties and its message.

    As in ``ActionCommand.cs`` of actions/runner: a line, its leading white space cut off, that begins with ``::``; else
    ``##[`` anywhere in a line.
    """
    commands = []
    for line in re.split(r"\r\n|\r|\n", output):
        match = re.match(r"\s*::([^:]*?)::(.*)", line) or re.match(r"\s*::(\S+ .*?)::(.*)", line)
        if match is None:
            assert "##[" not in line
            continue
        name, _, fields = match[1].partition(" ")
        pairs = dict(field.partition("=")[::2] for field in fields.split(",") if field)
        commands.append((name, {key: unescape(value) for key, value in pairs.items()}, unescape(match[2])))
    return commands


def unescape(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_a_failed_gate_is_an_error_and_an_open_one_a_warning() -> None:
    lines = list_annotations([judge(each) for each in Decision], "5 of 10 questions")
    assert lines == [
        "::error title=gate failed%3A s.exact >= 80%25 (openai%3Ax)::s.exact >= 80%25 of openai:x",
        "::warning title=run incomplete::5 of 10 questions",
        "::warning title=gate undecided%3A s.exact >= 80%25 (openai%3Ax)::s.exact >= 80%25 of openai:x",
        "::warning title=gate not measured%3A s.exact >= 80%25 (openai%3Ax)::s.exact >= 80%25 of openai:x",
    ]
    assert list_annotations([judge(Decision.PASS)]) == []


@given(st.text(st.sampled_from("a%0DA2C35:,\r\n\x0b\x0c\x85\u2028=# []")), st.text())
@example("x\n::stop-commands::abc", "\r::add-mask::secret")
@example("%0A::error::", "%250A")
@example("a::b,file=/etc/passwd", "##[add-path]/tmp")
def test_no_name_ends_a_command_or_begins_another_one(title: str, message: str) -> None:
    line = write_command("error", title, message)
    ((name, fields, read),) = read_commands(line)
    assert name == "error"
    assert list(fields) == ["title"]
    assert "\n" not in read
    assert "\r" not in read
    assert len(line.splitlines()) == 1


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=100))
def test_a_reader_sees_the_text_as_it_is(text: str) -> None:
    ((_, fields, message),) = read_commands(write_command("warning", text, text))
    assert (fields["title"], message) == (text, text)


def test_a_page_calls_nobody() -> None:
    assert escape_markdown("@octocat (@octocat) pass@5 @") == r"@&#8203;octocat (@&#8203;octocat) pass\@5 \@"


def test_more_gates_than_a_page_shows_are_counted() -> None:
    lines = list_annotations([judge(Decision.FAIL, gate=f"s.exact >= {number}%") for number in range(25)])
    assert len(lines) == 10
    assert lines[-1] == "::error title=16 more::16 more gates are in the summary of this step"


def test_the_summary_of_a_step_is_appended_to(tmp_path: Path) -> None:
    page, target = tmp_path / "summary.md", tmp_path / "step"
    page.write_text("## One\n")
    for _ in range(2):
        assert append_summary(page, {"GITHUB_STEP_SUMMARY": str(target)}) == ""
    assert target.read_text() == "## One\n\n## One\n\n"
    assert append_summary(page, {}) == ""
    assert "could not be written" in append_summary(page, {"GITHUB_STEP_SUMMARY": str(tmp_path)})


@pytest.mark.parametrize("before", [0, MOST_BYTES // 2, MOST_BYTES])
def test_a_page_that_github_would_drop_is_cut(tmp_path: Path, before: int) -> None:
    page, target = tmp_path / "summary.md", tmp_path / "step"
    target.write_bytes(b"x" * before)
    page.write_text("é row\n" * 300_000, encoding="utf-8")
    assert append_summary(page, {"GITHUB_STEP_SUMMARY": str(target)}) == ""
    text = target.read_bytes().decode()
    assert len(text.encode()) <= MOST_BYTES + 1
    if before < MOST_BYTES:
        assert text[before:].startswith("é row\né row\n")
        assert text.endswith("é row\n\nThe rest is too long for this page: see `summary.md` in the run folder.\n\n")
