"""Runs that somebody has changed: each change is refused, by the seal or, sealed again, by what contradicts it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.results.records.loading import load_frame
from tests.examples import mostly_slow, take_every
from tests.keys import make_keys
from tests.session.conftest import Project, project
from tests.stored import (
    GATE,
    MODELS,
    ask,
    change_rows,
    change_run,
    copy_small,
    find_small,
    prepare,
    read_rows,
    seal_again,
    unseal,
)

__all__ = ["project"]

REFUSED = 4
Change = Callable[[list[dict[str, Any]]], Sequence[dict[str, Any]] | None]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return copy_small(tmp_path / "run")


def ask_here(project: Project, name: str, *arguments: str) -> Path:
    """Asks a small suite in this process, in the folder ``name`` of the project, and gives the run folder."""
    (folder := project.path / name).mkdir(exist_ok=True)
    result = project.run(*prepare(folder), *MODELS, *arguments)
    assert (folder / "run/run.json").exists(), "\n".join([*result.outlines, *result.errlines])
    return folder / "run"


def find_row(rows: list[dict[str, Any]], outcome: str) -> dict[str, Any]:
    return next(row for row in rows if row["outcome"] == outcome)


def change_one(which: str, **changes: Any) -> Change:
    def change(rows: list[dict[str, Any]]) -> None:
        row = find_row(rows, which)
        for name, value in changes.items():
            row[name] = {**row[name], **value} if isinstance(value, dict) else value

    return change


def claim_right(rows: list[dict[str, Any]]) -> None:
    """A wrong answer becomes the right one, with all that a verdict says of it, but not its reply."""
    row, right = find_row(rows, "wrong"), find_row(rows, "correct")
    row |= {"outcome": "correct", "reason": "", "answer": row["expected"], "metrics": right["metrics"]}


def skip_wrong(rows: list[dict[str, Any]]) -> None:
    row = find_row(rows, "wrong")
    row |= {"outcome": "skipped", "reason": "broken", "metrics": {}, "answer": None, "response": None, "steps": []}


@pytest.mark.slow
def test_a_run_as_it_was_written_passes(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(run)]) == 0
    assert capsys.readouterr().err == ""


FORGERIES: dict[str, tuple[Change, str]] = {
    "metric": (change_one("wrong", metrics={"exact": 1}), "metrics.exact of .* is 1, but the outcome is wrong"),
    "partial": (change_one("wrong", metrics={"partial": 0.75}), "metrics.partial is 0.75, but its reply makes it"),
    "outcome": (
        change_one("wrong", outcome="correct", metrics={"exact": 1, "exact_answered": 1}),
        "outcome is 'correct', but its reply makes it 'wrong'",
    ),
    "verdict": (claim_right, "outcome is 'correct', but its reply makes it 'wrong'"),
    "answer": (change_one("correct", answer="[0]"), "answer is '\\[0\\]', but its reply makes it"),
    "expected": (change_one("correct", expected="[0]"), "outcome is 'correct', but its reply makes it 'wrong'"),
    "response": (change_one("correct", response="[0]"), "the response is not the last reply"),
    "grounds": (change_one("correct", grounds=None), "the task cannot judge it again"),
    "no steps": (change_one("correct", steps=[]), "the task cannot judge it again"),
    "skipped": (change_one("wrong", outcome="skipped"), "is recorded as skipped, but it has an answer"),
    "wholly skipped": (skip_wrong, "run.json counts other skipped questions"),
    "deleted": (lambda rows: rows[1:], "1 question has no record, though the run is complete"),
    "duplicated": (lambda rows: [*rows, rows[0]], "1 record of answers that are recorded again further down"),
    "added": (lambda rows: [*rows, rows[0] | {"id": "python/new[]"}], "has records of 13 questions, but 12 were asked"),
}


@pytest.mark.parametrize("name", mostly_slow(FORGERIES, 5))
def test_a_changed_record_breaks_the_seal(run: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    change_rows(run, FORGERIES[name][0])
    assert main(["judge", str(run)]) == REFUSED
    assert "the seal is broken: 1 record is " in capsys.readouterr().err


@pytest.mark.parametrize("again", [seal_again, unseal])
@pytest.mark.parametrize("name", mostly_slow(FORGERIES, 3))
def test_a_changed_record_contradicts_the_rest_under_another_seal_and_under_none(
    run: Path, name: str, again: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    change, said = FORGERIES[name]
    change_rows(run, change)
    again(run)
    for command in (["judge", str(run)], ["compare", str(run), str(run)]):
        assert main(command) == REFUSED
        assert re.search(said, capsys.readouterr().err)


def test_the_record_is_named(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = read_rows(run)
    number = rows.index(find_row(rows, "wrong")) + 1
    change_rows(run, claim_right)
    seal_again(run)
    main(["judge", str(run)])
    assert f"{run}: records.jsonl:{number} ({rows[number - 1]['id']}): outcome is" in capsys.readouterr().err


def test_every_command_that_decides_refuses(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = copy_small(tmp_path / "good")
    change_rows(run, claim_right)
    page = tmp_path / "page.html"
    for command in (
        ["compare", str(good), str(run)],
        ["leaderboard", str(good), str(run), "-o", str(page)],
        ["merge", str(run), "-o", str(tmp_path / "joined")],
        ["judge", str(good), "--baseline", str(run), "--gate", "small.exact[model=baseline:truth] >= baseline - 1%"],
    ):
        assert main(command) == REFUSED
        assert "records.jsonl:" in capsys.readouterr().err
    assert not page.exists()
    assert not (tmp_path / "joined").exists()


def test_a_report_is_written_with_what_speaks_against_the_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change_rows(run, claim_right)
    assert main(["report", str(run)]) == 0
    assert "NOTE  " in (error := capsys.readouterr().err)
    assert "outcome is 'correct', but its reply makes it 'wrong'" in error


def count_partly(content: dict[str, Any]) -> None:
    for metric in content["suites"]["small"]["metrics"]:
        metric |= {"of": ["correct"], "title": "Mine"}


def test_a_metric_means_what_its_task_says(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A share of the right answers among the right answers is 1, whatever the model."""
    gate = ["--gate", "small.exact[model=baseline:chance] >= 90%", "--claim=suite"]
    assert main(["judge", str(run), *gate]) == 1
    change_run(run, count_partly)
    assert main(["judge", str(run), *gate]) == REFUSED
    seal_again(run)
    assert main(["judge", str(run), *gate]) == 1
    assert "Mine" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"instances": 5}, "small has 5 questions, but its conditions have another number"),
        ({"selected": 11}, "11 questions of small were selected, but all are 12"),
        ({"cells": [[6, {"language": "python"}], [0, {"language": "php"}]], "selected": 12}, ""),
        ({"cells": [[2, {"language": "python", "prompting": "cot"}], [4, {"language": "python"}]]}, "small has 6 of 4"),
    ],
)
def test_counts_that_do_not_agree_are_refused(
    run: Path, change: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change_run(run, lambda content: content["suites"]["small"].update(change))
    seal_again(run)
    assert main(["judge", str(run)]) == (REFUSED if said else 0)
    assert said in capsys.readouterr().err


def test_a_deleted_condition_is_seen_though_the_counts_are_changed(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_rows(run, lambda rows: [row for row in rows if row["axes"]["prompting"] == "direct"])
    change_run(run, lambda content: content["suites"]["small"].update({"instances": 3, "selected": 6}))
    seal_again(run)
    assert main(["judge", str(run)]) == REFUSED
    assert "prompting=cot" in capsys.readouterr().err


def test_a_run_of_an_earlier_version_is_judged(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no seal, no grounds, and does not say the version of its task."""
    change_rows(run, lambda rows: [row for row in rows if row.pop("grounds")])
    change_run(run, lambda content: content["suites"]["small"].pop("task_version"))
    unseal(run)
    assert main(["judge", str(run)]) == 0
    error = capsys.readouterr().err
    assert "nothing seals this run" in error
    assert "nobody has read the replies to small again" in error


@pytest.mark.parametrize("change", [{"task_version": 9}, {"task": "mine.tasks:Output"}])
def test_naming_another_task_keeps_nobody_from_reading_the_replies(
    run: Path, change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdicts are changed, and the run says that another task gave them."""
    change_rows(run, claim_right)
    change_run(run, lambda content: content["suites"]["small"].update(change))
    unseal(run)
    assert main(["judge", str(run)]) == REFUSED
    assert "nobody has read its replies" in capsys.readouterr().err
    assert main(["judge", str(run), "--accept-unread"]) != REFUSED


def test_a_damaged_disk_leaves_a_way_on(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (run / "records.jsonl").read_bytes().splitlines(keepends=True)
    lines[4] = lines[4][:50] + b"\xff\x00" + lines[4][52:]
    (run / "records.jsonl").write_bytes(b"".join(lines))
    assert main(["judge", str(run)]) == REFUSED
    assert "--accept-broken" in capsys.readouterr().err
    assert main(["judge", str(run), "--accept-broken", "--allow-partial"]) == 0
    error = capsys.readouterr().err
    assert "NOTE" in error
    assert "records.jsonl:5" in error
    assert "1 damaged line of records left out" in error
    unseal(run)
    assert main(["judge", str(run), "--allow-partial"]) == 0


def test_no_option_takes_a_run_that_contradicts_itself(run: Path) -> None:
    change_rows(run, claim_right)
    assert main(["judge", str(run), "--accept-broken"]) == REFUSED


@pytest.mark.slow
def test_a_signature_is_verified(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    private, public = make_keys(tmp_path / "own")
    _, other = make_keys(tmp_path / "other")
    run = ask_here(project, "own", f"--eval-gate={GATE}", "--eval-claim=suite", f"--eval-sign={private}")
    assert main(["judge", str(run), f"--verify={public}"]) == 0
    assert main(["judge", str(run), f"--verify={other}"]) == REFUSED
    assert "its signature is not by the key of" in capsys.readouterr().err
    change_run(run, lambda content: content.update({"cost": 0.5}))
    assert main(["judge", str(run), f"--verify={public}"]) == REFUSED
    seal_again(run)
    assert main(["judge", str(run)]) == 0
    assert main(["judge", str(run), f"--verify={public}"]) == REFUSED
    assert "it is not signed" in capsys.readouterr().err
    unseal(run)
    assert main(["judge", str(run), f"--verify={public}"]) == REFUSED


@pytest.mark.slow
def test_a_changed_baseline_ends_a_run_before_it_begins(project: Project, run: Path) -> None:
    gate = "--eval-gate=small.exact[model=baseline:truth] >= baseline - 50%"
    ask_here(project, "again", gate, f"--eval-baseline={run}")
    change_rows(run, claim_right)
    with pytest.raises(AssertionError, match=r"--eval-baseline: .*run: the seal is broken: 1 record is changed"):
        ask_here(project, "more", gate, f"--eval-baseline={run}")


@pytest.mark.slow
def test_a_key_that_cannot_be_read_ends_the_run_before_it_begins(project: Project, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"the key .* cannot be read"):
        ask_here(project, "unsigned", f"--eval-sign={tmp_path / 'none'}")


@pytest.mark.slow
def test_a_run_that_goes_on_is_sealed_anew(project: Project, tmp_path: Path) -> None:
    """Another session writes all records of an incomplete run, and seals these."""
    private, public = make_keys(tmp_path / "own")
    first = ask_here(project, "small")
    change_run(first, lambda content: content.update({"complete": False}))
    before = (first / "seal.json").read_bytes()
    run = ask_here(project, "small", f"--eval-sign={private}")
    assert (run / "seal.json").read_bytes() != before
    assert main(["judge", str(run), "--gate", GATE, "--claim=suite", f"--verify={public}"]) == 0


@pytest.mark.slow
def test_joined_shards_are_sealed_and_signed(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    private, public = make_keys(tmp_path / "own")
    options = [(f"--eval-shard={number}/2", f"--eval-sign={private}") for number in (1, 2)]
    shards = [str(ask_here(project, f"shard{number}", *more)) for number, more in enumerate(options)]
    joined = str(tmp_path / "joined")
    assert main(["merge", *shards, "-o", joined, f"--verify={public}", f"--sign={private}"]) == 0
    assert main(["judge", joined, "--gate", GATE, "--claim=suite", f"--verify={public}"]) == 0
    assert "NOTE" not in capsys.readouterr().err


@pytest.mark.slow
def test_workers_write_a_run_that_is_sealed(tmp_path: Path) -> None:
    run = ask(tmp_path, *MODELS, "-n2", f"--eval-gate={GATE}", "--eval-claim=suite")
    assert main(["judge", str(run)]) == 0


def edit(content: bytes, draw: random.Random) -> bytes:
    """The content with one byte replaced, inserted or left out."""
    place = draw.randrange(len(content))
    byte = bytes([draw.choice((draw.randrange(256), *b'01 ",[]{}en'))])
    kind = draw.choice(("replace", "replace", "insert", "delete"))
    return content[:place] + (b"" if kind == "delete" else byte) + content[place + (kind != "insert") :]


@pytest.mark.slow
def test_an_edited_byte_is_refused_or_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, draw, many = copy_small(tmp_path / "run"), random.Random(1), 720 // take_every(9)
    names = ("records.jsonl", "records.jsonl", "records.jsonl", "run.json", "run.json", "seal.json")
    files = {name: (run / name).read_bytes() for name in names}
    assert main(["judge", str(run)]) == 0
    judged = capsys.readouterr().out
    refused = 0
    for _ in range(many):
        name = draw.choice(names)
        changed = edit(files[name], draw)
        (run / name).write_bytes(changed)
        code = main(["judge", str(run)])
        said = capsys.readouterr()
        if code == REFUSED:
            refused += 1
            assert said.err.startswith("ERROR: ")
        else:
            assert (code, said.out) == (0, judged), (name, changed)
        (run / name).write_bytes(files[name])
    assert refused > 0.5 * many


@pytest.mark.parametrize("words", [["figure"], ["table"], ["table", "--records", "--format=csv"], ["status"]])
def test_commands_that_decide_nothing_say_that_a_run_was_changed(
    run: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    command, *options = words
    assert main([command, str(run), *options]) == 0
    assert not capsys.readouterr().err
    change_rows(run, change_one("correct", latency_s=7.5))
    assert main([command, str(run), *options]) == 0
    assert re.match(rf"NOTE  {run}: the seal is broken: 1 record is changed", capsys.readouterr().err)
    assert "1 record is changed" in load_frame(run).attrs["changes"][0]


def test_a_run_that_goes_on_is_not_said_to_be_changed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change_run(run, lambda content: content.pop("finished"))
    assert main(["status", str(run)]) == 0
    assert not capsys.readouterr().err
    assert load_frame(run).attrs["changes"] == []


def test_a_baseline_of_an_earlier_version_says_what_was_not_checked(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_run(run, lambda content: [suite.pop("task_version") for suite in content["suites"].values()])
    unseal(run)
    baseline = ["--baseline", str(run), "--gate", "small.exact >= baseline - 5%"]
    assert main(["judge", str(find_small()), *baseline]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"NOTE  {run}: nothing seals this run: nobody can tell whether it was changed",
        f"NOTE  {run}: nobody has read the replies to small again: verdicts are as recorded",
    ]
