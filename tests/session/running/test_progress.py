"""How far a run is, as a terminal and a log show it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from itertools import pairwise
from typing import Self, cast

import pytest

from pytest_codereason.core import Completion, Model, Record, Request
from pytest_codereason.engine.tallies import sum_up
from pytest_codereason.session.running.progress import Progress, format_clock, shorten_number
from tests.results.synthetic import make_record
from tests.session.conftest import Project


class _Log:
    """A terminal reporter that writes into a file."""

    isatty = False

    def __init__(self, verbosity: int, *, width: int = 80) -> None:
        self.verbosity, self.lines = verbosity, list[str]()
        self._tw = type("Writer", (), {"fullwidth": width})

    def ensure_newline(self) -> None:
        pass

    def write_line(self, line: str) -> None:
        self.lines.append(line)


class _Screen(_Log):
    """A terminal reporter whose last line is written anew."""

    isatty = True

    def rewrite(self, line: str, *, erase: bool) -> None:
        assert erase
        self.lines.append(line)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock, in the first place of a list."""
    now = [0.0]
    monkeypatch.setattr("pytest_codereason.session.running.progress.time.monotonic", lambda: now[0])
    return now


def make_answer(outcome: str = "correct", **changes: object) -> Record:
    usage = {"prompt": 100, "completion": 20}
    return make_record(**{"outcome": outcome, "usage": usage, "cost": 0.25, **changes})


def show(log: _Log, expected: int) -> Progress:
    return Progress(cast(pytest.TerminalReporter, log), expected)


@pytest.mark.parametrize(("verbosity", "most"), [(0, 240), (-1, 24)])
def test_a_quiet_log_of_two_hours_is_short(verbosity: int, most: int, now: list[float]) -> None:
    log = _Log(verbosity)
    shown = show(log, 7200)
    said = [0.0]  # the moments of the lines
    for _ in range(7200):
        now[0] += 1.0
        shown.add(None)
        if len(log.lines) == len(said):
            said.append(now[0])
    assert most / 2 < len(log.lines) < most
    gaps = [after - before for before, after in pairwise(said)]
    assert max(gaps) <= 540, "machines of CI end a job that is silent for ten minutes"


def test_a_quiet_run_prints_figures_and_gates_alone(project: Project) -> None:
    project.suite(count=40)
    result = project.run("--model=baseline:truth", "--eval-gate=small.exact >= 0.5", "-q")
    assert result.ret == 0
    assert len([line for line in result.outlines if line]) <= 12
    result.stdout.fnmatch_lines(["*baseline:truth*1.000*", "PASS*", "report: *", "80 passed in *"])
    result.stdout.no_fnmatch_line("*....*")
    result.stdout.no_fnmatch_line("*unresolved*")


def test_an_answer_asked_once_more_is_paid_for_and_is_no_miss(now: list[float]) -> None:
    shown = show(_Log(0, width=200), 40)
    now[0] = 10.0
    for _ in range(6):
        shown.add(sum_up([make_answer(), make_answer("wrong", repeat=1)]).tally)
    shown.add(sum_up([make_answer("wrong"), make_answer("error", repeat=1)]).tally)
    assert shown.format_line(now[0]) == (
        "7/40 17% · right 85.7% · 1 unanswered · 1.3 answers/s · 1.6k tokens · $3.25 · 0:47 left"
    )


def test_what_comes_from_the_store_or_was_not_asked_costs_nothing(now: list[float]) -> None:
    shown = show(_Log(0, width=200), 100)
    now[0] = 10.0
    shown.add(
        sum_up([make_answer(reused=True), make_answer("skipped", usage={}), make_answer("error", usage={})]).tally
    )
    assert shown.format_line(now[0]) == "1/100 1% · right 100.0% · 1 unanswered"
    for _ in range(3):
        shown.add(sum_up([make_answer(usage={"prompt": None, "completion": 7}, cost=0.5)]).tally)
    assert shown.format_line(now[0]) == "4/100 4% · right 100.0% · 1 unanswered · 21 tokens · $1.50"
    shown.add(sum_up([make_answer(cost=None), make_answer("truncated")]).tally)
    assert shown.format_line(now[0]) == (
        "5/100 5% · right 83.3% · 1 unanswered · 0.5 answers/s · 261 tokens · 3:10 left"
    ), "a price that is unknown makes the sum unknown"


class LastFirst(Model):
    """Answers the question whose turn is first once the others are known to be answered."""

    identity: Mapping[str, object] = {}
    pinned = True
    seen = threading.Event()

    @classmethod
    def create(cls, name: str, *, url: str | None, args: Mapping[str, str]) -> Self:
        return cls()

    async def answer(self, request: Request) -> Completion:
        # Not the question that is asked first: a later one may be built before it.
        if request.instance.id == "python/0000[prompting:direct]":
            assert await asyncio.to_thread(self.seen.wait, 60)
        return Completion(text=request.ask.truth)


