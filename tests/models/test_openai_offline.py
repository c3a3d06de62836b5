"""A model that is asked by files: which are written, and what in a file of answers can be read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.core.batches import BatchState, SentBatch
from pytest_codereason.errors import FatalModelError, TransientModelError
from pytest_codereason.models.openai.offline import FileBatching, OfflineModel
from pytest_codereason.models.specs import create_model
from tests.models.asking import request


def make_batching(folder: Path) -> FileBatching:
    model = create_model("openai:qwen", url=f"file:{folder}", args={"price_in": "1", "price_out": "2"})
    assert isinstance(model, OfflineModel)
    asyncio.run(model.start())
    return model.batching


def test_files_are_numbered_and_none_is_written_over(tmp_path: Path) -> None:
    batching = make_batching(tmp_path / "new")
    first, second = (asyncio.run(batching.upload("n", [b"{}"])) for _ in range(2))
    (tmp_path / "new/batch-3.out.jsonl").touch()
    third = asyncio.run(batching.upload("n", [b"{}", b"[]"]))
    assert [Path(each).name for each in (first, second, third)] == ["batch-1.jsonl", "batch-2.jsonl", "batch-4.jsonl"]
    assert Path(third).read_bytes() == b"{}\n[]\n"
    assert asyncio.run(batching.find(SentBatch("n", first))) == first
    assert asyncio.run(batching.find(SentBatch("n", "gone"))) is None
    assert sorted(path.name for path in (tmp_path / "new").iterdir())[0] == "batch-1.jsonl", (
        "no unfinished file is left"
    )


def test_a_price_is_that_of_who_answers(tmp_path: Path) -> None:
    assert make_batching(tmp_path).terms.discount == 1
    assert "is asked by files in " in make_batching(tmp_path).describe()


def test_who_looks_is_told_what_to_do(tmp_path: Path) -> None:
    batching = make_batching(tmp_path / "a b")
    file = asyncio.run(batching.upload("n", [b"{}"]))
    with pytest.raises(FatalModelError, match=r"vllm run-batch -i '.*a b/batch-1.jsonl' -o '.*' --model qwen"):
        asyncio.run(batching.look(file))
    asyncio.run(batching.cancel(file))
    assert asyncio.run(batching.look(file)) == BatchState("expired", results=())


def read_all(batching: FileBatching, file: str) -> dict[str, object]:
    async def read() -> dict[str, object]:
        return {key: result async for key, result in batching.fetch(await batching.look(file))}

    return asyncio.run(read())


def complete(result: object, batching: FileBatching) -> Completion:
    return batching.read(result, batching.write_line("k", request()).memo)


def test_a_text_is_enough_and_broken_lines_are_no_answers(tmp_path: Path) -> None:
    batching = make_batching(tmp_path)
    file = asyncio.run(batching.upload("n", [b"{}"]))
    folder = tmp_path / "batch-1.out"
    (folder / "parts").mkdir(parents=True)
    lines = [
        {"custom_id": "text", "text": "42"},
        {
            "custom_id": "cut",
            "text": "4",
            "finish_reason": "length",
            "usage": {"prompt_tokens": 1, "completion_tokens": 2},
        },
        {"custom_id": "none", "text": None},
        ["custom_id"],
    ]
    (folder / "1.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n{\n\n")
    (folder / "parts/2.json").write_text(json.dumps({"custom_id": "other", "text": "7"}))
    results = read_all(batching, file)
    assert list(results) == ["text", "cut", "none", "other"]
    assert complete(results["text"], batching).text == "42"
    cut = complete(results["cut"], batching)
    assert (cut.finish, cut.usage.completion) == ("length", 2)
    with pytest.raises(TransientModelError):
        complete(results["none"], batching)
