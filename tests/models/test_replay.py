"""Stored generations answer for the model that wrote them."""

from __future__ import annotations

import hashlib
import json
import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codereason.core import Usage
from pytest_codereason.errors import ModelError, UsageError
from pytest_codereason.models.replay import ReplayModel
from tests.models.asking import answers, request

ID = "python/0007[digits:2]"


def write_rows(path: Path, *rows: object) -> Path:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return path


def replay(path: Path, **args: str) -> ReplayModel:
    return ReplayModel.create(str(path), url=None, args=args)


def test_each_question_gets_its_row(tmp_path: Path) -> None:
    usage = {"prompt": 310, "completion": 12, "reasoning": None}
    file = write_rows(
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
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, **row})
    (reply,) = answers(replay(file), request(prefill="f(81) == "))
    assert (reply.text, reply.prefilled) == (text, prefilled)


def test_no_prefill_is_never_continued(tmp_path: Path) -> None:
    (reply,) = answers(replay(write_rows(tmp_path / "a.jsonl", {"id": ID, "text": "x", "prefilled": True})), request())
    assert not reply.prefilled


def test_missing_generation_is_an_error_and_no_miss(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, "text": "x"})
    with pytest.raises(ModelError, match=r"no stored generation of python/0007\[digits:2\], sample 3, in .*a\.jsonl"):
        answers(replay(file), request(sample=3))


BARE, NAME = "python/0007", "0007"


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([{"id": NAME, "text": "name"}], "name"),
        ([{"id": NAME, "text": "name"}, {"id": BARE, "text": "bare"}], "bare"),
        ([{"id": BARE, "text": "bare"}, {"id": ID, "text": "whole"}, {"id": NAME, "text": "name"}], "whole"),
        ([{"id": ID, "text": "whole"}, {"id": BARE, "suite": "semtrace", "text": "bare"}], "whole"),
        ([{"id": NAME, "text": "any"}, {"id": NAME, "suite": "semtrace", "text": "suite"}], "suite"),
        ([{"id": NAME, "suite": "other", "text": "other"}, {"id": NAME, "text": "any"}], "any"),
    ],
)
def test_the_most_specific_row_answers(tmp_path: Path, rows: list[dict[str, str]], text: str) -> None:
    (reply,) = answers(replay(write_rows(tmp_path / "a.jsonl", *rows)), request())
    assert reply.text == text


@pytest.mark.parametrize("id", ["digits:2", "7", "python", "php/0007", "python/0007[digits:3]", "python/0007[]"])
def test_other_questions_are_not_answered(tmp_path: Path, id: str) -> None:
    with pytest.raises(ModelError, match="no stored generation"):
        answers(replay(write_rows(tmp_path / "a.jsonl", {"id": id, "text": "x"})), request())


def test_a_list_holds_the_samples(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "a.jsonl",
        {"id": NAME, "text": ["a", "b", "c"], "model": "m", "finish": "length"},
        {"id": ID, "text": "special", "sample": 1},
        {"id": ID, "text": []},
    )
    replies = answers(replay(file), *(request(sample=sample) for sample in range(3)))
    assert [(reply.text, reply.finish, reply.served_by) for reply in replies] == [
        ("a", "length", "m"),
        ("special", "stop", None),
        ("c", "length", "m"),
    ]
    with pytest.raises(ModelError, match="sample 3"):
        answers(replay(file), request(sample=3))


PUBLISHED = {"0007": ["[1]", "f(81) == [2]"], 'é\n"x': []}


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\n\n"])
def test_published_generations_are_one_object(tmp_path: Path, indent: int | None, mark: bytes) -> None:
    file = tmp_path / "any.name"
    file.write_bytes(mark + json.dumps(PUBLISHED, indent=indent).encode())
    model = replay(file)
    first, second = answers(model, request(prefill="f(81) == "), request(sample=1, prefill="f(81) == "))
    assert (first.text, first.prefilled) == ("[1]", True)
    assert (second.text, second.prefilled) == ("[2]", True)
    (completion,) = answers(model, request())
    assert not completion.prefilled
    assert model.identity["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    with pytest.raises(UsageError, match="holds no generations of 'm'"):
        answers(replay(file, model="m"), request())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{\n"a": ["x"],\n"b": "x"}', "3:b: must be a list of texts, one a sample: a file has lines such as"),
        ('{"a": ["x"], "b": [1]}', "1:b: must be a list of texts"),
        ('{\n"a": ["x"],\n"b": ["y"],\n"a": ["z"]}', "4:a: occurs twice"),
        ('{\n"a": ["x"],\n"b": ["y"', "3: is not JSON"),
        ('{\n"a": ["x"]}\n{}', "3: is not JSON: Extra data"),
        ('{"a": "x"}', "1:id: is missing: a file has lines such as"),
        ('{"raw_generations": {"a": ["x"]}, "pass_at_1": 1.0}', "1:id: is missing"),
        ('[["x"], ["y"]]', "1: must be an object: a file has lines such as"),
        ("{\n}", " holds no generations"),
        ('{"a": ' + "[" * 100_000, "1: is not JSON"),
        ('{"id": "a", "text": "\xff"}', "1: is not JSON"),
    ],
)
def test_files_of_another_shape(tmp_path: Path, content: str, complaint: str) -> None:
    file = tmp_path / "generations.json"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError) as caught:
        answers(replay(file), request())
    assert str(caught.value).startswith(f"{file}:{complaint}")


