"""Each model is tried once: at an address before anything is collected, elsewhere once all else is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.errors import UsageError
from pytest_codereason.session.checking.trying import Trial
from tests.core.files.file_server import serve
from tests.engine.tellers import Teller
from tests.session.conftest import Project, usage_error
from tests.session.ordered import check, make_order

NAMED = frozenset({Path("small.suite.toml")})
DOWN = ("--model=openai:x", "--model-url=http://127.0.0.1:9/v1")


class Tried(Teller):
    """Remembers how often it was tried."""

    error: Exception | None = None

    async def check(self) -> None:
        self.calls.append("check")
        if self.error is not None:
            raise self.error


class Here(Tried):
    takes_url = False


def test_a_model_at_an_address_is_tried_first_and_none_twice(project: Project) -> None:
    away, here, writer = Tried(label="away"), Here(label="here"), Tried(label="writer")
    trial = Trial()
    trial.try_addresses(make_order(project, models={"away": away, "here": here}, files=NAMED))
    assert (away.calls, here.calls) == (["check"], [])
    for _ in range(2):
        assert trial.try_rest([away, here, writer, here]) == []
        assert [each.calls for each in (away, here, writer)] == [["check"]] * 3


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("--eval-dry-run",), {"files": NAMED}),
        ((), {"files": NAMED, "collects_only": True}),
        ((), {"files": frozenset({Path("tests"), Path("test_own.py")})}),
    ],
    ids=["dry run", "collects only", "no suite named"],
)
def test_no_model_is_tried_first_where_perhaps_none_is_asked(
    project: Project, arguments: tuple[str, ...], command: dict[str, Any]
) -> None:
    model = Tried()
    Trial().try_addresses(make_order(project, *arguments, models={"teller": model}, **command))
    assert model.calls == []


def test_a_model_that_cannot_be_asked_is_told_first_and_its_own_bugs_with_the_rest(project: Project) -> None:
    broken, here = Tried(label="broken"), Here(label="here")
    broken.error = ZeroDivisionError("mine")
    trial = Trial()
    trial.try_addresses(make_order(project, models={"broken": broken, "here": here}, files=NAMED))
    (error,) = trial.try_rest([broken, here])
    assert "mine" in str(error)
    with pytest.raises(UsageError, match="mine"):
        trial.try_rest([broken])
    assert broken.calls == ["check"]
    broken.error = UsageError("the server is down")
    with pytest.raises(UsageError, match="the server is down"):
        Trial().try_addresses(make_order(project, models={"broken": broken}, files=NAMED))


def test_a_checked_run_tries_what_was_not_tried(project: Project) -> None:
    model = Tried()
    check(make_order(project, models={"teller": model}, files=NAMED), project.suite(count=1))
    assert model.calls == ["check"]


@pytest.mark.parametrize("workers", [(), ("-n", "2"), ("-n", "2", "--dist=loadfile")], ids=["one", "forks", "xdist"])
def test_a_dead_server_is_told_before_suites_are_read(project: Project, workers: tuple[str, ...]) -> None:
    (project.path / "wrong.suite.toml").write_text("no suite")
    named = ("wrong.suite.toml", *workers)
    assert "http://127.0.0.1:9/v1 cannot be reached" in usage_error(project, *DOWN, *named)
    assert "wrong.suite.toml" in usage_error(project, *DOWN, *named, "--eval-dry-run")


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one", "forks"])
def test_a_server_is_asked_once_whether_it_is_there(project: Project, workers: tuple[str, ...]) -> None:
    project.suite(count=1)
    with serve(b'{"data": [{"id": "x"}]}') as (url, paths):
        mistake = usage_error(
            project,
            "small.suite.toml",
            "--model=openai:x",
            f"--model-url={url}/v1",
            "--eval-store=small.suite.toml",
            *workers,
        )
    assert "the answer store" in mistake, "which is looked at after the models"
    assert paths == ["/v1/models"]
