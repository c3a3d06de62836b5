"""What a report says of texts of models."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_codereason.results.runs.run_data import RunData
from pytest_codereason.results.runs.written_truths import list_written

RUN = Path(__file__).parents[3] / "tests" / "reports" / "exchange" / "logs" / "ours"


def test_truths_that_rest_on_texts_of_models_are_counted_by_program(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (RUN / "records.jsonl").read_text().splitlines()]
    texts = [{"driver": "openai:y"}, {"driver": "openai:y"}, {"translation": "openai:scripted, openai:z"}, {}]
    for row, texts_by in zip(rows, texts, strict=False):
        row["texts_by"] = texts_by
    (tmp_path / "records.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "run.json").write_text((RUN / "run.json").read_text())
    assert [*list_written(RunData.read(tmp_path))] == [
        "the truths of 2 programs rest on a driver by openai:y, which was run",
        "the truth of 1 program rests on a translation by openai:scripted, openai:z, which was run",
        "openai:scripted was asked about texts that it wrote itself: translation",
    ]
    assert [*list_written(RunData.read(RUN))] == []