def test_a_run_counts_the_answers_that_a_model_gives_before_their_turn(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, wait = list[int](), Progress.wait

    def note(shown: Progress, ahead: int) -> None:
        counts.append(ahead)
        if ahead == 3:
            LastFirst.seen.set()
        wait(shown, ahead)

    monkeypatch.setattr(Progress, "wait", note)
    monkeypatch.setattr("pytest_codereason.session.running.progress.LOG_S", 0.0)
    project.suite(count=2)
    result = project.run(f"--model={__name__}:LastFirst")
    assert result.ret == 0
    assert counts[-1] == 3
    result.stdout.fnmatch_lines(["3/4 75%*"])


@pytest.mark.parametrize("kind", [_Log, _Screen])
def test_answers_that_come_before_their_turn_are_counted(kind: type[_Log], now: list[float]) -> None:
    log = kind(0, width=200)
    shown = show(log, 40)
    now[0] = 31.0
    shown.wait(0)
    assert log.lines == [], "nothing has come yet"
    shown.wait(8)
    assert log.lines == ["8/40 20% · 2:04 left"]
    shown.add(sum_up([make_answer()]).tally)
    now[0] = 62.0
    shown.wait(10)
    assert log.lines[1] == "11/40 27% · right 100.0% · 120 tokens · $0.25 · 2:43 left"
    now[0] = 93.0
    for _ in range(10):
        shown.add(sum_up([make_answer()]).tally)
    assert shown.format_line(now[0]).startswith("11/40 27%"), "each of them has had its turn"


def test_the_time_left_is_told_once_enough_is_done(now: list[float]) -> None:
    shown = show(_Log(0, width=200), 200)
    now[0] = 90.0
    for done in range(1, 201):
        shown.add(None)
        assert ("left" in shown.format_line(now[0])) == (10 <= done < 200)
    assert shown.format_line(now[0]) == "200/200 100%"


def test_a_narrow_terminal_keeps_the_first_parts_and_the_time_left(now: list[float]) -> None:
    lines = []
    for width in (100, 40, 30, 5):
        log = _Log(0, width=width)
        shown = show(log, 10)
        now[0] += 10.0
        for _ in range(5):
            shown.add(sum_up([make_answer()]).tally)
        now[0] += 10.0
        lines.append(shown.format_line(now[0]))
        assert len(lines[-1]) < width
    assert lines == [
        "5/10 50% · right 100.0% · 0.2 answers/s · 600 tokens · $1.25 · 0:20 left",
        "5/10 50% · right 100.0% · 0:20 left",
        "5/10 50% · 0:20 left",
        "5/10",
    ]


def test_a_terminal_is_refreshed_five_times_a_second_and_at_the_end(now: list[float]) -> None:
    screen = _Screen(0)
    shown = show(screen, 30)
    assert shown.live
    assert shown.replaces_letters
    shown.begin()
    assert screen.lines == ["", "0/30 · waiting for the first answers"]
    for _ in range(28):
        now[0] += 0.125
        shown.add(None)
    assert len(screen.lines) == 2 + 14
    shown.add(None)
    assert len(screen.lines) == 2 + 14
    shown.add(None)
    assert screen.lines[-1] == "30/30 100%"


@pytest.mark.parametrize(("verbosity", "live", "replaces"), [(0, False, False), (-1, False, True), (1, False, False)])
def test_a_log_has_letters_unless_it_is_quiet(verbosity: int, live: bool, replaces: bool) -> None:
    log = _Log(verbosity)
    shown = show(log, 3)
    assert (shown.live, shown.replaces_letters) == (live, replaces)
    shown.begin()
    for _ in range(3):
        shown.add(None)
    assert log.lines == [], "it is over before the first line is due"
    assert not show(_Screen(1), 3).live
    Progress(None, 3).add(sum_up([make_answer()]).tally)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1_000, "1.0k"), (1_270, "1.3k"), (1e6, "1.0M"), (1_234_567, "1.2M"), (1e9, "1.0G")],
)
def test_numbers_are_short(number: float, text: str) -> None:
    assert shorten_number(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (59.9, "0:59"), (60, "1:00"), (125, "2:05"), (3599, "59:59"), (3600, "1:00:00"), (7325, "2:02:05")],
)
def test_times_are_those_of_a_clock(seconds: float, text: str) -> None:
    assert format_clock(seconds) == text
