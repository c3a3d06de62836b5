"""Programs are run without a parser: a process that only runs them need not load one."""

from __future__ import annotations

import subprocess
import sys

import pytest

HIDDEN = """
import importlib, sys

class Hides:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("tree_sitter"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Hides())
importlib.import_module(f"pytest_codereason.languages.{sys.argv[1]}.runner")
"""


@pytest.mark.parametrize("language", ["python", "javascript", "typescript", "php", "java"])
def test_a_runner_is_imported_without_a_parser(language: str) -> None:
    done = subprocess.run([sys.executable, "-c", HIDDEN, language], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
