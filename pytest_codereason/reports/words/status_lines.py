"""The status of a run in lines of text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pytest_codereason.core.text import wording
from pytest_codereason.reports.words.formatting import format_dollars, format_duration, format_moment, format_outcome
from pytest_codereason.reports.words.run_notes import format_reused, list_left_out
from pytest_codereason.results.records.records import OUTCOMES
from pytest_codereason.results.runs.status import RunStatus, SuiteProgress

_REASONS = 3


def write_status(status: RunStatus, width: int = 80) -> list[str]:
    """What the run is, how far it is, and why it is not complete, in lines of at most ``width`` characters."""
    return [
        line
        for text in _describe(status)
        for line in wording.wrap(text, max(40, width), later="    ", break_words=False)
    ]


def _describe(status: RunStatus) -> Iterator[str]:
    info = status.info
    yield f"{wording.one_line(str(status.folder), 300)}: {_describe_state(status)}"
    took = f", took {format_duration(info.wall_s)}" if info.wall_s is not None else ""
    age = f", ended {format_duration(status.ended_s)} ago" if status.ended_s is not None else ""
    yield f"started {format_moment(info.started)}{took}{age}, codereason {wording.one_line(info.codereason)}"
    if status.under_way:
        yield f"under way: {wording.one_line(status.under_way, 200)}"
    for each in status.progress:
        yield _describe_progress(each)
        for reason, many in list(each.reasons.items())[:_REASONS]:
            yield f"    {many:,} unanswered: {wording.one_line(reason, 200)}"
    for text in list_left_out(info):
        yield f"left out: {wording.one_line(text, 1_200)}"
    yield f"cost: {format_dollars(info.cost)}"
    if reused := format_reused(info):
        yield f"reused: {reused}"
    if many := status.damaged.count:
        first = wording.one_line(status.damaged.lines[0], 200)
        yield f"damaged: {wording.plural(many, 'line')} of records.jsonl, the first: {first}"
        if status.state == "open":
            yield "    the last line of a run that goes on may be written at this moment"
    yield from _describe_gates(status)
    if status.state in ("open", "incomplete") and info.argv:
        yield f"to go on: {wording.one_line(shlex.join(info.argv), 1_000)}"


def _describe_state(status: RunStatus) -> str:
    info = status.info
    lost = f", but {wording.plural(status.lost, 'question')} left no record" if status.lost else ""
    if status.lacking:
        lost += f", but {wording.plural(status.lacking, 'question')} left only some of several records"
    if status.state == "complete":
        return f"complete{lost}"
    if status.state == "part":
        return f"complete, but a part of its suites: {info.partial_because}{lost}"
    selection = f"; a part of its suites was selected: {info.selection}" if info.selection else ""
    if status.state == "incomplete":
        unanswered = sum(each.unanswered for each in status.progress)
        left = sum(max(0, each.selected - each.recorded) for each in status.progress)
        parts = [f"{many:,} {word}" for many, word in ((unanswered, "unanswered"), (left, "not asked")) if many]
        return f"incomplete: {', '.join(parts) or 'it was stopped'}{selection}"
    if status.written_s is None:
        return f"not ended, no record yet: it has just begun, or was killed{selection}"
    return (
        f"not ended: it goes on, or was killed; records were last written {format_duration(status.written_s)} ago"
        f"{selection}"
    )


def _describe_progress(progress: SuiteProgress) -> str:
    """``semtrace, openai:gpt: 720 of 720 questions; 601 correct, 119 wrong``."""
    outcomes = [
        f"{wording.count(progress.answers.outcomes[outcome])} {format_outcome(outcome)}"
        for outcome in OUTCOMES
        if progress.answers.outcomes[outcome]
    ]
    asked = f"{wording.count(progress.recorded)} of {wording.plural(progress.selected, 'question')}"
    who = wording.one_line(f"{progress.suite}, {progress.model}", 200)
    return f"{who}: {asked}; {', '.join(outcomes) or 'no records'}"


def _describe_gates(status: RunStatus) -> Iterator[str]:
    if status.gates is not None:
        for verdict, sentence in status.gates:
            yield f"{wording.one_line(verdict)}  {wording.one_line(sentence, 600)}"
    else:
        for gate in status.info.gates:
            yield f"gate, not judged yet: {wording.one_line(gate, 200)}"
