"""Orders and checked runs of small projects, without a command of pytest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_codereason.core import Model
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.engine import Engine
from pytest_codereason.engine.jobs import Job
from pytest_codereason.engine.limits.prompt_lengths import count_kinds
from pytest_codereason.engine.tallies import judge_item
from pytest_codereason.options import Options
from pytest_codereason.session.checking.checked_run import CheckedRun, check_run
from pytest_codereason.session.checking.checks import Selection, read_suites
from pytest_codereason.session.checking.models import Roster
from pytest_codereason.session.checking.trying import Trial
from pytest_codereason.session.collecting.suites import Suites
from pytest_codereason.session.description import describe_run
from pytest_codereason.session.live_run import LiveRun
from pytest_codereason.session.order import Command, Order
from tests.engine.tellers import Teller
from tests.session.collected import read_typed
from tests.session.conftest import Project
from tests.session.running.reported import make_report


def make_order(project: Project, *arguments: str, models: Mapping[str, Model] | None = None, **command: Any) -> Order:
    """What a command orders; by default of one model that tells the truth."""
    options: Options = read_typed(project, "--codereason-model=teller", *arguments)
    return Order(make_command(project, *arguments, **command), options, Roster(models or {"teller": Teller()}, {}))


def make_command(project: Project, *arguments: str, **known: Any) -> Command:
    defaults: dict[str, Any] = {
        "typed": {},
        "root": project.path,
        "collects_only": False,
        "files": frozenset(),
        "selector": "",
        "junit_file": None,
    }
    return Command(arguments=arguments, **{**defaults, **known})


def list_items(*files: Path) -> list[tuple[Path, str]]:
    """Every question of these suites, each a suite file and the id of its item."""
    suites = read_all()
    return [(file, f"{file.name}::{spec.id}") for file in files for spec in suites.read(file).specs()]


def read_all() -> Suites:
    return Suites(seed=None, sampling={}, writer=None, add_marker=lambda line: None)


def select(*files: Path) -> Selection:
    items = ((path, nodeid.rpartition("::")[2]) for path, nodeid in list_items(*files))
    return read_suites(read_all(), count_kinds(items), files)


def check(order: Order, *files: Path) -> CheckedRun:
    """The run of these suites, checked."""
    selection, executor = select(*files), Executor("off")
    try:
        return check_run(order, selection, describe_run(order, selection, ""), executor, list_items(*files), Trial())
    finally:
        executor.close()


def open_run(order: Order, checked: CheckedRun) -> LiveRun:
    """The run, about to ask its first question."""
    return LiveRun(order, checked, "session", time.monotonic(), None)


def ask_all(order: Order, checked: CheckedRun, live: LiveRun, *, most: int | None = None) -> None:
    """Asks the questions of a run, and hands the reports of their items over."""
    models = order.roster.models
    suites = checked.selection.suites.values()
    jobs = [Job(label, suite, spec) for suite in suites for spec in suite.specs() for label in models][:most]
    with Engine(models, store=order.options.store, executor=Executor("off")) as engine:
        for job, records in zip(jobs, engine.records(jobs), strict=True):
            outcome, _ = judge_item(records)
            nodeid = f"{job.suite.path.name}::{job.spec.id}"
            live.recorder.take(make_report(nodeid, outcome, *records, failed=outcome in ("miss", "error")))
