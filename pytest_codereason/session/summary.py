"""What the terminal says of a run: below the collection, and at the end."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

import pytest

from pytest_codereason.core.display import encodable
from pytest_codereason.core.files.locations import shorten_path
from pytest_codereason.core.text import wording
from pytest_codereason.reports.reporters import github
from pytest_codereason.sandbox.tiers import warn_of_tier
from pytest_codereason.session.checking.batches import describe_under_way
from pytest_codereason.session.checking.checked_run import CheckedRun
from pytest_codereason.session.checking.checks import count_stored
from pytest_codereason.session.live_run import Ended, LiveRun
from pytest_codereason.session.order import Order
from pytest_codereason.session.running.runtest_protocol import UNNEEDED


def format_collected(order: Order, checked: CheckedRun, live: LiveRun | None) -> list[str]:
    """The lines below the collection."""
    selection, run = checked.selection, checked.description
    counts = ", ".join(f"{name} {many:,}" for name, many in selection.counts.items())
    noun = "question" if selection.counts.total() == 1 else "questions"
    lines = [f"codereason: {counts} {noun}" + (" (a part)" if run["selection"] else "")]
    if live is not None:
        lines.append(f"codereason: report in {shorten_path(live.folder.path)}")
        options = order.options
        if stored := count_stored(options.store, options.reuse_s, live.list_pairs(), order.command.selector):
            most = "up to " if run["selection"] else ""  # those of the whole suite are counted
            lines.append(f"codereason: resuming: {most}{stored:,} answers are already stored")
        for suite in selection.suites.values():
            lines += [f"codereason: {suite.name}: {note}" for note in suite.list_notes()]
        lines += [f"codereason: {label}: {size.summary}" for label, size in checked.sizes.items()]
        tier = run["sandbox"]
        remark = "no code is run" if tier == "none" else warn_of_tier(tier)
        lines.append(f"codereason: sandbox: {tier}" + (f" ({remark})" if remark else ""))
    lines += [f"codereason: left out: {text}" for text in wording.group_reasons(selection.left_out)]
    return lines + [f"codereason: {note}" for note in checked.notes]


def write_dry_run(terminal: pytest.TerminalReporter, lines: Sequence[str]) -> None:
    """Writes what a dry run has counted."""
    if lines:
        _begin(terminal)
    for line in lines:
        terminal.write_line(line)


def write_summary(
    terminal: pytest.TerminalReporter, order: Order, run: Mapping[str, object], live: LiveRun, ended: Ended
) -> None:
    """Writes what came of a run, where its report is, and how it goes on if it is not complete.

    Args:
        run: the content of ``run.json``.
    """
    lines: list[tuple[str, dict[str, bool]]] = [(ended.trouble, {"red": True})]
    if ended.result is not None:
        lines = ended.result.lines(terminal._tw.fullwidth, brief=terminal.verbosity < 0)
        lines += [(line, {}) for line in github.report_step(ended.result.report)]
    _begin(terminal)
    for line, markup in [*lines, *live.recorder.list_tracebacks()]:
        terminal.write_line(encodable(line, terminal._tw._file), **markup)
    if ended.unasked and run["complete"]:
        terminal.write_line(f"nothing was asked: {'; '.join(ended.unasked)}", yellow=True, bold=True)
    if unneeded := live.recorder.outcomes[UNNEEDED]:
        of = live.recorder.outcomes.total()
        terminal.write_line(f"asked {of - unneeded:,} of {of:,}, the rest was not needed")
    terminal.write_line(f"report: {shorten_path(live.folder.path / 'report.html')}")
    if "stopped_early" in run:
        terminal.write_line("to ask the rest too, run again without --eval-stop-when-decided")
    elif not run["complete"]:
        options = order.options
        if waiting := describe_under_way(options.store, live.list_pairs(), order.command.selector):
            terminal.write_line(f"{waiting}: the same command fetches the answers", yellow=True)
        again = shlex.join(["pytest", *order.command.arguments])
        without = " without --eval-reuse" if order.options.reuse_s == 0 else ""
        terminal.write_line(f"incomplete; to continue, run again{without}: {again}", yellow=True)


def _begin(terminal: pytest.TerminalReporter) -> None:
    terminal.ensure_newline()
    terminal.section("codereason", sep="=")
