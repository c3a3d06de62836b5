"""What the terminal says of a run, below the collection and at its end."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from _pytest.terminal import TerminalReporter

from pytest_codereason.session.live_run import Ended
from pytest_codereason.session.running.runtest_protocol import UNNEEDED
from pytest_codereason.session.summary import format_collected, write_dry_run, write_summary
from tests.session.conftest import PLUGINS, Project
from tests.session.ordered import ask_all, check, make_order, open_run


def make_terminal(project: Project) -> tuple[TerminalReporter, io.StringIO]:
    written = io.StringIO()
    config = project.pytester.parseconfig(*(f"-p{name}" for name in PLUGINS))
    return TerminalReporter(config, written), written


def test_the_lines_below_the_collection_say_what_is_asked_and_what_is_to_know(project: Project) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=2))
    told = replace(
        checked,
        description={**checked.description, "selection": "4 of 8 questions"},
        selection=replace(checked.selection, left_out={"far.suite.toml": "no data"}),
        notes=["a note"],
    )
    assert format_collected(order, told, None) == [
        "codereason: small 4 questions (a part)",
        "codereason: left out: 1 suite (far): no data",
        "codereason: a note",
    ]
    live = open_run(order, checked)
    lines = format_collected(order, checked, live)
    assert lines[0] == "codereason: small 4 questions"
    assert lines[1].startswith("codereason: report in reports/")
    assert lines[2].startswith("codereason: teller: 4 requests, about ")
    ask_all(order, checked, live, most=3)
    assert "codereason: resuming: 3 answers are already stored" in format_collected(order, checked, live)
    anew = replace(order, options=replace(order.options, reuse_s=0.0))
    assert not any("resuming" in line for line in format_collected(anew, checked, live))
    for tier, said in (
        ("namespaces+landlock+seccomp", "codereason: sandbox: namespaces+landlock+seccomp"),
        ("seccomp", "codereason: sandbox: seccomp (programs can read your files, and the keys in them)"),
        ("none", "codereason: sandbox: none (no code is run)"),
    ):
        ran = replace(checked, description={**checked.description, "sandbox": tier})
        assert format_collected(order, ran, live)[-1] == said
    live.end(0, failed=0, asked_to_stop=False)


def test_what_was_not_needed_is_counted_and_a_run_that_stopped_says_how_to_ask_the_rest(project: Project) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=2))
    live = open_run(order, checked)
    ask_all(order, checked, live)
    ended = live.end(0, failed=0, asked_to_stop=False)
    live.recorder.outcomes[UNNEEDED] = 1_200
    terminal, written = make_terminal(project)
    write_summary(terminal, order, {**checked.description, "stopped_early": {}}, live, ended)
    lines = written.getvalue().splitlines()
    assert "asked 4 of 1,204, the rest was not needed" in lines
    assert lines[-1] == "to ask the rest too, run again without --eval-stop-when-decided"


def test_an_incomplete_run_says_how_it_goes_on(project: Project) -> None:
    order = make_order(project, "--eval-reuse=0")
    checked = check(order, project.suite(count=2))
    live = open_run(order, checked)
    ask_all(order, checked, live, most=2)
    ended = live.end(0, failed=0, asked_to_stop=False)
    terminal, written = make_terminal(project)
    write_summary(terminal, order, checked.description, live, ended)
    text = written.getvalue()
    assert "codereason" in text.splitlines()[0]
    assert "report: reports/" in text
    assert "incomplete; to continue, run again without --eval-reuse: pytest --eval-reuse=0" in text
    assert "nothing was asked" not in text, "only a complete run says so"


@pytest.mark.parametrize("unasked", [[], ["small in php of teller"]])
def test_a_complete_run_names_what_was_not_asked(project: Project, unasked: list[str]) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    ask_all(order, checked, live)
    ended = live.end(0, failed=0, asked_to_stop=False)
    terminal, written = make_terminal(project)
    write_summary(terminal, order, checked.description, live, replace(ended, unasked=unasked))
    text = written.getvalue()
    assert ("nothing was asked: small in php of teller" in text) is bool(unasked)
    assert "incomplete" not in text


def test_trouble_with_the_disk_stands_first(project: Project) -> None:
    order = make_order(project)
    checked = check(order, project.suite(count=1))
    live = open_run(order, checked)
    live.end(0, failed=0, asked_to_stop=False)
    terminal, written = make_terminal(project)
    write_summary(terminal, order, checked.description, live, Ended(None, "the disk is full", [], 1))
    assert written.getvalue().splitlines()[1] == "the disk is full"


def test_a_dry_run_says_what_it_counted_and_nothing_where_nothing_was(project: Project) -> None:
    terminal, written = make_terminal(project)
    write_dry_run(terminal, [])
    assert written.getvalue() == ""
    write_dry_run(terminal, ["one", "two"])
    assert written.getvalue().splitlines()[1:] == ["one", "two"]
