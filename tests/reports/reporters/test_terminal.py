from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from pytest_codereason.core import Outcome
from pytest_codereason.reports.reporters import terminal
from pytest_codereason.reports.reporters.report_html import HtmlReport
from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.records.records import DamagedLines
from tests.reports.reporters.pages import Finished, finish, hostile, ordinary
from tests.results.synthetic import make_row, make_run


def text_of(run: Finished, width: int = 80, **more: bool) -> str:
    return "\n".join(text for text, _ in terminal.write_lines(run.report, width, **more))


@pytest.mark.parametrize("width", [40, 80, 100, 132, 200])
@pytest.mark.parametrize("page", [ordinary, hostile])
def test_it_fits(page: object, width: int, tmp_path: Path) -> None:
    assert callable(page)
    text = text_of(page(tmp_path), width)
    assert max(map(len, text.splitlines())) <= max(80, width)
    assert not any(ord(c) < 32 and c != "\n" for c in text)


def test_what_it_says(tmp_path: Path) -> None:
    run = ordinary(tmp_path)
    model = run.report.summary.suites["semtrace"].models["openai:strong-1"]
    text = text_of(run)
    first, second = model.headlines
    exact = first.metrics["exact"]
    assert (first.where, second.where) == ({"prompting": "direct"}, {"prompting": "cot"})
    assert "openai:strong-1: direct" in text
    assert "openai:strong-1: cot" in text
    assert f"{exact.value:.3f} [{exact.low:.3f}, {exact.high:.3f}]" in text
    outcomes: list[Outcome] = ["correct", "wrong", "invalid", "truncated"]
    for outcome in outcomes:
        assert f"{outcome} {first.counts.outcomes[outcome]}" in text
    delta = model.sweeps[0].entries[2].deltas["exact"]
    assert delta
    line = next(line for line in text.splitlines() if re.match(" +php ", line))
    assert f"{delta.value:+.3f}".replace("-", "−") in line
    assert text.splitlines()[-1].startswith(("PASS", "FAIL", "      "))


def test_unanswered_questions_stand_beside_the_headline(tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    rows += [make_row(id=f"e{i}", outcome="error", reason="rate limit") for i in range(12)]
    run = finish(tmp_path, make_run(models=["m"]), rows)
    lines = terminal.write_lines(run.report)
    assert any("5*" in text and "1.000 [" in text for text, _ in lines)
    assert ("* semtrace, m: 12 unanswered, excluded from every score (rate limit)", {"yellow": True}) in lines
    assert any("unanswered 12" in text and markup == {"yellow": True} for text, markup in lines)


@pytest.mark.parametrize(("outcome", "reason"), [("error", "unanswered"), ("truncated", "none counts")])
def test_reasons_stay_in_their_columns(outcome: str, reason: str, tmp_path: Path) -> None:
    rows = [make_row(id=f"{i}", family=f"{i}", model="good") for i in range(5)]
    rows += [make_row(id=f"{i}", family=f"{i}", model="none", outcome=outcome, metrics={}) for i in range(5)]
    run = finish(tmp_path, make_run(suites={"semtrace": {}}, models=["good", "none"]), rows)
    lines = {line.split()[0]: line for line in text_of(run, 120).splitlines() if line.strip()}
    end = lines["model"].index("unresolved") + len("unresolved")
    assert lines["good"][:end].endswith(" 0.000")
    assert lines["none"][:end].endswith(f" {reason}")


def test_verdicts_come_last_and_in_colour(tmp_path: Path) -> None:
    rows = [make_row(id=str(i), family=str(i)) for i in range(5)]
    run = finish(
        tmp_path,
        make_run(models=["m"]),
        rows,
        ["semtrace.exact >= 0.3", "semtrace.exact < 0.3", "semtrace.exact >= 0.9"],
    )
    lines = terminal.write_lines(run.report, 300)
    assert [(text[:32], markup) for text, markup in lines[-3:]] == [
        ("PASS       semtrace.exact = 1.00", {"green": True}),
        ("FAIL       semtrace.exact = 1.00", {"red": True, "bold": True}),
        ("UNDECIDED  semtrace.exact = 1.00", {"yellow": True, "bold": True}),
    ]


def test_partial_and_damage_are_said(tmp_path: Path) -> None:
    run = finish(tmp_path, make_run(models=["m"], selection="-k 'php'"), [make_row()])
    summary = replace(run.report.summary, damaged=DamagedLines(2, ("records.jsonl:7: torn",)))
    run.report = replace(run.report, summary=summary)
    text = text_of(run)
    assert "PARTIAL  -k 'php'" in text
    assert "2 damaged records left out, first: records.jsonl:7: torn" in text


def test_a_wide_terminal_shows_more(tmp_path: Path) -> None:
    run = ordinary(tmp_path)
    assert "relative" not in text_of(run, 80)
    assert "relative" in text_of(run, 120)
    assert "exact_answered 0." in text_of(run, 80)  # beneath, as it has no column


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        (["vanilla", "mine.perturbation:LongAdd(strength=1)"], "LongAdd(strength=1)"),
        (["vanilla", "mine.add:LongAdd(strength=1)", "other.add:LongAdd(strength=1)"], "mine.add:…rength=1)"),
        (["vanilla", "mine:Add"], "mine:Add"),
    ],
)
def test_a_part_from_outside_loses_its_module_where_its_name_is_too_long(
    tmp_path: Path, values: list[str], shown: str
) -> None:
    run = make_run(suites={"semtrace": {"language": ["python"], "perturbation": values}}, models=["m"])
    rows = [make_row(id=value, axes={"perturbation": value}) for value in values]
    text = text_of(finish(tmp_path, run, rows))
    assert re.search(rf"^ +(perturbation +)?{re.escape(shown)} ", text, re.MULTILINE)


