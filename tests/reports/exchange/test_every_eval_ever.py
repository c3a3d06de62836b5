"""Results in the schema of Every Eval Ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange.every_eval_ever import EveryEvalEver
from pytest_codereason.results.runs.stored_runs import open_run
from tests.reports.exchange.words import read_log


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    samples, aggregate = EveryEvalEver().write(read_log(), tmp_path)
    return samples, aggregate


def test_what_is_written_is_read_back_from_either_file(files: tuple[Path, Path]) -> None:
    for path in files:
        assert EveryEvalEver().recognise(path)
        log = EveryEvalEver().read(path)
        assert list(log.info.models) == ["openai:scripted"]
        for ours, theirs in zip(read_log().rows, log.rows, strict=True):
            for name in ("suite", "id", "family", "language", "axes", "outcome", "metrics", "expected", "answer"):
                assert theirs[name] == ours[name]


def test_the_mean_of_each_score_is_an_aggregate_result(files: tuple[Path, Path]) -> None:
    results = json.loads(files[1].read_text())["evaluation_results"]
    assert results[0]["evaluation_result_id"] == "mine/exact"
    assert results[0]["score_details"]["score"] == 7 / 8


def test_the_library_finds_nothing_wrong(files: tuple[Path, Path]) -> None:
    validate = pytest.importorskip("every_eval_ever.validate")  # needs Python 3.12
    assert validate.main(list(map(str, files))) == 0


@pytest.mark.parametrize("place", [0, 1])
def test_another_version_is_refused_by_name_and_version(place: int, files: tuple[Path, Path]) -> None:
    path = files[place]
    path.write_text(path.read_text().replace('"schema_version": "0.3.0"', '"schema_version": "1.0.0"'))
    with pytest.raises(UsageError, match=rf"{path.name}.*: these results have version 1\.0\.0 .*0\.3\.x can be read"):
        open_run(path)


def test_results_without_answers_are_refused(files: tuple[Path, Path]) -> None:
    files[0].unlink()
    with pytest.raises(UsageError, match=r"hold no answers, for there is no .*_samples\.jsonl beside"):
        open_run(files[1])


def test_a_value_that_the_schema_does_not_have_is_no_traceback(files: tuple[Path, Path]) -> None:
    line = json.loads(files[0].read_text().splitlines()[0])
    files[0].write_text(json.dumps({**line, "evaluation": 5}))
    with pytest.raises(
        UsageError, match=r"_samples\.jsonl: this is damaged, or results of Every Eval Ever of a version"
    ):
        open_run(files[0])
