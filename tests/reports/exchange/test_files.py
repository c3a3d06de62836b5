"""Names of files in logs for other tools."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_codereason.reports.exchange._files import name_file, name_files
from pytest_codereason.reports.exchange.every_eval_ever import EveryEvalEver
from pytest_codereason.reports.exchange.lm_eval import LmEvalSamples
from pytest_codereason.results.log_format import Log
from tests.reports.exchange.words import read_log


def test_a_name_fits_on_every_disk() -> None:
    assert name_file("openai:gpt/x") == "openai_gpt_x"
    long = [name_file(f"openai:{'ü' * 300}{end}") for end in "ab"]
    assert long[0] != long[1]
    assert all(len(name.encode()) <= 72 for name in long)


def test_a_name_leads_nowhere_else() -> None:
    assert name_file("replay:../stored.jsonl") == "replay__._stored.jsonl"
    assert ".." not in name_file("a...b")


def test_no_two_names_are_alike() -> None:
    texts = ["m:a/b", "m:a_b", "M:A.B", "m:a:b", "m:a.b", "..", "."]
    names = name_files(texts)
    assert (names["m:a/b"], names[".."]) == ("m_a_b", "_")
    assert len({name.casefold() for name in names.values()}) == len(texts)


def _name(log: Log, *models: str) -> Log:
    """The log with other names for its only model, as if several models gave the same answers."""
    (model,) = log.info.models.values()
    rows = [{**row, "model": name} for name in models for row in log.rows]
    return replace(log, info=replace(log.info, models=dict.fromkeys(models, model)), rows=rows)


def test_models_of_long_and_like_names_have_files_of_their_own(tmp_path: Path) -> None:
    names = ("openai:a/b", "openai:a_b", f"openai:{'x' * 300}", f"openai:{'x' * 301}")
    one = read_log()
    for kind in (LmEvalSamples, EveryEvalEver):
        alone = kind().write(_name(one, "openai:a"), tmp_path / f"{kind.__name__}-1")
        paths = kind().write(_name(one, *names), tmp_path / kind.__name__)
        assert len({str(path).casefold() for path in paths}) == len(paths) == 4 * len(alone)
        assert all(path.is_file() for path in paths)
