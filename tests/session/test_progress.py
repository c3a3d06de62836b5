"""How far a run is, as a terminal and a log show it."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import pytest

from pytest_codereason.session.progress import Progress
from tests.session.conftest import Project


class _Log:
    """A terminal reporter that writes into a file."""

    isatty = False

    def __init__(self, verbosity: int) -> None:
        self.verbosity, self.lines = verbosity, list[str]()
        self._tw = type("Writer", (), {"fullwidth": 80})

    def ensure_newline(self) -> None:
        pass

    def write_line(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(("verbosity", "most"), [(0, 240), (-1, 24)])
def test_a_quiet_log_of_two_hours_is_short(verbosity: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("pytest_codereason.session.progress.time.monotonic", lambda: now[0])
    log = _Log(verbosity)
    shown = Progress(cast(pytest.TerminalReporter, log), 7200)
    said = [0.0]  # the moments of the lines
    for _ in range(7200):
        now[0] += 1.0
        shown.add([])
        if len(log.lines) == len(said):
            said.append(now[0])
    assert most / 2 < len(log.lines) < most
    gaps = [after - before for before, after in pairwise(said)]
    assert max(gaps) <= 540, "machines of CI end a job that is silent for ten minutes"


def test_a_quiet_run_prints_figures_and_gates_alone(project: Project) -> None:
    project.suite(count=40)
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact >= 0.5", "-q")
    assert result.ret == 0
    assert len([line for line in result.outlines if line]) <= 11
    result.stdout.fnmatch_lines(["*baseline:truth*1.000*", "PASS*", "report: *", "80 passed in *"])
    result.stdout.no_fnmatch_line("*....*")
    result.stdout.no_fnmatch_line("*unresolved*")
