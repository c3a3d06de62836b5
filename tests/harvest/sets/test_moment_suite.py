"""A harvested set comes with a suite of moments, which can be asked as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.cli import main
from pytest_codereason.harvest.sets.moment_suite import NAME, write_suite
from pytest_codereason.questions.suites.reading import load
from tests.harvest.code import FILLER, write_repository

PRICES = """def discount(price, number):
    if number > 3:
        price = price - price // 5
    elif price % 2:
        price = price + 1
    return price


def total(prices):
    spent = 0
    best = 0
    for number, price in enumerate(prices):
        paid = discount(price, number)
        spent = spent * 2 + paid
        if paid > best:
            best = paid
    return spent - best


if __name__ == "__main__":
    print(total([20, 31, 7, 44, 90, 15, 61, 38]))
"""


def test_the_languages_are_those_that_witness_moments(tmp_path: Path) -> None:
    assert write_suite([]) == ""
    for folder, file in (("python", "main.py"), ("javascript", "main.js")):
        write_repository(tmp_path / folder / "one", {file: ""}, licence="")
    path = tmp_path / NAME
    path.write_text(write_suite(["python", "javascript"]))
    suite = load(path)
    assert (suite.task.name, list(suite.languages)) == ("moment", ["python", "javascript"])


@pytest.mark.slow
def test_a_repository_gives_moments_by_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop = write_repository(tmp_path / "shop", {"prices.py": FILLER + PRICES})
    out = tmp_path / "set"
    assert main(["harvest", str(shop), "--language", "python", "-o", str(out)]) == 0
    rows = tmp_path / "rows.jsonl"
    main(["export", str(out), "-o", str(rows)])
    assert "left out, as in a run" in capsys.readouterr().err
    asked = {json.loads(line)["axes"]["about"] for line in rows.read_text().splitlines()}
    assert {"value", "writer"} <= asked
