"""A picture is a paper's only under the paper's conditions."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_codereason.results.pictures import Picture
from pytest_codereason.results.run_info import parse_run
from pytest_codereason.results.studies import find_departures
from tests.results.synthetic import make_run

RECALL, CRASH = "Sense and Sensitivity, figures 4, 8 and 9", "CodeCrash, table 7"


def describe(source: str, **pools: Any) -> dict[str, Any]:
    """What a run says of a suite with this source, and with this pool of distractors."""
    return {"source": {"name": source}, "stages": [{"stage": "context", **pools}] if pools else []}


STUDY = describe("cruxeval", pool_python="code-search-net", pool_python_tokens=190)
INSTALLED = describe("cruxeval", pool_python="installed", pool_python_tokens=1096, pool_php="code-search-net")


@pytest.mark.parametrize(
    ("after", "of", "suites", "departures"),
    [
        (RECALL, {}, [STUDY], ()),
        (RECALL, {}, [INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {"language": "php"}, [INSTALLED], ()),
        (RECALL, {"distractors": "0"}, [INSTALLED], ()),
        (RECALL, {"suite": "s0"}, [STUDY, INSTALLED], ()),
        (RECALL, {"suite": "s0, s1"}, [STUDY, INSTALLED], ("on the pool installed, median 1,096 tokens",)),
        (RECALL, {}, [describe("jsonl")], ("on programs of jsonl",)),
        (CRASH, {}, [describe("livecodebench")], ()),
        (CRASH, {}, [describe("semtrace")], ("on programs of semtrace",)),
        (CRASH, {}, [STUDY], ("among distractors",)),
        ("a figure of my own", {}, [describe("jsonl")], ()),
    ],
)
def test_what_departs_is_said(
    after: str, of: dict[str, str], suites: list[dict[str, Any]], departures: tuple[str, ...]
) -> None:
    axes = {"language": ["python", "php"]}
    run = make_run(suites={f"s{i}": axes for i in range(len(suites))})
    for i, resolved in enumerate(suites):
        run["suites"][f"s{i}"]["resolved"] = resolved
    picture = Picture(name="p", kind="p", title="p", after=after, of=of)
    assert find_departures(picture, parse_run(run).suites) == departures
