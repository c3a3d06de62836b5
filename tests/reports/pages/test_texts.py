"""The texts of answers: each once, in the page or beside it, and never dangerous."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.reports.pages import texts
from pytest_codereason.reports.pages.texts import TextPacker, shorten
from tests.results.synthetic import make_record

STEP = {"messages": [{"role": "user", "content": "a long question"}], "response": "reply", "finish": "stop"}


def test_answers_to_one_question_share_its_text(tmp_path: Path) -> None:
    packer = TextPacker(tmp_path / "report.html")
    for model in ("a", "b"):
        packer.add(make_record(model=model, steps=[STEP], response="reply", answer="[3]"))
    assert packer.finish() == ""
    (chunk,) = map(json.loads, packer.chunks)
    assert sorted(chunk["texts"]) == ["[1, 2]", "[3]", "a long question", "reply"]
    assert chunk["rows"][0] == chunk["rows"][1]
    assert packer.starts == [0]


def test_a_chunk_ends_when_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "CHUNK", 10)
    packer = TextPacker(tmp_path / "report.html")
    for number in range(3):
        packer.add(make_record(response=f"{number} {'x' * 20}"))
    packer.finish()
    assert len(packer.chunks) == 3
    assert packer.starts == [0, 1, 2]


def test_an_empty_reply_is_there(tmp_path: Path) -> None:
    packer = TextPacker(tmp_path / "report.html")
    packer.add(make_record(steps=[STEP | {"response": ""}, STEP | {"response": None}]))
    packer.finish()
    chunk = json.loads(packer.chunks[0])
    empty, missing = (step["response"] for step in chunk["rows"][0]["steps"])
    assert chunk["texts"][empty] == ""
    assert missing is None


@pytest.mark.parametrize("steps", [None, [], [{}], [{"messages": [{"text": "no content"}]}]])
def test_a_record_that_lacks_texts_has_a_row(steps: list[object] | None, tmp_path: Path) -> None:
    packer = TextPacker(tmp_path / "report.html")
    packer.add(make_record(steps=steps))
    packer.add(None)
    packer.finish()
    assert len(json.loads(packer.chunks[0])["rows"]) == 2


def test_a_long_text_loses_its_middle_and_says_so() -> None:
    text = shorten("a" * 30_000 + "b" * 30_000)
    assert text.startswith("a" * 20_000 + "\n… 20,000 characters are left out here; records.jsonl has them …\n" + "b")
    assert len(text) < 41_000
    assert shorten("\x1b[31m") == r"\x1b[31m"


def test_large_texts_lie_beside_the_page_and_replace_those_of_an_earlier_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pack(*replies: str) -> tuple[str, list[str]]:
        packer = TextPacker(tmp_path / "report.html")
        for reply in replies:
            packer.add(make_record(response=reply, expected="", answer=None))
        return packer.finish(), packer.chunks

    monkeypatch.setattr(texts, "CHUNK", 10)
    assert pack("a" * 20, "b" * 20)[0] == ""
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(texts, "INSIDE", 100)
    assert pack("a" * 20, "b" * 20, "c" * 20) == ("report-data", [])
    names = sorted(path.name for path in (tmp_path / "report-data").iterdir())
    assert names == ["000.js", "001.js", "002.js"]
    text = (tmp_path / "report-data" / "001.js").read_text()
    assert json.loads(text.removeprefix("codereasonTexts(1,").removesuffix(");\n"))["texts"] == ["b" * 20]
    assert pack("a" * 200)[0] == "report-data"
    assert [path.name for path in (tmp_path / "report-data").iterdir()] == ["000.js"]
    assert pack("a")[0] == ""
    assert list(tmp_path.iterdir()) == []
