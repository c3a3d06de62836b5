"""Programs of CRUXEval-X in PHP, with every safe name changed and in the uniform layout."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_codereason.core.language.structure import Span
from pytest_codereason.errors import DoesNotParse
from pytest_codereason.languages.php import PHP
from pytest_codereason.languages.php.syntax.tree import find_opening
from tests.languages.renaming import list_renamed_uses

LANGUAGE = PHP()


@pytest.fixture(scope="module")
def programs() -> list[str]:
    folder = os.environ.get("CODEREASON_DATA")
    path = Path(folder or "") / "cruxeval-x" / "php.json"
    if not folder or not path.is_file():
        pytest.skip("CODEREASON_DATA names no folder with cruxeval-x/php.json")
    rows = [row["code"] for row in json.loads(path.read_text()) if "code" in row]
    return rows[:: 1 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 5]


def rename_all(source: str) -> str:
    code = LANGUAGE.syntax.parse(source)
    names = code.taken
    changes: list[tuple[Span, str]] = []
    for binding in code.bindings:
        if not binding.unsafe:
            name = LANGUAGE.dialect.fresh("Var_1", names)
            names |= {name}
            changes += list_renamed_uses(binding, name)
    for span, text in sorted(changes, reverse=True):
        source = source[: span.start] + text + source[span.end :]
    return source


def passes(source: str) -> bool:
    text = find_opening(source) + source
    process = subprocess.run(["php", "-n"], input=text.encode(), capture_output=True, timeout=60, check=False)
    return process.returncode == 0 and not process.stdout


@pytest.mark.slow
def test_programs_still_pass_their_own_test(programs: list[str]) -> None:
    def broken(source: str) -> str:
        try:
            variant = LANGUAGE.syntax.normalise(rename_all(source)).text
        except DoesNotParse:
            return ""
        return "" if passes(variant) or not passes(source) else source

    with ThreadPoolExecutor(3) as pool:
        assert [source for source in pool.map(broken, programs) if source] == []


@pytest.mark.slow
def test_both_parsers_agree_on_what_is_a_program(programs: list[str]) -> None:
    for source in programs:
        complaint = LANGUAGE.syntax.check(source)
        try:
            LANGUAGE.syntax.parse(source)
        except DoesNotParse:
            assert complaint
        else:
            assert "syntax error" not in complaint
