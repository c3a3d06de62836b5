"""A run within a job of GitHub Actions: verdicts as annotations, ``summary.md`` as the summary of the step.

An annotation is a line of output, a *workflow command*::

    ::error title=gate failed%3A semtrace.exact >= 0.8::semtrace.exact = 0.713 (at most 0.742 in 19 of 20 such runs ...

Names of models and suites come from outside. No text can end a command early or begin another one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pytest_codereason.core.text import wording
from pytest_codereason.errors import describe_file_error
from pytest_codereason.results.report import Report
from pytest_codereason.results.verdicts.verdict import Decision, GateVerdict

Level = Literal["error", "warning"]
#: GitHub shows so many errors of a step, and as many warnings.
MOST = 10
#: GitHub drops the summary of a step that has more bytes.
MOST_BYTES = 1024 * 1024
_CUT = "\n\nThe rest is too long for this page: see `summary.md` in the run folder.\n"


def report_step(report: Report, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The annotations of a run that ends within a job of GitHub Actions. Its summary becomes that of the step.

    Elsewhere there are none.
    """
    if environment.get("GITHUB_ACTIONS") != "true":
        return []
    lines = list_annotations(report.gates, report.data.run.partial_because)
    trouble = append_summary(report.folder / "summary.md", environment)
    return [*lines, trouble] if trouble else lines


def report_refusal(complaint: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """The annotation of a run that could not begin, say because an endpoint is down. The summary of the step says why.

    Elsewhere than in a job of GitHub Actions there is none.
    """
    if environment.get("GITHUB_ACTIONS") != "true":
        return []
    lines = [write_command("error", "the run could not be made", complaint)]
    quoted = "\n".join(f"    {line}" for line in complaint.splitlines())
    trouble = _append(f"## ❌ The run could not be made\n\n{quoted}\n".encode(), environment)
    return [*lines, trouble] if trouble else lines


def list_annotations(verdicts: Sequence[GateVerdict], incomplete: str | None = None) -> list[str]:
    """An error for each gate that failed, and a warning for each that nobody can decide. What passed has none.

    Args:
        verdicts: in the order of the report.
        incomplete: why the run is no whole measurement, for a warning.
    """
    errors = [_annotate("error", each) for each in verdicts if each.verdict is Decision.FAIL]
    open_ones = (Decision.UNDECIDED, Decision.UNMEASURED)
    warnings = [_annotate("warning", each) for each in verdicts if each.verdict in open_ones]
    if incomplete:
        warnings.insert(0, write_command("warning", "run incomplete", incomplete))
    return [*_cut("error", errors), *_cut("warning", warnings)]


def write_command(level: Level, title: str, message: str) -> str:
    """One annotation as a line of output."""
    return f"::{level} title={_escape(wording.one_line(title, 200), ':,')}::{_escape(wording.one_line(message, 2_000))}"


def append_summary(page: Path, environment: Mapping[str, str] = os.environ) -> str:
    """Appends a page to the summary of the step. Gives the reason why it could not, else an empty text.

    A page that is too long for GitHub is cut at the end of a line.
    """
    try:
        text = page.read_bytes() if environment.get("GITHUB_STEP_SUMMARY") else b""
    except OSError as error:
        return f"the summary of the step could not be written: {describe_file_error(error)}"
    return _append(text, environment)


def _append(text: bytes, environment: Mapping[str, str]) -> str:
    target = environment.get("GITHUB_STEP_SUMMARY")
    if not target:
        return ""
    path = Path(target)
    try:
        room = MOST_BYTES - (path.stat().st_size if path.exists() else 0) - 2
        if len(text) > room:
            cut = _CUT.encode()
            text = b"" if room < len(cut) else text[: room - len(cut)].rpartition(b"\n")[0] + cut
        with path.open("ab") as file:
            file.write(text + b"\n")
    except OSError as error:
        return f"the summary of the step could not be written: {describe_file_error(error)}"
    return ""


def _annotate(level: Level, verdict: GateVerdict) -> str:
    titles = {Decision.FAIL: "gate failed", Decision.UNDECIDED: "gate undecided"}
    title = titles.get(verdict.verdict, "gate not measured")
    return write_command(level, f"{title}: {verdict.gate} ({verdict.model})", verdict.sentence)


def _cut(level: Level, commands: Sequence[str]) -> Iterator[str]:
    if len(commands) <= MOST:
        yield from commands
        return
    yield from commands[: MOST - 1]
    rest = len(commands) - MOST + 1
    yield write_command(level, f"{rest} more", f"{rest} more gates are in the summary of this step")


def _escape(text: str, also: str = "") -> str:
    """``text`` without a character that ends a command or a line; ``also`` has those that end a property."""
    for character in f"%\r\n{also}":  # the percent sign first: it stands in all that follows
        text = text.replace(character, f"%{ord(character):02X}")
    return text
