"""Samples of lm-eval: what it has written is read, and what we write is read back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.reports.exchange.lm_eval import LmEvalSamples
from pytest_codereason.results.runs.stored_runs import open_run, read_stored
from tests.reports.exchange.words import LM_EVAL, SAMPLES, edit_lines, read_log


def test_samples_are_a_run_of_their_model() -> None:
    data = read_stored(LM_EVAL)
    assert data.run.tool == "lm-eval 0.4.13"
    assert list(data.run.models) == ["scripted"]
    assert data.run.started == "2026-11-23T15:17:35.182565"
    (suite,) = data.run.suites.values()
    assert [(metric.name, metric.binary) for metric in suite.measured] == [("exact_match", True)]
    assert suite.axes == {"language": ("python", "php"), "digits": (2,)}
    assert data.records["outcome"].value_counts().to_dict() == {"correct": 7, "wrong": 1}
    assert "python/0000[digits:2]" in set(data.records["id"])


def test_a_file_alone_is_read_too() -> None:
    assert list(read_stored(SAMPLES).run.suites) == ["mine_lm"]


def test_questions_without_an_id_are_known_by_their_number(tmp_path: Path) -> None:
    path = edit_lines(tmp_path, lambda line: line["doc"].clear())
    assert sorted(read_stored(path).records["id"]) == list("01234567")


def test_each_filter_is_a_score(tmp_path: Path) -> None:
    path = edit_lines(tmp_path, lambda line: None)
    lines = path.read_text().splitlines()
    strict = [{**json.loads(line), "filter": "strict", "exact_match": 0.0} for line in lines]
    path.write_text("\n".join([*lines, *map(json.dumps, strict)]))
    data = read_stored(path)
    assert [m.name for m in data.run.suites["mine_lm"].metrics] == ["exact_match,after-equals", "exact_match,strict"]
    assert len(data.records) == 8


def test_repeated_answers_are_samples(tmp_path: Path) -> None:
    path = edit_lines(tmp_path, lambda line: None)
    path.write_text(path.read_text() * 2)
    assert sorted(read_stored(path).records["sample"].unique()) == [0, 1]


def test_another_version_is_refused_by_name_and_version(tmp_path: Path) -> None:
    path = edit_lines(tmp_path, lambda line: None)
    results = next(path.parent.glob("results_*.json"))
    results.write_text(json.dumps({"lm_eval_version": "0.5.1"}))
    with pytest.raises(UsageError, match=r"samples_mine_lm_.*jsonl: lm-eval 0\.5\.1 wrote these samples.*0\.4\.x can"):
        open_run(path)


def test_a_line_of_another_version_is_refused_by_its_place(tmp_path: Path) -> None:
    path = edit_lines(tmp_path, lambda line: line.pop("resps"))
    with pytest.raises(UsageError, match=r"jsonl:1: this is no line of lm-eval 0\.4\.x, for it lacks resps"):
        open_run(path)


@pytest.mark.parametrize(("text", "complaint"), [("", "is empty"), ('{"doc_id": 1', "jsonl:1: this line is damaged")])
def test_damaged_samples_are_named(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / SAMPLES.name
    path.write_text(text)
    with pytest.raises(UsageError, match=complaint):
        open_run(path)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    log = read_log()
    *_, results = LmEvalSamples().write(log, tmp_path)
    assert results.parent.name == "openai_scripted"
    again = LmEvalSamples().read(results.parent)
    assert list(again.info.models) == list(log.info.models)
    for ours, theirs in zip(log.rows, again.rows, strict=True):
        for name in ("suite", "id", "family", "language", "axes", "outcome", "metrics", "expected", "answer"):
            assert theirs[name] == ours[name]


@pytest.mark.slow
def test_the_harness_reads_what_is_written(tmp_path: Path) -> None:
    """The harness finds its own files by their names, and hashes prompts as we do."""
    utils = pytest.importorskip("lm_eval.utils")
    *samples, results = LmEvalSamples().write(read_log(), tmp_path)
    names = list(map(str, (*samples, results)))
    assert utils.get_sample_results_filenames(names) == list(map(str, samples))
    assert utils.get_results_filenames(names) == [str(results)]
    assert utils.get_file_task_name(samples[0].name) == "mine"
    line = json.loads(samples[0].read_text().splitlines()[0])
    assert line["prompt_hash"] == utils.hash_string(line["arguments"]["gen_args_0"]["arg_0"])


def test_samples_of_one_question_share_its_number_wherever_they_stand(tmp_path: Path) -> None:
    log = read_log()
    again = [{**row, "sample": 1} for row in log.rows]
    samples, _ = LmEvalSamples().write(replace(log, rows=[*log.rows, *again]), tmp_path)
    numbers = [json.loads(line)["doc_id"] for line in samples.read_text().splitlines()]
    assert numbers == [*range(8), *range(8)]
