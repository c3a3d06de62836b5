from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from pytest_codereason.results.records.records import DamagedLines, RecordSource, load_records
from tests.results.synthetic import make_row, make_rows, make_run, write_run


def load(source: RecordSource) -> pd.DataFrame:
    return load_records({"run": source})[0]


def find_damage(path: Path) -> DamagedLines:
    return load_records({"run": path})[1]


def test_columns_are_typed_and_hold_no_texts() -> None:
    frame = load([make_row(cost=0.5), make_row(sample=1, usage={})])
    assert {"response", "steps", "expected", "answer"}.isdisjoint(frame.columns)
    assert frame["metrics.exact"].tolist() == [1.0, 1.0]
    assert frame["axes.digits"].tolist() == [2, 2]
    assert isinstance(frame["family"].dtype, pd.CategoricalDtype)
    assert frame["sample"].dtype == "int32"
    assert frame["reused"].dtype == "bool"
    assert frame["cost"][0] == 0.5
    assert frame[["cost", "usage.prompt"]].loc[1].isna().all()


def test_metrics_and_axes_may_differ_between_records() -> None:
    rows = [
        make_row(id="a", axes={}, metrics={}),
        make_row(id="b", axes={"strength": 3}, metrics={"f1": 0.5}),
        make_row(id="c", axes={}, metrics={}),
    ]
    frame = load(rows)
    assert frame["metrics.f1"].fillna(-1).tolist() == [-1, 0.5, -1]
    assert frame["axes.strength"].isna().tolist() == [True, False, True]


def test_nothing_depends_on_the_order_of_answers() -> None:
    rows = list(make_rows(make_run(families=8), families=8))
    shuffled = random.Random(1).sample(rows, len(rows))
    pd.testing.assert_frame_equal(load(rows), load(shuffled))


def test_of_two_records_with_one_key_the_later_stays() -> None:
    frame = load([make_row(outcome="error"), make_row(sample=1), make_row(outcome="wrong")])
    assert frame["outcome"].tolist() == ["wrong", "correct"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"id": "python/00', "records.jsonl:2: "),
        (b"\xff\xfe", "records.jsonl:2: "),
        (b"[" * 100_000, "records.jsonl:2: nested too deep"),
        (b"[]", "records.jsonl:2: the whole cannot be []: an object may stand there"),
        (b"{}", "records.jsonl:2: the key 'id' is missing"),
        (
            json.dumps(make_row(outcome="fine")).encode(),
            'records.jsonl:2: outcome cannot be "fine": correct, wrong, invalid, ',
        ),
        (json.dumps(make_row(family=None)).encode(), "records.jsonl:2: family cannot be null: text may stand there"),
        (
            json.dumps(make_row(axes={"digits": [2]})).encode(),
            "records.jsonl:2: axes.digits cannot be [2]: ",
        ),
        (
            json.dumps(make_row(metrics={"exact": "much"})).encode(),
            'records.jsonl:2: metrics.exact cannot be "much": ',
        ),
    ],
)
def test_a_damaged_line_is_reported_and_left_out(tmp_path: Path, line: bytes, complaint: str) -> None:
    good = json.dumps(make_row()).encode()
    path = tmp_path / "records.jsonl"
    path.write_bytes(good + b"\n" + line + b"\n\n" + good.replace(b'"sample": 0', b'"sample": 7') + b"\n")
    frame = load(path)
    assert frame["sample"].tolist() == [0, 7]
    assert find_damage(path).count == 1
    assert find_damage(path).lines[0].startswith(complaint)


def test_many_damaged_lines_are_counted_and_the_first_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("{\n" * 500)
    frame = load(path)
    assert frame.empty
    assert find_damage(path).count == 500
    assert len(find_damage(path).lines) == 20


def test_an_empty_file_gives_an_empty_frame(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("")
    frame = load(path)
    assert frame.empty
    assert "outcome" in frame


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_50_000_records_take_little_memory_and_time(tmp_path: Path) -> None:
    run = make_run(families=2_100)
    write_run(tmp_path, run, make_rows(run, families=2_100, response="x" * 1_000))
    script = f"""
import pathlib, resource
from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.measures.summary import summarise
def peak():  # of this process alone: what getrusage says may be its parent's
    return int(pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
before, start = peak(), resource.getrusage(resource.RUSAGE_SELF).ru_utime
data = RunData.read(pathlib.Path({str(tmp_path)!r}))
summarise(data)
print(len(data.records), peak(), before, resource.getrusage(resource.RUSAGE_SELF).ru_utime - start)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    rows, peak, before, seconds = map(float, process.stdout.split())
    print(f"{rows:.0f} records: peak {peak / 1024:.0f} MB ({before / 1024:.0f} MB of it imports), {seconds:.1f} s")
    assert rows == 50_400
    assert (peak - before) / 1024 < 71
