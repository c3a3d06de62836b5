"""A run from its first question to its verdicts."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.core import Completion, Request
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import UsageError
from tests.engine.tellers import Teller, tell_truth
from tests.session.conftest import Project
from tests.session.ordered import ask_all, check, make_order, open_run


def err(request: Request) -> Completion:
    return Completion(text="[ANSWER]nothing[/ANSWER]")


def tell_right(request: Request) -> Completion:
    return replace(tell_truth(request), prefilled=True)


def err_in_php(request: Request) -> Completion:
    return err(request) if request.instance.language == "php" else tell_right(request)


@pytest.mark.parametrize(
    ("say", "arguments", "code"),
    [
        (tell_right, (), 0),
        (err, (), 0),
        (err, ("--eval-strict",), 1),
        (tell_right, ("--eval-strict",), 0),
        (err, ("--eval-gate=small.exact >= 50%", "--eval-claim=suite"), 1),
        (tell_right, ("--eval-gate=small.exact >= 50%", "--eval-claim=suite"), 0),
        (err_in_php, ("--eval-gate=small.exact >= 50%",), 10),
    ],
)
def test_misses_alone_are_no_failure_and_gates_decide(
    project: Project, say: object, arguments: tuple[str, ...], code: int
) -> None:
    order = make_order(project, *arguments, models={"teller": Teller(say)})  # type: ignore[arg-type]
    checked = check(order, project.suite(count=2))
    live = open_run(order, checked)
    ask_all(order, checked, live)
    failed = live.recorder.failures
    ended = live.end(0, failed=failed, asked_to_stop=False)
    assert (ended.exit_code, ended.trouble, ended.unasked) == (code, "", [])
    run = project.run_json(str(live.folder.path))
    assert run["complete"]
    assert run["wall_s"] is not None
    assert run["finished"]
    assert (live.folder.path / "seal.json").exists()
    assert len(ended.verdicts) == len(order.options.gates)


@pytest.mark.parametrize(
    ("exitstatus", "asked_to_stop", "more_failed", "code"),
    [(0, False, 1, 1), (1, False, 0, 0), (2, False, 0, 2), (2, True, 0, 1), (3, False, 0, 3), (4, False, 0, 4)],
)
def test_what_pytest_says_comes_before_the_gates(
    project: Project, exitstatus: int, asked_to_stop: bool, more_failed: int, code: int
) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    ask_all(order, checked, live)
    failed = live.recorder.failures + more_failed
    assert live.end(exitstatus, failed=failed, asked_to_stop=asked_to_stop).exit_code == code


def test_a_run_that_lacks_answers_stays_open_and_fails(project: Project) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=2))
    (suite,) = checked.selection.suites.values()

    def find_run() -> str:
        with closing(Store(order.options.store)) as store:
            return OpenRuns(store, order.roster.models["teller"]).find(suite.plan)

    live = open_run(order, checked)
    ask_all(order, checked, live, most=2)
    before = find_run()
    ended = live.end(0, failed=0, asked_to_stop=False)
    assert (ended.exit_code, ended.unasked) == (1, ["small in php of teller"])
    assert not project.run_json(str(live.folder.path))["complete"]
    assert find_run() == before, "the same command goes on"
    again = open_run(order, check(order, suite.path))
    ask_all(order, checked, again)
    assert again.end(0, failed=0, asked_to_stop=False).exit_code == 0
    assert find_run() != before, "the next command asks anew"


def test_records_that_cannot_be_written_end_the_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)

    def fail(row: object) -> None:
        raise OSError(28, "No space left on device")

    assert live.find_stop() == ""
    monkeypatch.setattr(live.folder, "add", fail)
    ask_all(order, checked, live)
    assert "No space left on device" in live.find_stop()
    ended = live.end(0, failed=0, asked_to_stop=False)
    assert (ended.result, ended.exit_code, ended.verdicts) == (None, 1, ())
    assert "No space left on device" in ended.trouble


def test_a_run_ends_early_once_its_gates_are_decided(project: Project) -> None:
    order = make_order(project, "--eval-gate=small.exact >= 10%", "--eval-stop-when-decided", "--eval-claim=suite")
    path = project.suite(count=60)
    checked = check(order, path)
    live = open_run(order, checked)
    (suite,) = checked.selection.suites.values()
    notes = live.watch((path, f"{path.name}::{spec.id}") for spec in suite.specs())
    assert notes == []
    ask_all(order, checked, live, most=116)  # the programs that are drawn first among them
    assert live.find_stop() == "every gate is decided"
    ended = live.end(2, failed=0, asked_to_stop=True)
    assert ended.exit_code == 0
    stopped = json.loads((live.folder.path / "run.json").read_text())["stopped_early"]
    assert (stopped["asked"], stopped["of"]) == (116, 120)


@pytest.mark.parametrize(("price", "known"), [((1.0, 1.0), True), (None, False)])
def test_what_was_spent_is_known_where_every_price_is(
    project: Project, price: tuple[float, float] | None, known: bool
) -> None:
    models = {"one": Teller(label="one"), "two": Teller(label="two")}
    models["one"].price, models["two"].price = (1.0, 1.0), price
    order = make_order(project, models=models)
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    ask_all(order, checked, live)
    live.end(0, failed=0, asked_to_stop=False)
    spent = project.run_json(str(live.folder.path))["spent"]
    assert (spent is not None) is known


def test_a_folder_belongs_to_its_run_until_the_end(project: Project) -> None:
    order = make_order(project, f"--eval-report={project.path / 'here'}")
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    with pytest.raises(UsageError, match="here"):
        open_run(order, checked)
    live.end(0, failed=0, asked_to_stop=False)
    open_run(order, checked).end(0, failed=0, asked_to_stop=False)


def test_the_signal_to_end_is_handled_only_while_questions_are_asked(project: Project) -> None:
    before = signal.getsignal(signal.SIGTERM)
    order = make_order(project, f"--eval-report={project.path / 'here'}")
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    assert live.folder.path == Path(project.path / "here")
    assert signal.getsignal(signal.SIGTERM) is not before
    live.end(0, failed=0, asked_to_stop=False)
    assert signal.getsignal(signal.SIGTERM) is before
