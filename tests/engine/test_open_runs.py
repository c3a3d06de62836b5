"""Runs of one plan are told apart by their model and its settings."""

from __future__ import annotations

from pytest_codereason import registry
from pytest_codereason.engine.open_runs import name_scope


def test_a_model_with_settings_of_its_own_has_runs_of_its_own() -> None:
    plain, hot, hotter = (registry.create_model("openai:x", url="http://a/v1", args={}) for _ in range(3))
    hot.sampling, hotter.sampling = {"temperature": 0.5}, {"temperature": 0.7}
    assert len({name_scope("plan", model) for model in (plain, hot, hotter)}) == 3
    assert name_scope("plan", plain) != name_scope("another", plain)
