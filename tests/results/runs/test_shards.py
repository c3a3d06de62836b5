"""Shards joined to one run: order, overlaps, what is missing, and what belongs to another run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.errors import UsageError
from pytest_codereason.results.runs.shards import JoinedRun, join_shards
from tests.reports.comparing.words import make_small_run
from tests.results.synthetic import write_run

LETTERS = "cwcwcw"


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    """Three shards of six questions: programs 0 and 3, 1 and 4, 2 and 5."""
    return [write_shard(tmp_path / f"s{part}", part) for part in (1, 2, 3)]


def write_shard(folder: Path, part: int, letters: str = LETTERS, **changes: Any) -> Path:
    mine = "".join(letter if place % 3 == part - 1 else "-" for place, letter in enumerate(letters))
    argv = ["pytest", "a.suite.toml", f"--eval-shard={part}/3", "--eval-report", f"s{part}"]
    run, rows = make_small_run({"m": mine}, argv=argv, selection="2 of 6 questions", **changes)
    programs = {f"python/{place}": place for place in range(6) if place % 3 == part - 1}
    shard = {"part": part, "of": 3, "programs": programs}
    run["suites"]["semtrace"] |= {"instances": 6, "selected": 2, "shard": shard}
    write_run(folder, run, rows)
    return folder


def change_run(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    run = json.loads((folder / "run.json").read_text())
    change(run)
    (folder / "run.json").write_text(json.dumps(run))


def change_rows(folder: Path, **changes: Any) -> None:
    rows = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
    (folder / "records.jsonl").write_text("".join(json.dumps(row | changes) + "\n" for row in rows))


def read_ids(joined: JoinedRun, path: Path) -> list[str]:
    joined.write_records(path)
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_records_stand_in_the_order_of_one_run(shards: list[Path], tmp_path: Path) -> None:
    joined = join_shards([shards[2], shards[0], shards[1]], tmp_path / "out")
    assert read_ids(joined, tmp_path / "all") == [f"python/{place}[]" for place in range(6)]
    suite = joined.run["suites"]["semtrace"]
    assert (suite["selected"], "shard" in suite) == (6, False)
    assert (joined.run["selection"], joined.run["complete"]) == (None, True)
    assert joined.run["argv"] == ["pytest", "a.suite.toml", "--eval-report", str(tmp_path / "out")]
    assert joined.remarks == ()


def test_a_missing_shard_leaves_the_run_partial(shards: list[Path], tmp_path: Path) -> None:
    joined = join_shards(shards[:2], tmp_path / "out")
    assert joined.run["selection"] == "4 of 6 questions"
    assert joined.run["complete"], "all that was selected is answered"
    assert joined.remarks == ("semtrace: shard 3/3 is missing, so the joined run is PARTIAL",)
    assert joined.lacks_shards
    assert not join_shards(shards, tmp_path / "out").lacks_shards


def test_shards_of_different_divisions_are_counted(shards: list[Path], tmp_path: Path) -> None:
    change_run(shards[1], lambda run: run["suites"]["semtrace"]["shard"].update(part=1, of=2))
    joined = join_shards(shards[:2], tmp_path / "out")
    said = "semtrace: the shards 1/2, 1/3 leave out 2 of 6 questions, so the joined run is PARTIAL"
    assert (joined.lacks_shards, joined.remarks) == (True, (said,))
    assert not join_shards(shards, tmp_path / "out").lacks_shards


def test_a_damaged_record_of_a_complete_shard_leaves_the_run_incomplete(shards: list[Path], tmp_path: Path) -> None:
    records = shards[1] / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-20])
    joined = join_shards(shards, tmp_path / "out")
    assert (joined.run["complete"], joined.run["selection"], joined.lacks_shards) == (False, None, False)


def test_a_shard_that_stopped_leaves_the_run_incomplete(shards: list[Path], tmp_path: Path) -> None:
    records = shards[1] / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-20])
    change_run(shards[1], lambda run: run.update(complete=False, finished=None))
    joined = join_shards(shards, tmp_path / "out")
    assert read_ids(joined, tmp_path / "all") == [f"python/{place}[]" for place in (0, 1, 2, 3, 5)]
    assert (joined.run["complete"], joined.run["finished"], joined.run["selection"]) == (False, None, None)
    assert f"{shards[1]}: 1 damaged line of records left out" in joined.remarks


def test_equal_records_of_two_shards_count_once(shards: list[Path], tmp_path: Path) -> None:
    again = write_shard(tmp_path / "again", 2)
    change_rows(again, latency_s=9.5, reused=True)
    joined = join_shards([*shards, again], tmp_path / "out")
    assert len(read_ids(joined, tmp_path / "all")) == 6
    assert joined.run["complete"]


def test_second_answers_stay_beside_the_first_ones(shards: list[Path], tmp_path: Path) -> None:
    records = shards[0] / "records.jsonl"
    first = json.loads(records.read_text().splitlines()[0])
    records.write_text(records.read_text() + json.dumps(first | {"repeat": 1, "outcome": "wrong"}) + "\n")
    joined = join_shards(shards, tmp_path / "out")
    ids = read_ids(joined, tmp_path / "all")
    assert (len(ids), len(set(ids)), joined.run["complete"]) == (7, 6, True)


def test_different_records_of_one_question_are_an_error_that_names_it(shards: list[Path], tmp_path: Path) -> None:
    again = write_shard(tmp_path / "again", 2, "cwccwc")
    with pytest.raises(UsageError, match=r"different records of python/4\[\] \(suite semtrace, model m, sample 0\)"):
        join_shards([*shards, again], tmp_path / "out")


@pytest.mark.parametrize("first", [True, False])
def test_an_unanswered_question_gives_way_to_an_answer(first: bool, shards: list[Path], tmp_path: Path) -> None:
    failed = write_shard(tmp_path / "failed", 2, "eeeeee", complete=False)
    folders = [failed, *shards] if first else [*shards, failed]
    joined = join_shards(folders, tmp_path / "out")
    joined.write_records(tmp_path / "all")
    assert '"error"' not in (tmp_path / "all").read_text()
    assert joined.run["complete"]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda run: run["suites"]["semtrace"].pop("shard"), "is no shard: its run.json does not say which part of"),
        (lambda run: run.update(stopped_early={"asked": 1, "of": 2}), "again without --eval-stop-when-decided"),
        (lambda run: run["suites"]["semtrace"].update(plan="q"), "the suite semtrace had another plan"),
        (lambda run: run["models"]["m"].update(identity={"model": "new"}), "m had other settings or other weights"),
        (lambda run: run["models"].update(n=run["models"].pop("m")), "one asked m, the other n"),
        (lambda run: run.update(gates=["semtrace.exact > 0"]), "they differ in 'gates'"),
        (lambda run: run.update(codereason="9.9"), "pytest-codereason 0.1.0 made one and 9.9 the other"),
        (lambda run: run["suites"].update(x=run["suites"].pop("semtrace")), "one has the suites semtrace, the other x"),
    ],
)
def test_shards_of_different_runs_are_refused(
    change: Callable[[dict[str, Any]], object], complaint: str, shards: list[Path], tmp_path: Path
) -> None:
    change_run(shards[1], change)
    with pytest.raises(UsageError, match=complaint):
        join_shards(shards, tmp_path / "out")


def test_other_machines_are_said(shards: list[Path], tmp_path: Path) -> None:
    change_run(shards[1], lambda run: run.update(versions={"python": "3.13"}))
    (remark,) = join_shards(shards, tmp_path / "out").remarks
    assert remark == f"the machines differ in versions; the joined run has that of {shards[0]}"


def test_several_servers_of_one_model_are_said(shards: list[Path], tmp_path: Path) -> None:
    for address, folder in zip(("http://gpu0/v1", "http://gpu1/v1", "http://gpu1/v1"), shards, strict=True):
        run = json.loads((folder / "run.json").read_text())
        run["models"]["m"]["identity"]["endpoint"] = address
        (folder / "run.json").write_text(json.dumps(run))
    joined = join_shards(shards, tmp_path / "out")
    assert joined.remarks == (
        f"the shards asked servers at several addresses; the joined run has those of {shards[0]}",
    )
    assert joined.run["models"]["m"]["identity"]["endpoint"] == "http://gpu0/v1"


@pytest.mark.slow
def test_the_command_writes_a_new_folder_alone(
    shards: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(folder) for folder in shards]
    before = {path: path.read_bytes() for folder in shards for path in folder.iterdir()}
    assert main(["merge", *names, "-o", str(tmp_path / "out")]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "records.jsonl",
        "report.html",
        "run.json",
        "seal.json",
        "summary.json",
        "summary.md",
    ]
    assert main(["merge", *names, "-o", str(tmp_path / "out")]) == 4
    assert "the folder is not empty; name a new one" in capsys.readouterr().err
    assert main(["merge", *names, "-o", f"{names[0]}/out"]) == 4
    assert "this lies in the run folder" in capsys.readouterr().err
    (shards[0] / "records.jsonl").rename(tmp_path / "records")
    assert main(["merge", *names, "-o", str(tmp_path / "new")]) == 4
    assert "has no records.jsonl, so nothing is known of its answers" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    (tmp_path / "records").rename(shards[0] / "records.jsonl")
    assert {path: path.read_bytes() for folder in shards for path in folder.iterdir()} == before
