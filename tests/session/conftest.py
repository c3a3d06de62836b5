"""A small project with a suite, and a run's folder read back."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import pkgutil
import signal
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import pytest

import pytest_codereason
from pytest_codereason.engine.posting.courier import Pace
from pytest_codereason.engine.retries import Patience

# pytester forgets what a run in this process has imported; what was there before stays. Imported twice,
# the classes of the package would not be each other's, and numpy refuses altogether.
for module in pkgutil.walk_packages(pytest_codereason.__path__, f"{pytest_codereason.__name__}."):
    importlib.import_module(module.name)
grammars = ("tree_sitter", *(f"tree_sitter_{name}" for name in ("python", "javascript", "java", "php")))
for name in ("matplotlib.backends.backend_svg", *grammars):
    importlib.import_module(name)
FIGURE = importlib.import_module("matplotlib.figure")

SUITE = """
task = "output-prediction"
languages = {languages}

[source]
name = "semtrace"
count = {count}
digits = 2
seed = 7

[matrix]
prompting = {prompting}
"""


#: Loaded by runs in this process, whatever else is installed: reading its version takes longer than a small run.
PLUGINS = ("codereason", "xdist", "hypothesispytest")


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """A live run that a test leaves open leaves its handler of SIGTERM too."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


@cache
def list_plugin_distributions() -> list[Distribution]:
    """The installed packages that offer plugins: pytest looks for each plugin named to it in the files of all."""
    return [each for each in distributions() if any(offer.group == "pytest11" for offer in each.entry_points)]


class Project:
    """A folder with suites in which pytest runs as a user runs it."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path

    def suite(
        self,
        name: str = "small",
        *,
        count: int = 4,
        languages: tuple[str, ...] = ("python", "php"),
        prompting: tuple[str, ...] = ("direct",),
        more: str = "",
    ) -> Path:
        text = SUITE.format(languages=json.dumps(languages), count=count, prompting=json.dumps(prompting)) + more
        path = self.path / f"{name}.suite.toml"
        path.write_text(text)
        return path

    def run(self, *args: str) -> pytest.RunResult:
        """Runs pytest in this process: quick, where nothing depends on a fresh interpreter."""
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            environment.setattr(importlib.metadata, "distributions", list_plugin_distributions)
            return self.pytester.runpytest_inprocess(*(f"-p{name}" for name in PLUGINS), *args)

    def run_fresh(self, *args: str) -> pytest.RunResult:
        """Runs pytest in a process of its own."""
        return self.pytester.runpytest_subprocess(*args)

    def records(self, folder: str = "reports/latest") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.path / folder / "records.jsonl").read_text().splitlines()]

    def run_json(self, folder: str = "reports/latest") -> dict[str, Any]:
        run_info: dict[str, Any] = json.loads((self.path / folder / "run.json").read_text())
        return run_info


def hide_matplotlib(folder: Path) -> Path:
    """A folder that hides matplotlib from a process that has it in ``PYTHONPATH``."""
    folder.mkdir()
    (folder / "matplotlib.py").write_text("raise ImportError('hidden by a test')\n")
    return folder


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Project:
    """Runs draw no charts, as where matplotlib is not installed: charts would take a third of the time.

    A test of charts takes the fixture ``charts`` too.
    """
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setenv("PYTHONPATH", str(hide_matplotlib(tmp_path / "hidden")), prepend=os.pathsep)
    monkeypatch.setenv("CODEREASON_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    return Project(pytester)


@pytest.fixture
def quick_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs by batches wait for nothing long, and look again at once."""
    for kind, waits in ((Patience, {"first_wait_s": 0.0}), (Pace, {"sure": 0.5, "gather": 0.2, "others": 0.05})):
        defaults = kind.__init__.__kwdefaults__  # read once, when the class was made
        assert defaults is not None
        for name, seconds in waits.items():
            monkeypatch.setitem(defaults, name, seconds)


@pytest.fixture
def charts(project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Runs draw charts."""
    (tmp_path / "hidden/matplotlib.py").unlink()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", FIGURE)


def usage_error(project: Project, *args: str) -> str:
    """The one error line of a run that must not begin."""
    result = project.run(*args)
    assert result.ret == 4, result.stdout.str() + result.stderr.str()
    both = [*result.outlines, *result.errlines]
    assert not any("Traceback" in line for line in both)
    assert not (project.path / "reports").exists()
    errors = [line for line in both if line.startswith("ERROR: ")]
    assert len(errors) == 1, both
    return errors[0].removeprefix("ERROR: ")
