"""One bad field of a run: every command that reads runs ends with a sentence and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_codereason.cli import main
from pytest_codereason.core.files.caps import MOST_RECORD
from tests.examples import take_every
from tests.places import DEEP, MISSING, NO_TEXT, Path_, list_places, replace_at
from tests.stored import GATE, copy_small, find_small, seal_again, unseal

VALUES: list[Any] = [
    *(MISSING, NO_TEXT, DEEP, None, True, False, 0, -1, 7, 1.5, -0.5, 10**30, 10**400, float("nan"), float("inf")),
    *("", "x", "\ud800", "\x1b[2J", "2026", [], [1], ["x"], [None], [[]], [{}], [["x", {}]], {}, {"x": 1}, {"x": None}),
    *({"x": {"y": []}}, {"": ""}),
]


def write(value: Any) -> bytes:
    text = json.dumps(value).replace(json.dumps(DEEP), "[" * 5_000 + "]" * 5_000)
    return text.encode().replace(json.dumps(NO_TEXT).encode(), b'"\xff\xfe"')


@st.composite
def damages(draw: st.DrawFn) -> tuple[str, int, Path_, Any]:
    """A file of a run, which of its lines, where in it, and what stands there instead."""
    name = draw(st.sampled_from(["records.jsonl", "run.json", "seal.json"]))
    lines = (find_small() / name).read_text().splitlines() if name == "records.jsonl" else [""]
    number = draw(st.integers(0, len(lines) - 1))
    content = json.loads(lines[number] or (find_small() / name).read_text())
    return name, number, draw(st.sampled_from(list(list_places(content)))), draw(st.sampled_from(VALUES))


def damage(run: Path, name: str, number: int, place: Path_, by: Any) -> None:
    if name != "records.jsonl":
        (run / name).write_bytes(write(replace_at(json.loads((run / name).read_text()), place, by)))
        return
    lines = (run / name).read_bytes().splitlines()
    lines[number] = write(replace_at(json.loads(lines[number]), place, by))
    (run / name).write_bytes(b"\n".join(lines) + b"\n")


def list_commands(run: str, good: str, out: str) -> list[list[str]]:
    gate = ["--gate", GATE, "--claim=suite", "--allow-partial"]
    return [
        ["judge", run, *gate],
        ["judge", run, *gate, "--accept-broken"],
        ["judge", good, "--baseline", run, "--gate", "small.exact >= baseline - 5%", "--accept-broken"],
        ["compare", run, good],
        ["compare", run, good, "--accept-broken", "--format=json"],
        ["compare", run, good, "--accept-broken", "--format=html", "-o", f"{out}/compare.html"],
        ["merge", run, "-o", f"{out}/joined", "--accept-broken"],
        ["leaderboard", run, good, "-o", f"{out}/board.html", "--accept-broken"],
        ["report", run, "-o", f"{out}/report"],
        ["figure", run],
        ["table", run],
        ["table", run, "--format=latex"],
        ["cite", run],
        ["table", run, "--records", "--texts", "--format=csv"],
        ["table", run, "--format=lm-eval", "-o", f"{out}/lm"],
        ["table", run, "--format=every-eval-ever", "-o", f"{out}/every"],
        ["status", run],
    ]


def check(choice: tuple[str, int, Path_, Any], which: int, state: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run, out = copy_small(Path(folder) / "run"), Path(folder) / "out"
        out.mkdir()
        damage(run, *choice)
        if state == "unsealed":
            unseal(run)
        elif state == "sealed again" and choice[0] == "run.json":
            with suppress(ValueError, RecursionError):
                seal_again(run)
        words = list_commands(str(run), str(find_small()), str(out))
        assert main(words[which % len(words)]) in (0, 1, 4, 10)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "name"), [*enumerate(["records.jsonl", "run.json", "seal.json"])])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: int, name: str
) -> None:
    """Every third command, others for each file."""
    run = copy_small(tmp_path / "run")
    (run / name).unlink()
    os.mkfifo(run / name)
    out = tmp_path / "out"
    out.mkdir()
    for words in list_commands(str(run), str(find_small()), str(out))[first :: take_every(3)]:
        assert main(words) in (0, 1, 4, 10)
    assert ("it has no run.json" if name == "run.json" else "not an ordinary file") in capsys.readouterr().err


@pytest.mark.slow
def test_a_record_that_is_too_long_is_a_damaged_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copy_small(tmp_path / "run")
    lines = (run / "records.jsonl").read_bytes().splitlines(keepends=True)
    long = lines[3].replace(b'"response":"', b'"response":"' + b"x" * MOST_RECORD, 1)
    assert len(long) > MOST_RECORD
    (run / "records.jsonl").write_bytes(b"".join([*lines[:3], long, *lines[4:]]))
    gate = ["--gate", GATE, "--claim=suite", "--allow-partial"]
    assert main(["judge", str(run), *gate]) == 4
    assert "records.jsonl:4" in capsys.readouterr().err
    assert main(["table", str(run), "--records", "--format=csv"]) == 0
    assert main(["judge", str(run), *gate, "--accept-broken"]) in (0, 10)


ALL = st.integers(0, 14)
STATES = st.sampled_from(["sealed", "unsealed", "sealed again"])
_CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.slow
@settings(suppress_health_check=_CHECKS, max_examples=120 // take_every(4))
@given(damages(), ALL, STATES)
def test_one_bad_field_ends_in_a_sentence(
    capsys: pytest.CaptureFixture[str], choice: tuple[str, int, Path_, Any], which: int, state: str
) -> None:
    check(choice, which, state)
    capsys.readouterr()
