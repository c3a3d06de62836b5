"""Stored generations answer for the model that wrote them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pytest_codereason.core import Usage
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.replay import ReplayModel
from tests.models.asking import answers, request

ID = "python/0007[digits:2]"


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return path


def replay(path: Path, **args: str) -> ReplayModel:
    return ReplayModel.create(str(path), url=None, args=args)


def test_each_question_gets_its_row(tmp_path: Path) -> None:
    usage = {"prompt": 310, "completion": 12, "reasoning": None}
    file = written(
        tmp_path / "a.jsonl",
        {"id": "python/0001", "text": "ünï \ud800 code"},
        "",
        {"id": ID, "text": "first", "usage": usage, "model": "gpt-x", "extra": 1},
        {"id": ID, "sample": 1, "text": "cut", "finish": "length"},
        {"id": ID, "suite": "other", "text": "of the other suite"},
    )
    first, second, other, fuzzy = answers(
        replay(file), request(), request(sample=1), request(suite="other"), request(id="python/0001")
    )
    assert (first.text, first.finish, first.served_by) == ("first", "stop", "gpt-x")
    assert first.usage == Usage(prompt=310, completion=12)
    assert (second.text, second.finish) == ("cut", "length")
    assert second.usage == Usage()
    assert other.text == "of the other suite"
    assert fuzzy.text == "ünï \ud800 code"


@pytest.mark.parametrize(
    ("row", "text", "prefilled"),
    [
        ({"text": "f(81) == [1]"}, "[1]", True),
        ({"text": "The list is [1]"}, "The list is [1]", False),
        ({"text": "[1]\nbecause", "prefilled": True}, "[1]\nbecause", True),
        ({"text": "f(81) == [1]", "prefilled": True}, "[1]", True),
    ],
)
def test_prefill(tmp_path: Path, row: dict[str, object], text: str, prefilled: bool) -> None:
    file = written(tmp_path / "a.jsonl", {"id": ID, **row})
    (reply,) = answers(replay(file), request(prefill="f(81) == "))
    assert (reply.text, reply.prefilled) == (text, prefilled)


def test_no_prefill_is_never_continued(tmp_path: Path) -> None:
    (reply,) = answers(replay(written(tmp_path / "a.jsonl", {"id": ID, "text": "x", "prefilled": True})), request())
    assert not reply.prefilled


def test_missing_generation_is_an_error_and_no_miss(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", {"id": ID, "text": "x"})
    with pytest.raises(ModelError, match=r"no stored generation of python/0007\[digits:2\], sample 3, in .*a\.jsonl"):
        answers(replay(file), request(sample=3))


def test_identity_is_the_digest_of_the_file(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", {"id": ID, "text": "x"})
    model = replay(file)
    assert model.pinned
    assert model.identity["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert model.label == f"replay:{file}"


def test_rows_of_one_model(tmp_path: Path) -> None:
    rows = [{"id": ID, "text": name, "model": name} for name in ("a", "b")]
    file = written(tmp_path / "a.jsonl", *rows)
    (reply,) = answers(replay(file, model="b"), request())
    assert reply.text == "b"
    with pytest.raises(UsageError, match=r"a\.jsonl:2:id: .* twice"):
        answers(replay(file), request())
    with pytest.raises(UsageError, match="holds no generations of 'c'"):
        answers(replay(file, model="c"), request())


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('{"id": ', "2: is not JSON"),
        ("[]", "2: must be an object"),
        ({"id": "x"}, "2:text: is missing"),
        ({"text": "x"}, "2:id: is missing"),
        ({"id": 7, "text": "x"}, "2:id: must be text"),
        ({"id": "x", "text": None}, "2:text: must be text"),
        ({"id": "x", "text": "x", "sample": "0"}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "sample": True}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "sample": -1}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "finish": "eos"}, "2:finish: must be one of stop, length, refused, too-long"),
        ({"id": "x", "text": "x", "usage": {"total": 1}}, "2:usage.total: is unknown: usage has prompt, completion"),
        ({"id": "x", "text": "x", "usage": {"prompt": "1"}}, "2:usage.prompt: must be a whole number"),
        ({"id": ID, "text": "again", "sample": 0}, "2:id: 'python/0007[digits:2]', sample 0, stands there twice"),
    ],
)
def test_bad_rows_name_file_line_and_key(tmp_path: Path, row: object, complaint: str) -> None:
    file = written(tmp_path / "a.jsonl", {"id": ID, "text": "x"}, row)
    with pytest.raises(UsageError) as caught:
        answers(replay(file), request())
    assert str(caught.value).startswith(f"{file}:{complaint}")


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: cannot be read: No such file"):
        answers(replay(tmp_path / "none.jsonl"), request())
    with pytest.raises(UsageError, match="holds no generations"):
        answers(replay(written(tmp_path / "empty.jsonl")), request())
    with pytest.raises(UsageError, match="names no file"):
        ReplayModel.create("", url=None, args={})
