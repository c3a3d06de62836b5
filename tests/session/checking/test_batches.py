"""What a run is told of batches before its first request."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pytest_codereason.engine.storage.batches import BatchedRequest
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.models.specs import create_model
from pytest_codereason.session.checking.batches import describe_under_way
from tests.engine.tellers import make_suite


def test_what_is_under_way_is_that_of_the_same_questions(tmp_path: Path) -> None:
    folder, suite = tmp_path / "store", make_suite(tmp_path)
    mine, other = (create_model(f"openai:{name}", url="http://a/v1", args={}) for name in "xy")
    assert describe_under_way(folder, [(suite, mine)], "") == ""
    with closing(Store(folder)) as store:
        run = OpenRuns(store, mine, "-k php").find(suite.plan)
        for key in "abc":
            store.batches.add_request("batch", key, BatchedRequest(run, "scope", "", 0.0))
    waiting = describe_under_way(folder, [(suite, mine), (suite, other)], "-k php")
    assert waiting == "1 batch with 3 requests of this run is under way"
    assert describe_under_way(folder, [(suite, mine)], "") == ""
    assert describe_under_way(folder, [(suite, other)], "-k php") == ""
    with closing(Store(folder)) as store:
        store.batches.add_request("other", "d", BatchedRequest(run, "scope", "", 0.0))
    both = describe_under_way(folder, [(suite, mine)], "-k php")
    assert both == "2 batches with 4 requests of this run are under way"
    (folder / "answers.sqlite").write_bytes(b"damaged" * 999)
    assert describe_under_way(folder, [(suite, mine)], "-k php") == "", "whoever wants an answer says so"
