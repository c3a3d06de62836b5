"""Packages of PyPI under trace: their examples come out as they do untraced, and their edges are always the same."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_codereason.core.execution import Limits, Run
from pytest_codereason.core.language.tracing import Witnessed
from pytest_codereason.sandbox import Sandbox
from tests.examples import take_every

pytestmark = pytest.mark.slow

#: Each with the modules that are not traced: they read files, ask for the time, or list all objects or frames, which
#: breaks a trace.
PACKAGES = {
    "sortedcontainers": (),
    "more_itertools": (),
    "toolz": (),
    "boltons": (
        *("ecoutils", "fileutils", "tbutils", "socketutils", "debugutils", "timeutils"),
        *("gcutils", "formatutils"),
    ),
}
#: How often the calls of each are traced; its lines are traced once.
RUNS = 4 // take_every(2)
PATIENT = Limits(wall_s=120, cpu_s=100, output_bytes=1 << 22, result_bytes=1 << 22)

#: Runs the examples of all modules, and prints how many of each function there are and how many fail.
EXAMPLES = """
import doctest, importlib, sys, warnings
warnings.simplefilter("ignore")
for name in {names!r}:
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder().find(module):
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        said = []
        came = runner.run(test, out=said.append)
        if came.attempted:
            print(test.name, came.attempted, came.failed)
"""


def find_package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"the package {name} is not installed")
    return Path(spec.origin).parent


def make_run(package: str, witnessed: Witnessed, attempt: int = 0) -> Run:
    home, left_out = find_package(package), PACKAGES[package]
    paths = [path for path in sorted(home.rglob("*.py")) if not {*left_out, "tests"} & {*path.parts, path.stem}]
    files = {path.relative_to(home.parent).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    names = [file.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for file in files]
    files["main.py"] = EXAMPLES.format(names=names)
    return Run(language="python", files=files, entry="main.py", witnessed=witnessed, attempt=attempt, limits=PATIENT)


def run_untraced(run: Run, folder: Path) -> str:
    """What a plain interpreter prints; the sandbox refuses a program that looks at frames, as that of boltons does."""
    for name, text in run.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-s", "-S", "-X", "utf8", "main.py"]
    environment = {"PYTHONHASHSEED": "0"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_come_out_as_they_do_untraced_and_edges_always_the_same(
    package: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    expected = run_untraced(make_run(package, ""), tmp_path)
    assert expected.count("\n") > 15
    runs: list[tuple[Witnessed, int]] = [("lines", 0), *(("calls", attempt) for attempt in range(RUNS))]
    graphs = []
    for witnessed, attempt in runs:
        traced = sandbox.run(make_run(package, witnessed, attempt))
        assert traced.trace is not None, traced.words
        assert traced.stdout.splitlines() == expected.splitlines()
        graphs.append(traced.trace.edges)
    assert sum(map(len, graphs[0].values())) > 30
    assert all(graph == graphs[0] for graph in graphs)
