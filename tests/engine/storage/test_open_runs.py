"""Runs of one plan are told apart by their model and its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion, Model
from pytest_codereason.engine.storage.open_runs import (
    close_run,
    close_text_run,
    count_answers,
    find_run,
    find_text_run,
    name_scope,
)
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
    run = find_run(store, "plan", model, "")
    assert find_run(store, "plan", model, "") == run
    others = [("plan", model, "-k php"), ("another", model, ""), ("plan", make_model(label="other"), "")]
    runs = {run, *(find_run(store, *other) for other in others)}
    assert len(runs) == 4
    close_run(store, "plan", model, "")
    assert find_run(store, "plan", model, "") not in runs
    assert {find_run(store, *other) for other in others} < runs, "the others stay open"


def test_answers_of_a_pinned_model_stay_for_ever(store: Store) -> None:
    model = make_model(pinned=True)
    assert find_run(store, "plan", model, "") == find_run(store, "plan", model, "-k php") == FOR_EVER
    store.put("key", FOR_EVER, name_scope("plan", model), Completion(text="3"))
    close_run(store, "plan", model, "")
    assert count_answers(store, "plan", model, "") == 1


def test_stored_answers_of_a_run_are_counted(store: Store) -> None:
    model = make_model()
    run = find_run(store, "plan", model, "")
    assert count_answers(store, "plan", model, "") == 0
    for key in ("a", "b"):
        store.put(key, run, name_scope("plan", model), Completion(text="3"))
    assert count_answers(store, "plan", model, "") == 2
    assert count_answers(store, "plan", model, "-k php") == 0
    assert count_answers(store, "plan", make_model(stored=False), "") == 0, "a model that costs nothing is asked again"


def test_texts_have_runs_of_their_own_by_writer_and_model(store: Store) -> None:
    model, writer = make_model(), make_model(label="writer")
    run = find_text_run(store, "plan", model, writer, "")
    assert find_text_run(store, "plan", model, writer, "") == run != find_run(store, "plan", model, "")
    assert find_text_run(store, "plan", model, make_model(label="other"), "") != run
    assert find_text_run(store, "plan", make_model(label="other"), writer, "") != run
    assert find_text_run(store, "plan", model, make_model(pinned=True), "") == FOR_EVER
    close_run(store, "plan", model, "")
    assert find_text_run(store, "plan", model, writer, "") == run
    close_text_run(store, "plan", model, writer, "")
    assert find_text_run(store, "plan", model, writer, "") != run
