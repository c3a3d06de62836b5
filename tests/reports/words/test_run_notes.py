from __future__ import annotations

from pytest_codereason.reports.words import run_notes
from pytest_codereason.results.runs.run_info import parse_run
from tests.results.synthetic import make_run


def test_each_model_has_its_own_number_of_requests() -> None:
    alike, other = make_run(models=["a", "b"]), make_run(models=["alpha", "beta", "gamma"])
    assert run_notes.format_requests(parse_run(make_run(models=["a"]))) == "up to 32 requests at a time"
    assert run_notes.format_requests(parse_run(alike)) == "up to 32 requests at a time to each model"
    other["models"]["alpha"]["concurrency"] = 8
    said = "up to 8 (alpha), 32 (beta) and 32 (gamma) requests at a time"
    assert run_notes.format_requests(parse_run(other)) == said
