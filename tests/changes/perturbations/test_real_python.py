"""Packages of PyPI under every perturbation: their doctests come out as before."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_codereason.changes.perturbations._messages import read_messages
from tests.changes.perturbations.trees import perturb_files
from tests.examples import take_every

pytestmark = pytest.mark.slow

#: Packages whose functions have examples in their docstrings; the first comes with Hypothesis.
PACKAGES = ["sortedcontainers", "more_itertools", "toolz", "boltons"]
#: The first has all that the other has.
COMPOSITIONS = ["comments+dead-code+rename+conditions", "psc-all"]
MESSAGES = [message for messages in read_messages().values() for message in messages]

#: Prints which examples fail, how many there are, how many functions they reach; printed messages are dropped.
EXAMPLES = """
import doctest, importlib, json, sys, warnings
warnings.simplefilter("ignore")
root, messages, names = json.load(sys.stdin)
messages = set(messages)
reached = set()

class Checker(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        lines = (line for line in got.splitlines(True) if line.strip() not in messages)
        return super().check_output(want, "".join(lines), flags)

def see(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(root) and not code.co_name.startswith("<"):
        reached.add((code.co_filename, code.co_qualname))

failed, tried = [], 0
for name in names:
    module = importlib.import_module(name)
    assert module.__file__.startswith(root), module.__file__
    for test in doctest.DocTestFinder().find(module):
        runner = doctest.DocTestRunner(Checker(), verbose=False, optionflags=doctest.ELLIPSIS)
        sys.setprofile(see)
        came = runner.run(test, out=lambda text: None)
        sys.setprofile(None)
        tried += came.attempted
        failed += [test.name] if came.failed else []
sys.stderr.write(json.dumps([failed, tried, len(reached)]))
"""


def folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"the package {package} is not installed")
    return Path(spec.origin).parent


def examples(root: Path, names: Sequence[str]) -> list[Any]:
    process = subprocess.run(
        [sys.executable, "-c", EXAMPLES],
        input=json.dumps([str(root), MESSAGES, names]),
        env=os.environ | {"PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    numbers: list[Any] = json.loads(process.stderr)
    return numbers


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_of_a_package(package: str, tmp_path: Path) -> None:
    home = folder(package)
    files = [path for path in sorted(home.rglob("*.py")) if "tests" not in path.parts]
    names = [".".join(path.relative_to(home.parent).with_suffix("").parts) for path in files]
    names = [name.removesuffix(".__init__") for name in names]
    plain = tmp_path / "plain"
    perturb_files("python", home.parent, files, plain, "vanilla")
    failed, tried, reached = examples(plain, names)
    assert tried > 50
    print(f"{package}: {len(files)} files, {tried} examples, {reached} functions reached", end="")
    for number, text in enumerate(COMPOSITIONS[:: take_every(2)]):
        root = tmp_path / str(number)
        counts = perturb_files("python", home.parent, files, root, text)
        print(f"; {text}: {dict(counts)}", end="")
        assert counts["emitted"] >= 0.6 * len(files)
        failed_after, tried_after, also = examples(root, names)
        assert (failed_after, tried_after) == (failed, tried), text
        assert also >= reached
