"""What is checked before the first question is sent."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.core import Completion
from pytest_codereason.engine.building.executing import Executor
from pytest_codereason.engine.limits.run_size import RunSize
from pytest_codereason.engine.storage.open_runs import OpenRuns
from pytest_codereason.engine.storage.store import Store
from pytest_codereason.errors import UsageError
from pytest_codereason.questions.suites.reading import load
from pytest_codereason.questions.suites.suite import Suite
from pytest_codereason.session.checking.checks import (
    Selection,
    check_prices,
    check_sandbox,
    check_store,
    count_stored,
    list_open_costs,
    list_uncounted,
    read_suites,
)
from pytest_codereason.session.collecting.suites import Suites
from tests.engine.readers import Reader
from tests.session.collected import read_typed
from tests.session.conftest import Project

GRAPHS = 'task = "call-graph"\nlanguages = ["python"]\n[source]\nname = "corpus"\n'


def test_only_suites_that_must_run_programs_need_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere/at/all")
    (tmp_path / "graphs.suite.toml").write_text(GRAPHS)
    (tmp_path / "checked.suite.toml").write_text(f"{GRAPHS}check = true\n")
    graphs, checked = load(tmp_path / "graphs.suite.toml"), load(tmp_path / "checked.suite.toml")
    tier, (message,) = check_sandbox(Executor("auto"), [graphs], [], "auto")
    assert tier == "none"
    assert message.startswith("the sandbox does not start: ")
    assert message.endswith("; no program is run to explain wrong answers")
    with pytest.raises(UsageError, match="--eval-sandbox auto: the sandbox does not start"):
        check_sandbox(Executor("auto"), [graphs, checked], [], "auto")


def read_versions(project: Project, suite: str) -> dict[str, Any]:
    (project.path / "mine.suite.toml").write_text(suite)
    assert project.run("--model=baseline:truth", "mine.suite.toml").ret == 0
    versions: dict[str, Any] = json.loads((project.path / "reports/latest/run.json").read_text())["versions"]
    return versions


@pytest.mark.slow
@pytest.mark.parametrize(("language", "interpreter"), [("javascript", "node"), ("php", "php"), ("java", "java")])
def test_a_run_says_the_version_of_what_runs_its_programs(project: Project, language: str, interpreter: str) -> None:
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    printed = subprocess.run([interpreter, "--version"], capture_output=True, text=True, check=True).stdout
    suite = f'task = "input-prediction"\nlanguages = ["python", "{language}"]\n[source]\nname = "ladder"\ncount = 1\n'
    versions = read_versions(project, suite)
    assert versions.keys() == {"python", "pytest", interpreter}
    assert re.search(rf"(?<!\d){re.escape(versions[interpreter])}(?!\d)", printed)


def test_a_run_that_runs_nothing_asks_no_interpreter_for_its_version(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_codereason.sandbox.interpreters.find_version", lambda _: pytest.fail("it was asked"))
    suite = 'task = "output-prediction"\nlanguages = ["javascript"]\n[source]\nname = "semtrace"\ncount = 1\n'
    assert read_versions(project, suite).keys() == {"python", "pytest"}


def make_suite(folder: Path, name: str = "small") -> Suite:
    path = folder / f"{name}.suite.toml"
    path.write_text('task = "output-prediction"\nlanguages = ["python"]\n[source]\nname = "semtrace"\ncount = 3\n')
    return load(path)


def make_model(price: tuple[float, float] | None, label: str = "reader") -> Reader:
    model = Reader(None)
    model.price, model.label = price, label
    return model


def read(folder: Path, *files: str, needed: Sequence[str] = ()) -> Selection:
    suites = Suites(seed=None, sampling={}, writer=None, add_marker=lambda line: None)
    counts = {folder / file: Counter({("python", ""): place}) for place, file in enumerate(files, 1)}
    return read_suites(suites, counts, [folder / file for file in needed])


HERE = 'task = "output-prediction"\n[source]\nname = "semtrace"\n'
GONE = 'task = "output-prediction"\n[source]\nname = "cruxeval"\npath = "gone"\n'


def test_suites_are_read_and_those_whose_data_are_not_here_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEREASON_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "none"))
    for name, text in (("a", HERE), ("b", HERE), ("crux", GONE.replace('path = "gone"\n', ""))):
        (tmp_path / f"{name}.suite.toml").write_text(text)
    (tmp_path / "broken.suite.toml").write_text('task = "none"\n')
    (tmp_path / "other").mkdir()
    (tmp_path / "other/a.suite.toml").write_text(HERE)
    selection = read(tmp_path, "a.suite.toml", "b.suite.toml", "crux.suite.toml")
    assert list(selection.suites) == ["a", "b"]
    assert selection.counts == {"a": 1, "b": 2}
    ((file, why),) = selection.left_out.items()
    assert file.endswith("crux.suite.toml")
    assert why
    for files, needed, complaint in (
        (["crux.suite.toml"], [], "crux.suite.toml: "),
        (["a.suite.toml", "crux.suite.toml"], ["crux.suite.toml"], "crux.suite.toml"),
        (["a.suite.toml", "broken.suite.toml"], [], "broken.suite.toml"),
        (["a.suite.toml", "other/a.suite.toml"], [], "other/a.suite.toml: another suite is also named a ("),
    ):
        with pytest.raises(UsageError) as caught:
            read(tmp_path, *files, needed=needed)
        assert complaint in str(caught.value)


def test_a_limit_on_cost_needs_every_price() -> None:
    check_prices({"m": make_model((1, 2))}, [make_model((0, 0))])
    with pytest.raises(UsageError, match="the price of m is unknown; give --model-arg price_in=USD"):
        check_prices({"n": make_model((1, 2)), "m": make_model(None)}, [])
    with pytest.raises(UsageError, match=r"the price of the writer w is unknown; give --model-arg w:price_in=USD"):
        check_prices({"m": make_model((1, 2))}, [make_model(None, "w")])


def test_a_paid_writer_is_said_to_be_uncounted() -> None:
    assert list_uncounted([]) == list_uncounted([make_model((0, 0))]) == []
    assert len(list_uncounted([make_model((0, 0)), make_model(None)])) == 1


def test_replies_without_a_limit_may_pass_the_limit_on_cost(project: Project) -> None:
    limited = read_typed(project, "--eval-max-cost=5")
    sizes = {
        "open": RunSize(unlimited=1, cost=3.0),
        "many": RunSize(unlimited=2, cost=None),
        "free": RunSize(unlimited=1, cost=0.0),
        "short": RunSize(unlimited=0, cost=3.0),
    }
    assert list_open_costs(sizes, read_typed(project)) == []
    first, second = list_open_costs(sizes, limited)
    assert first.startswith("--eval-max-cost 5 may be passed: open gives 1 reply without a limit of tokens")
    assert second.startswith("--eval-max-cost 5 may be passed: many gives 2 replies without")


def test_answers_that_are_stored_are_counted_unless_all_are_asked_anew(tmp_path: Path) -> None:
    suite, model = make_suite(tmp_path), make_model(None)
    model.pinned = False
    check_store(tmp_path / "store")
    with closing(Store(tmp_path / "store")) as store:
        runs = OpenRuns(store, model)
        store.put("k", runs.find(suite.plan), runs.find_scope(suite.plan), Completion(text="3"))
    pairs = [(suite, model), (suite, model)]
    assert count_stored(tmp_path / "store", None, pairs[:1], "") == 1
    assert count_stored(tmp_path / "store", 60.0, pairs, "") == 2
    assert count_stored(tmp_path / "store", 0.0, pairs, "") == 0
    assert count_stored(tmp_path / "store", None, pairs, "-k php") == 0
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be used"):
        check_store(tmp_path / "file")


def test_a_sandbox_is_opened_only_for_what_runs_programs(tmp_path: Path) -> None:
    class Missing(Executor):
        opened = 0

        @property
        def tier(self) -> str:
            self.opened += 1
            return "none at all"

        def find_missing(self, languages: Iterable[str]) -> Iterator[str]:
            return (f"{name} is missing" for name in languages)

    executor, suite = Missing("auto"), make_suite(tmp_path)
    assert check_sandbox(executor, [suite], [make_model(None)], "auto") == ("none", [])
    assert executor.opened == 0
    runs = make_model(None)
    runs.executes = True
    told = ["python is missing; questions that need it to run become errors"]
    assert check_sandbox(executor, [suite], [runs], "auto") == ("none at all", told)
    (tmp_path / "graphs.suite.toml").write_text(GRAPHS)
    told = ["python is missing; no program is run to explain wrong answers"]
    assert check_sandbox(executor, [load(tmp_path / "graphs.suite.toml")], [], "auto")[1] == told
