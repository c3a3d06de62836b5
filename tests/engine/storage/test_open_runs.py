"""Runs of one plan are told apart by their model and its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Model
from pytest_codereason.engine.storage.open_runs import OpenRuns, name_scope
from pytest_codereason.engine.storage.store import FOR_EVER, Store
from pytest_codereason.models import specs
from tests.engine.readers import Reader


def test_a_model_with_settings_of_its_own_has_runs_of_its_own() -> None:
    plain, hot, hotter = (specs.create_model("openai:x", url="http://a/v1", args={}) for _ in range(3))
    hot.sampling, hotter.sampling = {"temperature": 0.5}, {"temperature": 0.7}
    assert len({name_scope("plan", model) for model in (plain, hot, hotter)}) == 3
    assert name_scope("plan", plain) != name_scope("another", plain)


def make_model(*, pinned: bool = False, label: str = "reader", stored: bool = True) -> Model:
    class Named(Reader):
        identity: Mapping[str, Any] = {"name": label}

    Named.pinned, Named.stored = pinned, stored
    return Named(None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as store:
        yield store


def test_a_run_stays_open_until_it_is_closed(store: Store) -> None:
    model = make_model()
    run = OpenRuns(store, model).find("plan")
    assert OpenRuns(store, model).find("plan") == run
    others = [("plan", model, "-k php"), ("another", model, ""), ("plan", make_model(label="other"), "")]
    runs = {run, *(OpenRuns(store, model, selection).find(plan) for plan, model, selection in others)}
    assert len(runs) == 4
    OpenRuns(store, model).close("plan")
    assert OpenRuns(store, model).find("plan") not in runs
    assert {OpenRuns(store, model, selection).find(plan) for plan, model, selection in others} < runs, (
        "the others stay open"
    )


def test_answers_of_a_pinned_model_stay_for_ever(store: Store) -> None:
    model = make_model(pinned=True)
    assert OpenRuns(store, model).find("plan") == OpenRuns(store, model, "-k php").find("plan") == FOR_EVER
    store.put("key", FOR_EVER, name_scope("plan", model), Completion(text="3"))
    OpenRuns(store, model).close("plan")
    assert OpenRuns(store, model).count("plan") == 1


def test_stored_answers_of_a_run_are_counted(store: Store) -> None:
    model = make_model()
    run = OpenRuns(store, model).find("plan")
    assert OpenRuns(store, model).count("plan") == 0
    for key in ("a", "b"):
        store.put(key, run, name_scope("plan", model), Completion(text="3"))
    assert OpenRuns(store, model).count("plan") == 2
    assert OpenRuns(store, model, "-k php").count("plan") == 0
    assert OpenRuns(store, make_model(stored=False)).count("plan") == 0, "a model that costs nothing is asked again"


def test_texts_have_runs_of_their_own_by_writer_and_model(store: Store) -> None:
    model, writer = make_model(), make_model(label="writer")
    run = OpenRuns(store, model).find_for_texts("plan", writer)
    assert OpenRuns(store, model).find_for_texts("plan", writer) == run != OpenRuns(store, model).find("plan")
    assert OpenRuns(store, model).find_for_texts("plan", make_model(label="other")) != run
    assert OpenRuns(store, make_model(label="other")).find_for_texts("plan", writer) != run
    assert OpenRuns(store, model).find_for_texts("plan", make_model(pinned=True)) == FOR_EVER
    OpenRuns(store, model).close("plan")
    assert OpenRuns(store, model).find_for_texts("plan", writer) == run
    OpenRuns(store, model).close_for_texts("plan", writer)
    assert OpenRuns(store, model).find_for_texts("plan", writer) != run


def test_the_run_of_a_session_that_asks_anew_is_the_session(store: Store) -> None:
    runs = OpenRuns(store, make_model(pinned=True), only="session")
    assert runs.find("plan") == runs.find_for_texts("plan", make_model()) == "session"
