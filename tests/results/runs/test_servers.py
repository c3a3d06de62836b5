"""What each server of a model has done."""

from __future__ import annotations

from typing import Any

from pytest_codereason.results.runs.servers import ServerLoad, measure_servers
from tests.results.synthetic import build_data, make_row, make_run

A, B = "http://a/v1", "http://b/v1"


def make_answer(number: int, *steps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return make_row(id=str(number), family=str(number), axes={}, steps=list(steps), **changes)


def test_replies_failures_and_seconds_are_added_up_by_address() -> None:
    rows = [
        make_answer(0, {"endpoint": A, "latency_s": 1.0}, {"endpoint": B, "latency_s": 4.0, "failed_at": [A]}),
        make_answer(1, {"endpoint": A, "latency_s": 3.0}, repeat=1),
        make_answer(2, {"endpoint": A, "latency_s": None, "failed_at": [B, B]}, reused=True),
        make_answer(3, outcome="error"),
    ]
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"]}})
    assert measure_servers(build_data(run, rows)) == {
        "m": {
            A: ServerLoad(replies=3, failures=1, mean_s=4.0 / 3),
            B: ServerLoad(replies=1, failures=2, mean_s=4.0),
        }
    }


def test_a_server_that_never_answered_is_there_too() -> None:
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"]}})
    data = build_data(run, [make_answer(0, {"endpoint": A, "latency_s": 1.0, "failed_at": [B]})])
    assert measure_servers(data)["m"][B] == ServerLoad(replies=0, failures=1, mean_s=None)


def test_a_model_with_one_address_has_none() -> None:
    run = make_run(models=["m"], suites={"semtrace": {"language": ["python"]}})
    assert measure_servers(build_data(run, [make_answer(0, {"latency_s": 1.0})])) == {}
