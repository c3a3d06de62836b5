"""The keys of a suite file, and where each of them stands."""

from __future__ import annotations

from pytest_codereason.errors import BadSetting, UnknownKey
from pytest_codereason.questions.suites import keys
from pytest_codereason.questions.tasks.output_prediction import OutputPrediction


def test_a_suite_may_have_the_tables_of_all_shipped_stages_and_of_those_named() -> None:
    listed = keys.list_keys({})
    assert {"task", "source", "matrix", "sampling", "context", "fault", "perturbation"} <= set(listed)
    assert "mine:Shout" not in listed
    assert len(set(keys.list_keys({"mine:Shout": object}))) == len(listed) + 1  # type: ignore[dict-item]


def test_a_key_in_the_wrong_table_is_sent_to_its_own() -> None:
    places = keys.list_places(OutputPrediction())
    unknown = UnknownKey("temperature", "unknown key 'temperature'")
    assert keys.explain_setting(unknown, places) == "'temperature' does not belong here: write it into [sampling]"
    assert keys.explain_setting(UnknownKey("template", "x"), places).endswith("write it above the first table")
    assert "[matrix]" in keys.explain_setting(UnknownKey("prompting", "x"), places)
    assert keys.explain_setting(UnknownKey("nowhere", "unknown"), places) == "unknown"
    assert keys.explain_setting(BadSetting("temperature", "too hot"), places) == "too hot"


def test_every_text_of_a_table_is_found_with_its_keys() -> None:
    table = {"a": "x", "b": {"c": ["y", {"d": "z"}], "e": 3}}
    assert list(keys.list_texts(table)) == [(("a",), "x"), (("b", "c"), "y"), (("b", "c", "d"), "z")]


def test_a_key_that_looks_like_the_missing_one_is_named() -> None:
    assert keys.suggest_misspelt("name", {"nmae": 1}) == " (is it 'nmae'?)"
    assert keys.suggest_misspelt("name", {"count": 1}) == ""
