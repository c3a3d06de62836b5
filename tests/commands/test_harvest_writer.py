"""``codereason harvest --writer``: a scripted writer behind a real server makes drivers where no rule does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.cli import main
from pytest_codereason.core import TextKind
from pytest_codereason.core.files.frozen import freeze, open_frozen
from tests.harvest.code import FILLER, script, write_repository
from tests.servers import Server, no_quota

NEEDS = """
import money_formats


def ring_up(prices):
    return money_formats.show(add_up(prices))


def add_up(prices):
    return sum(prices)
"""
TILL, BANK = FILLER + NEEDS, FILLER + NEEDS.replace("add_up", "sum_up").replace("ring_up", "balance")
STUB = "class money_formats:\n    show = staticmethod(lambda total: f'{total} pence')\n"
CALL = "\n\nprint(ring_up([120, 35]))\n"
REPOSITORY = {"till.py": TILL, "bank.py": BANK, "tax.py": script("tax")}


def drive(text: str) -> str:
    return text.replace("import money_formats\n", STUB) + CALL


def write(messages: Sequence[Mapping[str, Any]], body: Any) -> str:
    """Makes ``till.py`` run, and changes a function of ``bank.py``."""
    if "ring_up" in str(messages[0]["content"]):
        return f"```python\n{drive(TILL)}```"
    return f"```python\n{drive(BANK).replace('sum(prices)', '0').replace('ring_up', 'balance')}```"


def harvest(server: Server | None, tmp_path: Path, *more: object, out: str = "set") -> int:
    writer = ["--writer", "openai:scripted", "--writer-url", server.url] if server else []
    store = ["--eval-store", tmp_path / "store"]
    options = [tmp_path / "shop", "--language", "python", "-o", tmp_path / out, *writer, *store, *more]
    return main(["harvest", *map(str, options)])


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_repository(tmp_path / "shop", REPOSITORY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_a_writer_is_asked_where_no_rule_finds_a_driver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Server(write) as server:
        assert harvest(server, tmp_path) == 0
        asked = len(server.requests)
        table = capsys.readouterr().out
        assert harvest(server, tmp_path) == 0  # the second run asks nobody, and gives the same
        assert (len(server.requests), capsys.readouterr().out) == (asked, table)
    assert asked == 1 + 3  # a rejected writer has three tries
    assert not any("tax_" in str(request.messages) for request in server.requests)
    counted = json.loads((tmp_path / "set" / "funnel.json").read_text())
    assert counted["languages"]["python"]["programs_refused"] == {"has no driver by the writer": 1}
    assert (counted["languages"]["python"]["accepted"], counted["languages"]["python"]["written"]) == (2, 1)
    example = counted["examples"]["has no driver by the writer"]
    assert example == ("shop/bank.py: changed a function; by rule: needs a package that is no standard library")
    assert "  with a driver by the writer          1\n" in table
    folder = tmp_path / "set" / "python" / "shop_0002"
    assert (folder / "main.py").read_text() == drive(TILL)
    about = json.loads((folder / "program.json").read_text())
    assert about["driver"] == "writer openai:scripted"
    assert "stubs in place of imports" in about["changes"][0]
    assert (
        json.loads((folder / "callgraph.json").read_text())["main.ring_up"]
        == [
            "main.add_up",
            "main.money_formats.<lambda>",
        ]
        or json.loads((folder / "callgraph.json").read_text())["main.ring_up"][0] == "main.add_up"
    )
    assert "asked of a writer: openai:scripted. 1 programs have such a" in (
        tmp_path / "set" / "datasheet.md"
    ).read_text().replace("\n", " ")

    check_frozen_drivers(tmp_path)


def check_frozen_drivers(tmp_path: Path) -> None:
    """The drivers of a set give the same set again, and are checked again."""
    written = tmp_path / "set" / "drivers.jsonl"
    assert harvest(None, tmp_path, "--drivers", written, out="again") == 0
    for name in ("shop_0001", "shop_0002"):
        for path in (tmp_path / "set" / "python" / name).iterdir():
            assert (tmp_path / "again" / "python" / name / path.name).read_bytes() == path.read_bytes()
    rows = open_frozen(written, "driver").rows(TextKind.columns)
    freeze(tmp_path / "forged.jsonl", "driver", [{**r, "value": r["value"].replace("sum(prices)", "7")} for r in rows])
    assert harvest(None, tmp_path, "--drivers", tmp_path / "forged.jsonl", out="forged") == 0
    counted = json.loads((tmp_path / "forged" / "funnel.json").read_text())
    assert counted["languages"]["python"]["programs_refused"] == {"has no driver by the writer": 2}


@pytest.mark.slow
def test_a_writer_that_does_not_answer_is_asked_by_the_next_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(write, script=[no_quota()]) as server:
        assert harvest(server, tmp_path) == 0
        assert "drivers are missing, " in capsys.readouterr().err
        assert harvest(server, tmp_path) == 0
    counted = json.loads((tmp_path / "set" / "funnel.json").read_text())["languages"]["python"]
    assert counted["written"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--writer", "openai:x", "--drivers", "d.jsonl"], "--drivers and --writer: give one of them"),
        (["--drivers", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--writer-url", "http://x"], "--writer-url has no effect: no --writer names the model that writes"),
        (
            ["--writer", "openai:x", "--eval-max-cost", "1"],
            "--eval-max-cost: the price of the writer openai:x is unknown; give --writer-arg price_in=USD",
        ),
        (["--writer", "rule"], "--writer rule: drivers by rule need no writer"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert harvest(None, tmp_path, *options) == 4
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"ERROR: {message}")
    assert complaint.count("\n") == 1


@pytest.mark.slow
def test_the_writing_ends_at_a_limit_on_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prices = ["--writer-arg", "price_in=1", "--writer-arg", "price_out=1000", "--eval-max-cost", "0.0001"]
    with Server(write) as server:
        assert harvest(server, tmp_path, *prices) == 0
        assert not server.requests
    assert "2 drivers are missing, " in capsys.readouterr().err