def test_long_axis_values_stand_under_their_axis(tmp_path: Path) -> None:
    values = ["none", "rename", "rename+dead-code(strength=3)"]
    run = make_run(suites={"semtrace": {"language": ["python"], "perturbation": values}}, models=["m"])
    rows = [make_row(id=value, axes={"perturbation": value}) for value in values]
    lines = text_of(finish(tmp_path, run, rows)).splitlines()
    place = lines.index("  perturbation")
    assert [line.split()[0] for line in lines[place + 1 : place + 3]] == ["none", "rename"]
    assert lines[place + 3].startswith("    rename+d")
    assert "strength=3)" in lines[place + 3] or "…" in lines[place + 3]


def test_values_that_were_deselected_have_no_row(tmp_path: Path) -> None:
    run = make_run(suites={"semtrace": {"language": ["python", "php"], "digits": [2, 4, 6]}}, models=["m"])
    rows = [make_row(id=str(digits), language="php", axes={"digits": digits}) for digits in (4, 6)]
    finished = finish(tmp_path, run, rows)
    text = text_of(finished)
    assert "not asked" not in text.replace("reference not asked", "")
    assert "language" not in text, "only one was asked"
    assert [line.split()[0] for line in text.splitlines() if "reference not asked" in line] == ["digits", "6"]
    page = HtmlReport().write(*finished.parts).read_text()
    assert '<th scope="row">6</th>' in page
    assert '<th scope="row">2</th>' not in page


@pytest.mark.parametrize(("right", "said"), [(0, True), (9, True), (10, False)])
def test_one_reply_to_all_questions_is_said(tmp_path: Path, right: int, said: bool) -> None:
    rows = [make_row(id=str(n), family=str(n), outcome="wrong" if n >= right else "correct") for n in range(18)]
    finished = finish(tmp_path, make_run(models=["m"]), rows)
    sentence = "ne and the same reply to 18 of 18 different questions"  # the page begins a line with it
    assert (sentence in " ".join(text_of(finished).split())) == said
    assert (sentence in HtmlReport().write(*finished.parts).read_text()) == said


def test_other_replies_are_not_called_one(tmp_path: Path) -> None:
    rows = [make_row(id=str(n), family=str(n), outcome="wrong", response=str(n % 4)) for n in range(18)]
    assert "same reply" not in text_of(finish(tmp_path, make_run(models=["m"]), rows))


def test_a_question_that_shares_its_answer_is_no_other_question(tmp_path: Path) -> None:
    """Every mutation of a fault-robustness suite begins with the same first question."""
    run = make_run(models=["m"])
    later = {"reused": True, "steps": [{"answered_at": datetime.fromisoformat(run["started"]).timestamp() + 5}]}
    rows = [make_row(id=str(n), family=str(n), outcome="wrong") | (later if n > 2 else {}) for n in range(18)]
    finished = finish(tmp_path, run, rows)
    assert finished.report.summary.suites["semtrace"].models["m"].shared == 15
    assert "same reply" not in text_of(finished)


def test_no_records_at_all(tmp_path: Path) -> None:
    text = text_of(finish(tmp_path, make_run(), []))
    assert "not asked" in text
    assert "undefined" not in text
    assert "no records" in text


def test_what_the_figures_of_the_studies_show_is_said_in_a_sentence(tmp_path: Path) -> None:
    run = ordinary(tmp_path)
    curve = Picture(name="p", kind="own", title="Drops", sentence="m falls\x1b most under hint.", in_terminal=True)
    empty = replace(curve, title="Guesses alone", sentence="")
    run.report = replace(run.report, pictures=[curve, replace(curve, title="Curve", in_terminal=False), empty])
    lines = text_of(run).splitlines()
    assert "Drops. m falls\\x1b most under hint." in lines
    assert lines[lines.index("Drops. m falls\\x1b most under hint.") + 1] == ""
    assert not any(line.startswith(("Curve", "Guesses alone")) for line in lines)


def test_a_model_that_guesses_is_named_in_full(tmp_path: Path) -> None:
    run = make_run(suites={"semtrace": {"language": ["python"]}}, models=["m", "baseline:chance"])
    run["models"]["baseline:chance"]["identity"] = {"baseline": "chance"}
    finished = finish(tmp_path, run, [make_row(axes={}, model=model) for model in run["models"]])
    assert re.search(
        "^  baseline:chance +guesses at random, as a scale for the other models$", text_of(finished), re.MULTILINE
    )
