"""The seal of a run: what breaks it, and what is said then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.engine.storage.seals import SEAL, Chain, Seal, Signature, list_breaks, read_seal, write_seal
from pytest_codereason.errors import BrokenSeal

RUN = {"format": 1, "complete": True}
LINES = [json.dumps({"id": f"python/{number}"}).encode() for number in range(6)]


def find_breaks(folder: Path, lines: list[bytes], run: dict[str, Any] = RUN) -> list[str]:
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return list(list_breaks(Chain(LINES).seal(RUN), run, path))


def test_what_was_sealed_holds_in_whatever_layout(tmp_path: Path) -> None:
    assert find_breaks(tmp_path, LINES) == []
    assert find_breaks(tmp_path, [b"", *(line + b" \r" for line in LINES), b""]) == []
    assert find_breaks(tmp_path, LINES, json.loads(json.dumps(dict(reversed(RUN.items())), indent=4))) == []


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([*LINES[:2], b'{"id":"new"}', *LINES[3:]], "1 record is changed, or new (records.jsonl:3 (new))"),
        ([*LINES, b"\xff"], "1 record is changed, or new (records.jsonl:7)"),
        (LINES[:3] + LINES[4:], "1 record is gone (number 4)"),
        (LINES[1:5], "2 records are gone (number 1, number 6)"),
        ([*LINES, LINES[1]], "1 record is there once more (records.jsonl:7 (python/1))"),
        (LINES[:2] + LINES[:1:-1], "the records stand in another order, from number 3 on"),
        (
            [b"x"] * 4,
            "4 records are changed, or new (records.jsonl:1, records.jsonl:2, records.jsonl:3, records.jsonl:4)",
        ),
        (
            [b"x" + bytes([n]) for n in range(70, 82)],
            f"12 records are changed, or new ({', '.join(f'records.jsonl:{n}' for n in range(1, 6))} ...)",
        ),
        (
            [*LINES, *LINES],
            "6 records are there once more "
            f"({', '.join(f'records.jsonl:{n} (python/{n - 7})' for n in range(7, 12))} ...)",
        ),
        ([], "6 records are gone (number 1, number 2, number 3, number 4, number 5 ...)"),
    ],
)
def test_a_broken_seal_names_the_records(tmp_path: Path, lines: list[bytes], said: str) -> None:
    assert find_breaks(tmp_path, lines)[0].startswith(said)


def test_a_lacking_record_is_counted_beside_a_changed_one(tmp_path: Path) -> None:
    breaks = find_breaks(tmp_path, [b"x", *LINES[3:]])
    assert breaks == ["1 record is changed, or new (records.jsonl:1)", "2 records are gone"]


@pytest.mark.parametrize("run", [{}, RUN | {"complete": 1}, RUN | {"more": None}])
def test_another_description_breaks_the_seal(tmp_path: Path, run: dict[str, Any]) -> None:
    assert find_breaks(tmp_path, LINES, run) == ["run.json was changed"]


def test_a_seal_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert read_seal(tmp_path) is None
    seal = Chain(LINES).seal(RUN)
    write_seal(tmp_path, seal)
    assert read_seal(tmp_path) == seal
    assert (seal.count, seal.signature) == (len(LINES), None)
    signed = replace(seal, signature=Signature("the key", "the value"))
    write_seal(tmp_path, signed)
    assert read_seal(tmp_path) == signed
    assert [path.name for path in tmp_path.iterdir()] == [SEAL]


@pytest.mark.parametrize(
    "change",
    [
        lambda seal: seal | {"records": 5},
        lambda seal: seal | {"more": 1},
        lambda seal: seal | {"format": 2},
        lambda seal: seal | {"marks": "?"},
        lambda seal: seal | {"marks": 1},
        lambda seal: seal | {"signature": []},
        lambda seal: {name: value for name, value in seal.items() if name != "chain"},
        lambda seal: [seal],
        lambda seal: None,
    ],
)
def test_a_damaged_seal_is_a_broken_one(tmp_path: Path, change: Any) -> None:
    write_seal(tmp_path, Chain(LINES).seal(RUN))
    (tmp_path / SEAL).write_text(json.dumps(change(json.loads((tmp_path / SEAL).read_text()))))
    with pytest.raises(BrokenSeal):
        read_seal(tmp_path)


def test_a_seal_of_a_later_version_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    write_seal(tmp_path, Chain(LINES).seal(RUN))
    whole = json.loads((tmp_path / SEAL).read_text())
    for change, told in (
        ({"format": 2}, "seal.json: this version does not know format 2"),
        ({"records": 5}, "seal.json is damaged: its parts do not agree"),
        ({"marks": "?"}, "seal.json is damaged"),
    ):
        (tmp_path / SEAL).write_text(json.dumps(whole | change))
        with pytest.raises(BrokenSeal) as caught:
            read_seal(tmp_path)
        assert str(caught.value) == told
    (tmp_path / SEAL).unlink()
    (tmp_path / SEAL).mkdir()
    with pytest.raises(BrokenSeal, match=r"^seal\.json is no seal: .*not an ordinary file"):
        read_seal(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000])
def test_a_file_that_is_no_seal_is_a_broken_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / SEAL).write_bytes(content)
    with pytest.raises(BrokenSeal):
        read_seal(tmp_path)


def test_the_signed_text_covers_all_of_a_seal() -> None:
    seal = Chain(LINES).seal(RUN)
    others = [
        Chain(LINES[:-1]).seal(RUN),
        Chain(LINES).seal({}),
        Seal(run=seal.run, chain=seal.chain, marks=seal.marks[::-1]),
    ]
    assert seal.signed_text not in [other.signed_text for other in others]