@given(st.dictionaries(st.text(min_size=1), st.lists(st.text(), min_size=1, max_size=3), min_size=1, max_size=4))
def test_both_shapes_hold_the_same(published: dict[str, list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, lines = Path(folder, "one.json"), Path(folder, "lines.jsonl")
        one.write_text(json.dumps(published, indent=1))
        write_rows(lines, *({"id": id, "text": texts} for id, texts in published.items()))
        for id, texts in published.items():
            questions = [request(id=id, sample=sample) for sample in range(len(texts))]
            for file in (one, lines):
                assert [reply.text for reply in answers(replay(file), *questions)] == texts


def test_only_places_of_rows_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    with file.open("w") as out:
        for number in range(200):
            out.write(json.dumps({"id": f"sample_{number}", "text": ["x" * 10_000] * 10}) + "\n")
    tracemalloc.start()
    try:
        model = replay(file)
        assert model.identity
        memory, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert file.stat().st_size > 20_000_000
    assert memory < 2_000_000


def test_identity_is_the_digest_of_the_file(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, "text": "x"})
    model = replay(file)
    assert model.pinned
    assert model.identity["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert model.label == f"replay:{file}"


def test_rows_of_one_model(tmp_path: Path) -> None:
    rows = [{"id": ID, "text": name, "model": name} for name in ("a", "b")]
    file = write_rows(tmp_path / "a.jsonl", *rows)
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
        ({"id": "x", "text": None}, "2:text: must be text, or a list of texts, one a sample"),
        ({"id": "x", "text": ["x", 1]}, "2:text: must be text, or a list of texts"),
        ({"id": "x", "text": ["x"], "sample": 0}, "2:sample: is allowed with one text only, not with a list"),
        ({"id": "x", "text": ["x"], "usage": {}}, "2:usage: is allowed with one text"),
        ({"id": ID, "text": ["x"]}, "2:id: 'python/0007[digits:2]', sample 0, occurs twice"),
        ({"id": "x", "text": "x", "sample": "0"}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "sample": True}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "sample": -1}, "2:sample: must be a whole number from 0"),
        ({"id": "x", "text": "x", "finish": "eos"}, "2:finish: must be one of stop, length, refused, too-long"),
        ({"id": "x", "text": "x", "usage": {"total": 1}}, "2:usage.total: is unknown: usage has prompt, completion"),
        ({"id": "x", "text": "x", "usage": {"prompt": "1"}}, "2:usage.prompt: must be a whole number"),
        ({"id": ID, "text": "again", "sample": 0}, "2:id: 'python/0007[digits:2]', sample 0, occurs twice"),
    ],
)
def test_bad_rows_name_file_line_and_key(tmp_path: Path, row: object, complaint: str) -> None:
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, "text": "x"}, row)
    with pytest.raises(UsageError) as caught:
        answers(replay(file), request())
    assert str(caught.value).startswith(f"{file}:{complaint}")


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: cannot be read: No such file"):
        answers(replay(tmp_path / "none.jsonl"), request())
    with pytest.raises(UsageError, match="holds no generations"):
        answers(replay(write_rows(tmp_path / "empty.jsonl")), request())
    with pytest.raises(UsageError, match="names no file"):
        ReplayModel.create("", url=None, args={})


@pytest.mark.parametrize(
    ("error", "told"), [({"code": 502, "message": "died\nhere"}, "died here"), ("died", "died"), (True, "True")]
)
@pytest.mark.parametrize("text", [{}, {"text": None}, {"text": "[88, 69]"}, {"text": ["[88, 69]"]}])
def test_a_stored_error_is_never_an_answer(tmp_path: Path, error: object, told: str, text: dict[str, object]) -> None:
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, **text, "error": error})
    with pytest.raises(ModelError, match=f"sample 0, is an error: {told}$"):
        answers(replay(file), request())


@pytest.mark.parametrize("error", [None, "", {}, False])
def test_an_error_that_says_nothing_is_none(tmp_path: Path, error: object) -> None:
    file = write_rows(tmp_path / "a.jsonl", {"id": ID, "text": "[88, 69]", "error": error})
    assert answers(replay(file), request())[0].text == "[88, 69]"
