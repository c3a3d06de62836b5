"""How long ``codereason judge`` takes for 100,000 answers: the seal, the counts, and each verdict given once more."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from tests.benchmarks.extent import limit
from tests.stored import GATE, change_run, copy_small, read_rows, seal_again

pytestmark = pytest.mark.benchmark

COPIES = limit(8_334, 800)  # of twelve records
THOUGHTS = "First the list is filled, then each item is looked at in turn. " * 16


def grow(rows: list[dict[str, Any]], thoughts: str) -> Iterator[str]:
    """The records of the small run about so many programs, with so much more to read in each reply that reasons."""
    for copy in range(COPIES):
        for row in rows:
            family = f"{row['family']}{copy:05}"
            named = {"id": row["id"].replace(row["family"], family), "family": family}
            said = {}
            if not row["steps"][0]["prefilled"]:
                reply = thoughts + row["response"]
                said = {"response": reply, "steps": [row["steps"][0] | {"response": reply}]}
            yield json.dumps(row | named | said, separators=(",", ":")) + "\n"


@pytest.mark.parametrize("thoughts", ["", THOUGHTS], ids=["short replies", "half of 1,000 characters"])
def test_judging_a_run_of_100_000_again(tmp_path: Path, thoughts: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = copy_small(tmp_path / "run")
    with (run / "records.jsonl").open("w") as out:
        out.writelines(grow(read_rows(copy_small(tmp_path / "small")), thoughts))

    def count(content: dict[str, Any]) -> None:
        suite = content["suites"]["small"]
        suite |= {name: suite[name] * COPIES for name in ("instances", "selected")}
        suite |= {name: [[many * COPIES, where] for many, where in suite[name]] for name in ("cells", "families")}

    change_run(run, count)
    seal_again(run)
    start = time.perf_counter()
    code = main(["judge", str(run), "--gate", GATE, "--claim=suite"])
    seconds = time.perf_counter() - start
    said = capsys.readouterr()
    with capsys.disabled():
        size = (run / "records.jsonl").stat().st_size / 1e6
        print(f"\n{12 * COPIES:,} records, {size:.0f} MB: judged in {seconds:.1f} s\n{said.out}{said.err}")
    assert code == 0
