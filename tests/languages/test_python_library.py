"""Python's own library as a check: modules with every safe name renamed still pass the library's own tests."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_codereason.languages.python import Python
from tests.examples import take_every
from tests.languages.examples import inserted, rename_all
from tests.languages.library import LIBRARY, MODULES, sources

pytestmark = pytest.mark.slow

PYTHON = Python()
#: The others pass under ``psc-all`` too, which also renames. No test of that has the first one.
RENAMED = MODULES[:: take_every(3)]


def test_the_library_passes_its_own_tests_under_new_names(tmp_path: Path) -> None:
    pytest.importorskip("test.test_textwrap", reason="this Python comes without its own tests")
    for path in (path for module in RENAMED for path in sources(module)):
        code = PYTHON.syntax.parse(path.read_bytes().decode())
        target = tmp_path / path.relative_to(LIBRARY)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(rename_all(PYTHON, code)[0].encode())
    process = subprocess.run(
        [sys.executable, "-m", "test", *(f"test_{module}" for module in RENAMED)],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-3000:]


@pytest.mark.parametrize("module", MODULES)
def test_layout_and_insertions_keep_the_tree(module: str) -> None:
    for path in sources(module):
        source = path.read_bytes().decode()
        code = PYTHON.syntax.parse(source)
        tree = ast.dump(ast.parse(source))
        normal = PYTHON.syntax.normalise(source).text
        assert ast.dump(ast.parse(normal)) == tree
        assert PYTHON.syntax.normalise(normal).text == normal
        commented, printed = source, source
        for insertion in reversed(code.insertions):
            commented = inserted(commented, insertion, PYTHON.dialect.comment("one\ntwo"))
            printed = inserted(printed, insertion, PYTHON.dialect.print_statement("x"))
        assert ast.dump(ast.parse(commented)) == tree
        assert PYTHON.syntax.check(printed) == ""
        nodes = list(ast.walk(ast.parse(source)))
        functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        assert len(code.functions) == len(functions)
